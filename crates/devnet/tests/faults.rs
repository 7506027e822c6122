//! Injected faults: what clients see, what reaches the chain, and who may change the settings.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use std::time::{Duration, Instant};

use common::program::Program;
use common::server::{Reply, Server};
use common::*;
use latchkey_devnet::rpc::{FaultSettings, Faults};
use latchkey_devnet::{ChainConfig, TransactionStatus};
use near_primitives::transaction::SignedTransaction;
use serde_json::{Value, json};

impl Server {
    fn admin(&self, method: &str, body: &Value) -> Reply {
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        self.request(method, "/admin/faults", "", &body).unwrap()
    }

    fn set(&self, settings: Value) {
        let answer = self.admin("PUT", &settings);
        assert_eq!(answer.status, 200, "{answer:?}");
    }

    fn hits(&self) -> Value {
        self.admin("GET", &Value::Null).json()["hits"].clone()
    }

    fn broadcast(&self, signed: &SignedTransaction) -> Option<Reply> {
        self.rpc("broadcast_tx_async", json!([base64_of(signed)]))
    }
}

fn one_near(server: &Server) -> SignedTransaction {
    sign(&server.chain, ALICE, BOB, vec![transfer(near(1))])
}

#[test]
fn without_settings_requests_are_only_counted() {
    let server = Server::start();
    assert_eq!(server.rpc("status", json!([])).unwrap().status, 200);
    let report = server.admin("GET", &Value::Null).json();
    let seed = report["seed"].clone();
    assert!(seed.is_u64());
    assert_eq!(
        report,
        json!({
            "latencyMs": 0, "errorRate": 0.0, "tooManyRequestsRate": 0.0, "refuseRate": 0.0,
            "loseAnswerRate": 0.0, "forbiddenRate": 0.0, "timeoutRate": 0.0,
            "shardCongestedRate": 0.0, "shardStuckRate": 0.0, "untrackedRate": 0.0,
            "body": "empty", "noCors": false, "seed": seed,
            "hits": {
                "requests": 1, "delayed": 0, "errors": 0, "tooManyRequests": 0, "refused": 0,
                "lostAnswers": 0, "forbidden": 0, "timeouts": 0, "shardCongested": 0,
                "shardStuck": 0, "untracked": 0,
            },
        })
    );
}

#[test]
fn an_injected_error_has_the_chains_envelope_and_runs_nothing() {
    let server = Server::start();
    server.set(json!({ "errorRate": 1 }));
    let signed = one_near(&server);
    let answer = server.broadcast(&signed).unwrap();
    assert_eq!(answer.status, 500);
    let reason = "a fault injected on purpose";
    let error = json!({
        "name": "INTERNAL_ERROR",
        "cause": { "name": "INTERNAL_ERROR", "info": { "error_message": reason } },
        "code": -32000, "message": "Server error", "data": reason,
    });
    assert_eq!(
        answer.json(),
        json!({ "jsonrpc": "2.0", "id": 7, "error": error })
    );
    assert!(matches!(
        server.chain.transaction_status(&signed.get_hash()).unwrap(),
        TransactionStatus::Unknown
    ));

    let batch = json!([
        { "jsonrpc": "2.0", "id": "a", "method": "status" },
        { "jsonrpc": "2.0", "id": "b", "method": "health" },
    ]);
    let answers = server.post(&batch.to_string()).unwrap().json();
    assert_eq!(answers[0]["id"], "a");
    assert_eq!(answers[1]["id"], "b");
    assert_eq!(answers[1]["error"], error);
    assert_eq!(server.hits()["errors"], 2);
}

#[test]
fn too_many_requests_is_http_429() {
    let server = Server::start();
    server.set(json!({ "tooManyRequestsRate": 1 }));
    let signed = one_near(&server);
    assert_eq!(server.broadcast(&signed).unwrap().status, 429);
    assert!(matches!(
        server.chain.transaction_status(&signed.get_hash()).unwrap(),
        TransactionStatus::Unknown
    ));
    assert_eq!(server.hits()["tooManyRequests"], 1);
}

#[test]
fn a_provider_answers_403_408_and_429_in_several_manners() {
    let server = Server::start();
    let ask = |settings: Value| {
        server.set(settings);
        let request = json!({ "jsonrpc": "2.0", "id": 7, "method": "status", "params": [] });
        let headers = "Origin: http://app.example\r\nContent-Type: application/json\r\n";
        let answer = server.request("POST", "/", headers, &request.to_string());
        answer.unwrap()
    };
    for (field, counter, status, reason) in [
        ("forbiddenRate", "forbidden", 403, "Forbidden"),
        ("timeoutRate", "timeouts", 408, "Request Timeout"),
        (
            "tooManyRequestsRate",
            "tooManyRequests",
            429,
            "Too Many Requests",
        ),
    ] {
        let empty = ask(json!({ field: 1 }));
        assert_eq!((empty.status, empty.body.as_str()), (status, ""));
        assert!(empty.head.contains("access-control-allow-origin"));
        assert!(!empty.head.contains("retry-after"));
        assert_eq!(server.hits()[counter], 1);

        let plain = ask(json!({ field: 1, "body": "jsonRpc", "retryAfter": "3" }));
        assert_eq!(plain.status, status);
        let error = json!({ "code": -i32::from(status), "message": reason });
        assert_eq!(
            plain.json(),
            json!({ "jsonrpc": "2.0", "id": 7, "error": error })
        );
        assert!(plain.head.contains("retry-after: 3"));

        let page = ask(json!({ field: 1, "body": "html", "noCors": true }));
        assert_eq!(page.status, status);
        assert!(page.head.contains("content-type: text/html"));
        assert!(page.body.contains(reason));
        assert!(!page.head.contains("access-control-allow-origin"));
    }
}

#[test]
fn a_busy_shard_refuses_what_waits_and_loses_what_does_not() {
    let server = Server::start();
    let signed = one_near(&server);
    let send = |level: &str| {
        let params = json!({ "signed_tx_base64": base64_of(&signed), "wait_until": level });
        server.rpc("send_tx", params).unwrap().json()
    };
    let congested = json!({ "ShardCongested": { "shard_id": 0, "congestion_level": 1.0 } });
    let stuck = json!({ "ShardStuck": { "shard_id": 0, "missed_chunks": 10 } });
    for (field, counter, busy) in [
        ("shardCongestedRate", "shardCongested", congested),
        ("shardStuckRate", "shardStuck", stuck),
    ] {
        server.set(json!({ field: 1 }));
        let error = send("INCLUDED")["error"].clone();
        assert_eq!(error["cause"]["name"], "INVALID_TRANSACTION");
        assert_eq!(error["data"]["TxExecutionError"]["InvalidTxError"], busy);
        assert_eq!(send("NONE")["result"]["final_execution_status"], "NONE");
        let hash = server.broadcast(&signed).unwrap().json()["result"].clone();
        assert_eq!(hash, json!(signed.get_hash()));
        // Other methods do not notice.
        assert_eq!(server.rpc("status", json!([])).unwrap().status, 200);
        assert_eq!(server.hits()[counter], 3);
        assert!(matches!(
            server.chain.transaction_status(&signed.get_hash()).unwrap(),
            TransactionStatus::Unknown
        ));
    }
}

#[test]
fn a_node_without_the_shard_answers_success_without_an_outcome() {
    let config = ChainConfig {
        network: latchkey_devnet::NetworkSettings {
            patience_ms: 0,
            ..Default::default()
        },
        ..config()
    };
    let server = Server::with(config, FaultSettings::default());
    let signed = one_near(&server);
    server.chain.run(signed.clone()).unwrap();
    server.set(json!({ "untrackedRate": 1 }));
    let look_up = |level: &str| {
        let params = json!({
            "tx_hash": signed.get_hash(), "sender_account_id": ALICE, "wait_until": level,
        });
        server.rpc("tx", params).unwrap().json()
    };
    assert_eq!(
        look_up("NONE")["result"],
        json!({ "final_execution_status": "NONE" })
    );
    let cause = look_up("FINAL")["error"]["cause"].clone();
    assert_eq!(cause["name"], "TIMEOUT_ERROR");
    assert_eq!(cause["info"]["cause"], "DOES_NOT_TRACK_SHARD");
}

#[test]
fn a_refused_request_never_reaches_the_chain() {
    let server = Server::start();
    server.set(json!({ "refuseRate": 1 }));
    let signed = one_near(&server);
    assert_eq!(server.broadcast(&signed), None);
    assert!(matches!(
        server.chain.transaction_status(&signed.get_hash()).unwrap(),
        TransactionStatus::Unknown
    ));
    assert_eq!(server.hits()["refused"], 1);
}

#[test]
fn a_transaction_whose_answer_is_lost_still_runs() {
    let server = Server::with(
        ChainConfig {
            block_time: Some(Duration::from_millis(20)),
            ..config()
        },
        FaultSettings::default(),
    );
    server.set(json!({ "loseAnswerRate": 1, "methods": ["send_tx"] }));
    let signed = one_near(&server);
    let params = json!({ "signed_tx_base64": base64_of(&signed), "wait_until": "FINAL" });
    assert_eq!(server.rpc("send_tx", params), None);
    assert_eq!(server.hits()["lostAnswers"], 1);
    assert_eq!(balance(&server.chain, BOB), near(101));

    // The client finds out by asking for the transaction that it sent.
    let question = json!({
        "tx_hash": signed.get_hash(), "sender_account_id": ALICE, "wait_until": "FINAL",
    });
    let answer = server.rpc("tx", question).unwrap().json();
    assert_eq!(answer["result"]["status"], json!({ "SuccessValue": "" }));
}

#[test]
fn a_lost_answer_ends_a_kept_alive_connection() {
    use std::io::{Read, Write};
    let server = Server::start();
    server.set(json!({ "loseAnswerRate": 1, "methods": ["status"] }));
    let mut stream = std::net::TcpStream::connect(server.address).unwrap();
    let mut send = |method: &str| {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method }).to_string();
        let length = body.len();
        write!(
            stream,
            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = [0; 1024];
        stream.read(&mut answer).unwrap_or_default()
    };
    assert!(send("health") > 0);
    assert_eq!(send("status"), 0);
}

#[test]
fn requests_pipelined_after_a_lost_one_are_never_read() {
    let server = Server::start();
    for settings in [json!({ "refuseRate": 1 }), json!({ "loseAnswerRate": 1 })] {
        let mut settings = settings;
        settings["methods"] = json!(["status"]);
        server.set(settings);
        let signed = one_near(&server);
        let request = |method: &str, params: Value| {
            let body =
                json!({ "jsonrpc": "2.0", "id": method, "method": method, "params": params })
                    .to_string();
            let length = body.len();
            format!("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n{body}")
        };
        let pipeline = [
            request("gas_price", json!([])),
            request("status", json!([])),
            request("broadcast_tx_async", json!([base64_of(&signed)])),
        ];
        // The first answer arrives whole, and nothing after it.
        let answer = server.raw(&pipeline.concat()).unwrap();
        assert_eq!(answer.status, 200);
        assert_eq!(answer.json()["id"], "gas_price");
        assert!(matches!(
            server.chain.transaction_status(&signed.get_hash()).unwrap(),
            TransactionStatus::Unknown
        ));
    }
}

#[test]
fn latency_comes_before_everything_else() {
    let server = Server::start();
    server.set(json!({ "latencyMs": 150, "refuseRate": 1 }));
    let start = Instant::now();
    assert_eq!(server.rpc("status", json!([])), None);
    assert!(start.elapsed() >= Duration::from_millis(150));
    assert_eq!(server.hits()["delayed"], 1);
}

#[test]
fn faults_affect_only_the_named_methods() {
    let server = Server::start();
    server.set(json!({ "tooManyRequestsRate": 1, "methods": ["send_tx", "query"] }));
    let status = |method: &str| server.rpc(method, json!([])).unwrap().status;
    assert_eq!(status("status"), 200);
    assert_eq!(status("query"), 429);
    assert_eq!(status("send_tx"), 429);
    assert_eq!(status("no_such_method"), 400);
    let batch = |methods: [&str; 2]| {
        let requests = methods.map(|method| json!({ "jsonrpc": "2.0", "id": 1, "method": method }));
        server.post(&json!(requests).to_string()).unwrap().status
    };
    assert_eq!(batch(["status", "health"]), 200);
    assert_eq!(batch(["status", "query"]), 429);
    assert_eq!(server.post("not json").unwrap().status, 400);
    let hits = server.hits();
    assert_eq!(
        (&hits["requests"], &hits["tooManyRequests"]),
        (&json!(3), &json!(3))
    );
}

#[test]
fn the_same_seed_repeats_the_same_faults() {
    let server = Server::start();
    let sequence = |seed: u64, between: bool| -> Vec<Option<u16>> {
        server.set(json!({
            "errorRate": 0.25, "tooManyRequestsRate": 0.25, "refuseRate": 0.25, "seed": seed,
            "methods": ["health"],
        }));
        let met: Vec<_> = (0..60)
            .map(|_| {
                if between {
                    assert_eq!(server.rpc("status", json!([])).unwrap().status, 200);
                }
                server.rpc("health", json!([])).map(|answer| answer.status)
            })
            .collect();
        let count = |wanted| met.iter().filter(|status| **status == wanted).count();
        let hits = server.hits();
        for (counter, counted) in [
            ("requests", 60),
            ("errors", count(Some(500))),
            ("tooManyRequests", count(Some(429))),
            ("refused", count(None)),
            ("lostAnswers", 0),
        ] {
            assert_eq!(hits[counter], counted, "{counter}");
        }
        for outcome in [Some(200), Some(429), Some(500), None] {
            assert!(count(outcome) > 0, "{outcome:?} never came");
        }
        met
    };
    let first = sequence(7, false);
    assert_eq!(first, sequence(7, false));
    // Unaffected requests do not shift the sequence.
    assert_eq!(first, sequence(7, true));
    assert_ne!(first, sequence(8, false));
}

#[test]
fn a_run_without_a_seed_reports_a_seed_that_repeats_it() {
    let server = Server::start();
    server.set(json!({ "errorRate": 0.5 }));
    let sequence = || -> Vec<u16> {
        let call = || server.rpc("health", json!([])).unwrap().status;
        (0..40).map(|_| call()).collect()
    };
    let first = sequence();
    let seed = server.admin("GET", &Value::Null).json()["seed"].clone();
    server.set(json!({ "errorRate": 0.5, "seed": seed }));
    assert_eq!(first, sequence());
}

#[test]
fn faults_leave_the_admin_route_and_the_explorer_alone() {
    let server = Server::start();
    server.set(json!({ "refuseRate": 1, "latencyMs": 60_000 }));
    assert_eq!(server.get("/").status, 200);
    assert_eq!(server.get("/status").status, 200);
    assert_eq!(server.get("/address/testnet").status, 200);
    assert_eq!(server.admin("DELETE", &Value::Null).status, 200);
    assert_eq!(server.rpc("status", json!([])).unwrap().status, 200);
    let report = server.admin("GET", &Value::Null).json();
    assert_eq!(report["refuseRate"], 0.0);
    assert_eq!(report["hits"]["requests"], 1);
}

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
