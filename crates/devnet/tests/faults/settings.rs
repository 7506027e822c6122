//! Which settings of faults are taken, and from whom.

use super::*;

#[test]
fn put_replaces_all_settings_and_returns_them() {
    let server = Server::start();
    server.set(json!({ "errorRate": 1, "latencyMs": 1, "methods": ["query"], "seed": 3 }));
    let answer = server
        .admin("PUT", &json!({ "refuseRate": 0.5, "seed": 4 }))
        .json();
    assert_eq!(
        (
            &answer["errorRate"],
            &answer["latencyMs"],
            &answer["refuseRate"],
            &answer["seed"]
        ),
        (&json!(0.0), &json!(0), &json!(0.5), &json!(4))
    );
    assert!(answer.get("methods").is_none());
}

#[test]
fn bad_settings_are_refused_with_a_reason_and_change_nothing() {
    let server = Server::start();
    server.set(json!({ "tooManyRequestsRate": 1 }));
    let large = format!(r#"{{"methods":["{}"]}}"#, "a".repeat(20_000));
    for (body, status, reason) in [
        ("", 400, "not a JSON object of settings"),
        ("{", 400, "not a JSON object of settings"),
        ("[]", 400, "not a JSON object of settings"),
        (
            r#"{"errorRat":1}"#,
            400,
            "unknown field `errorRat`, expected one of `latencyMs`",
        ),
        (r#"{"errorRate":"1"}"#, 400, "invalid type: string"),
        (
            r#"{"errorRate":1.5}"#,
            400,
            "errorRate must be a number from 0 to 1",
        ),
        (
            r#"{"refuseRate":-0.1}"#,
            400,
            "refuseRate must be a number from 0 to 1",
        ),
        (
            r#"{"errorRate":0.6,"refuseRate":0.6}"#,
            400,
            "add up to more than 1",
        ),
        (
            r#"{"latencyMs":60001}"#,
            400,
            "latencyMs must be at most 60000",
        ),
        (r#"{"latencyMs":-1}"#, 400, "invalid value: integer `-1`"),
        (
            r#"{"methods":[]}"#,
            400,
            "methods must name at least one method",
        ),
        (&large, 413, "length limit exceeded"),
    ] {
        let answer = server.request("PUT", "/admin/faults", "", body).unwrap();
        let shown = &body[..body.len().min(40)];
        assert_eq!(answer.status, status, "{shown}: {answer:?}");
        let said = answer.json()["error"].as_str().unwrap().to_owned();
        assert!(said.contains(reason), "{shown}: {said}");
    }
    assert_eq!(server.rpc("status", json!([])).unwrap().status, 429);
    assert_eq!(server.admin("POST", &json!({})).status, 405);
}

#[test]
fn decimal_rates_that_add_up_to_one_are_accepted() {
    let settings = FaultSettings {
        error_rate: 0.1,
        too_many_requests_rate: 0.2,
        refuse_rate: 0.3,
        lose_answer_rate: 0.4,
        ..FaultSettings::default()
    };
    assert!(Faults::new(settings).is_ok());
}

#[test]
fn pages_in_a_browser_may_not_change_faults() {
    let server = Server::start();
    for origin in ["https://evil.example", "http://localhost:5173", "null"] {
        for method in ["GET", "PUT", "DELETE"] {
            let headers = format!("Origin: {origin}\r\n");
            let answer = server
                .request(method, "/admin/faults", &headers, r#"{"errorRate":1}"#)
                .unwrap();
            assert_eq!(answer.status, 403, "{method} {origin}");
            assert!(!answer.head.contains("access-control"), "{}", answer.head);
        }
    }
    // A preflight gets no permission either.
    let preflight = "Origin: https://evil.example\r\nAccess-Control-Request-Method: PUT\r\n";
    let answer = server
        .request("OPTIONS", "/admin/faults", preflight, "")
        .unwrap();
    assert_eq!(answer.status, 403);
    assert!(!answer.head.contains("access-control"), "{}", answer.head);
    assert_eq!(server.rpc("status", json!([])).unwrap().status, 200);
}

#[test]
fn a_name_that_was_rebound_to_loopback_is_refused() {
    let server = Server::start();
    let port = server.address.port();
    let ask = |host: &str| {
        let body = r#"{"errorRate":1}"#;
        let request = format!(
            "PUT /admin/faults HTTP/1.1\r\n{host}Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        server.raw(&request).unwrap().status
    };
    for host in [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "127.0.0.1@evil.example",
        "192.168.0.1",
        "0.0.0.0",
        "[::]",
        "[fe80::1]",
        "not a host",
    ] {
        assert_eq!(ask(&format!("Host: {host}\r\n")), 403, "{host}");
        assert_eq!(ask(&format!("Host: {host}:{port}\r\n")), 403, "{host}");
    }
    assert_eq!(ask("Host: \r\n"), 403);
    assert_eq!(ask("Host: localhost\r\nHost: evil.example\r\n"), 403);
    let without = server.raw("GET /admin/faults HTTP/1.0\r\n\r\n").unwrap();
    assert_eq!(without.status, 403);
    assert_eq!(server.rpc("status", json!([])).unwrap().status, 200);

    for host in ["127.0.0.1", "localhost", "LOCALHOST", "[::1]", "127.0.0.2"] {
        assert_eq!(ask(&format!("Host: {host}:{port}\r\n")), 200, "{host}");
    }
}

#[test]
fn flags_set_the_initial_faults() {
    let program = Program::start(&[
        "--fault-latency",
        "5ms",
        "--fault-error-rate",
        "0.1",
        "--fault-too-many-requests",
        "0.2",
        "--fault-refuse",
        "0.3",
        "--fault-lose-answer",
        "0.4",
        "--fault-methods",
        "send_tx,tx",
        "--fault-seed",
        "9",
        "--fault-body",
        "jsonRpc",
        "--fault-no-cors",
        "--fault-retry-after",
        "2",
    ]);
    let report: Value = ureq::get(format!("{}/admin/faults", program.url))
        .call()
        .unwrap()
        .body_mut()
        .read_json()
        .unwrap();
    let expected = json!({
        "latencyMs": 5, "errorRate": 0.1, "tooManyRequestsRate": 0.2, "refuseRate": 0.3,
        "loseAnswerRate": 0.4, "methods": ["send_tx", "tx"], "seed": 9, "body": "jsonRpc",
        "noCors": true, "retryAfter": "2",
    });
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(report[field], *value, "{field}");
    }
    program.kill();
}

#[test]
fn says_in_one_sentence_which_fault_flag_is_wrong() {
    for (flags, reason) in [
        (
            ["--fault-error-rate", "2"],
            "errorRate must be a number from 0 to 1",
        ),
        (
            ["--fault-refuse", "NaN"],
            "refuseRate must be a number from 0 to 1",
        ),
        (
            ["--fault-lose-answer", "some"],
            "invalid value 'some' for '--fault-lose-answer <RATE>'",
        ),
        (["--fault-latency", "2h"], "write it like 600ms or 1s"),
        (
            ["--fault-latency", "61s"],
            "latencyMs must be at most 60000",
        ),
    ] {
        let (said, code) = Program::refusal(&flags);
        assert_eq!(code, Some(1), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(
            said.starts_with("latchkey-devnet: ") && said.contains(reason),
            "{said}"
        );
    }
}
