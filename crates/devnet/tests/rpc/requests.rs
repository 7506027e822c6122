//! Bodies, ids, batches, methods and parameters, and the answers where they are malformed.

use super::*;

#[test]
fn a_body_that_is_not_a_request_is_a_parse_error_without_an_id() {
    let server = Server::start();
    for body in [
        r#""text""#,
        "5",
        "null",
        "{}",
        r#"{"method":"status"}"#,
        r#"{"jsonrpc":"2.0","id":1}"#,
        r#"{"jsonrpc":"2.0","method":"status"}"#,
        r#"{"jsonrpc":"1.0","id":1,"method":"status"}"#,
        r#"{"jsonrpc":2.0,"id":1,"method":"status"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":5}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"status","extra":true}"#,
    ] {
        let answer = server.post(body).unwrap();
        assert_eq!(answer.status, 400, "{body}");
        let expected = json!({ "jsonrpc": "2.0", "id": null, "error": parse_error(NOT_A_REQUEST) });
        assert_eq!(answer.json(), expected, "{body}");
    }
    for body in ["", "{", "status", "{\"jsonrpc\":\"2.0\",}", "\u{0}"] {
        let answer = server.post(body).unwrap();
        assert_eq!(answer.status, 400, "{body}");
        assert_eq!(answer.json()["error"]["code"], -32700, "{body}");
    }
}

#[test]
fn an_id_of_any_kind_comes_back() {
    let server = Server::start();
    for id in [json!(1), json!("dontcare"), json!(null), json!([1])] {
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": "health" });
        let answer = server.post(&request.to_string()).unwrap();
        assert_eq!(answer.status, 200);
        assert_eq!(
            answer.json(),
            json!({ "jsonrpc": "2.0", "id": id, "result": null })
        );
    }
}

#[test]
fn a_batch_has_an_answer_for_each_request_in_order() {
    let server = Server::start();
    let request = |id: u32, method: &str| json!({ "jsonrpc": "2.0", "id": id, "method": method });
    let batch =
        json!([request(1, "health"), request(2, "no_such"), { "id": 3 }, request(4, "gas_price")]);
    let answer = server.post(&batch.to_string()).unwrap();
    assert_eq!(answer.status, 200);
    let answers = answer.json();
    assert_eq!(
        answers[0],
        json!({ "jsonrpc": "2.0", "id": 1, "result": null })
    );
    assert_eq!(answers[1]["error"]["code"], -32601);
    assert_eq!(answers[2]["id"], Value::Null);
    assert_eq!(answers[2]["error"], parse_error(NOT_A_REQUEST));
    assert_eq!(answers[3]["result"]["gas_price"], "100000000");

    let many = Value::Array((0..101).map(|id| request(id, "health")).collect());
    for batch in [json!([]), many] {
        let answer = server.post(&batch.to_string()).unwrap();
        assert_eq!(answer.status, 400);
        assert_eq!(
            answer.json()["error"],
            parse_error("A batch holds 1 to 100 requests")
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nested_batches_are_rejected_in_little_memory() {
    let server = Server::start();
    let (open, close) = ("[".repeat(100), "]".repeat(100));
    let zeros = vec!["0"; 500_000].join(",");
    let (_, before) = memory_kib();
    let answer = server.post(&format!("{open}{zeros}{close}")).unwrap();
    let (peak, _) = memory_kib();
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json()[0]["error"], parse_error(NOT_A_REQUEST));
    assert!(peak - before < 500_000, "{before} to {peak} KiB");
}

#[test]
fn a_list_of_a_requests_values_is_not_a_request() {
    let server = Server::start();
    let answer = server.post(r#"["2.0","health",[],1]"#).unwrap();
    assert_eq!(answer.json().as_array().unwrap().len(), 4);
    let answer = server.post(r#"[["2.0","health",[],1]]"#).unwrap();
    assert_eq!(answer.json()[0]["error"], parse_error(NOT_A_REQUEST));
    for body in ["[", "[1,]", "[{\"jsonrpc\":\"2.0\"]"] {
        let answer = server.post(body).unwrap();
        assert_eq!(answer.status, 400, "{body}");
        assert_eq!(answer.json()["error"]["code"], -32700, "{body}");
    }
}

#[test]
fn unknown_methods_and_invalid_parameters_are_request_errors() {
    let server = Server::start();
    let unknown = server.rpc("no_such", json!([])).unwrap();
    assert_eq!(unknown.status, 400);
    assert_eq!(
        unknown.json()["error"],
        json!({
            "name": "REQUEST_VALIDATION_ERROR",
            "cause": { "name": "METHOD_NOT_FOUND", "info": { "method_name": "no_such" } },
            "code": -32601, "message": "Method not found", "data": "no_such",
        })
    );
    let account = |id: Value| json!({ "request_type": "view_account", "account_id": id });
    let named = |id: Value| json!({ "request_type": "view_account", "account_id": id, "finality": "final" });
    for (method, params) in [
        ("query", json!({})),
        ("query", json!("text")),
        ("query", json!([])),
        ("query", json!([5, ""])),
        ("query", json!(["no_such_path/alice.testnet", ""])),
        ("query", json!(["account/alice.testnet", "0OIl"])),
        // Decoding this much base58 would take hours.
        (
            "query",
            json!(["call/alice.testnet/echo", "z".repeat(5_000_000)]),
        ),
        ("query", json!({ "request_type": "no_such" })),
        ("query", account(json!(5))),
        ("query", named(json!("UPPER.testnet"))),
        ("query", named(json!("a"))),
        (
            "query",
            json!({ "request_type": "call_function", "account_id": ALICE, "method_name": "x",
            "args_base64": "no base64!", "finality": "final" }),
        ),
        ("query", account(json!(ALICE))),
        ("block", json!(null)),
        ("block", json!([])),
        ("block", json!([null])),
        ("block", json!({})),
        ("block", json!({ "finality": "soon" })),
        ("block", json!({ "block_id": -1 })),
        ("block", json!(["not base58 0OIl"])),
        ("gas_price", json!("text")),
        ("gas_price", json!([true])),
        ("EXPERIMENTAL_protocol_config", json!(null)),
        ("EXPERIMENTAL_protocol_config", json!([null])),
        ("EXPERIMENTAL_protocol_config", json!({})),
        (
            "EXPERIMENTAL_protocol_config",
            json!({ "finality": "soon" }),
        ),
        ("validators", json!(null)),
        ("validators", json!([])),
        ("validators", json!({})),
        ("validators", json!("text")),
        ("validators", json!({ "epoch_id": 5 })),
        ("tx", json!([])),
        ("tx", json!(["short", ALICE])),
        ("tx", json!({ "tx_hash": hash(b"") })),
        (
            "tx",
            json!({ "tx_hash": hash(b""), "sender_account_id": ALICE, "wait_until": "SOON" }),
        ),
        ("EXPERIMENTAL_tx_status", json!({})),
        ("send_tx", json!([])),
        ("send_tx", json!(["AAAA"])),
        ("send_tx", json!({ "signed_tx_base64": "no base64!" })),
        ("broadcast_tx_async", json!([5])),
        ("broadcast_tx_commit", json!(null)),
        ("sandbox_fast_forward", json!({ "delta_height": 0 })),
    ] {
        let answer = server.rpc(method, params.clone()).unwrap();
        let body = answer.json();
        assert_eq!(answer.status, 400, "{method} {params}: {body}");
        assert_eq!(
            body["error"]["cause"]["name"], "PARSE_ERROR",
            "{method} {params}"
        );
        assert_eq!(body["error"]["code"], -32700, "{method} {params}");
        assert_eq!(body["id"], 7);
    }
}

#[test]
fn other_paths_and_verbs_are_plain_http_errors() {
    let server = Server::start();
    let status = |method: &str, path: &str| server.request(method, path, "", "").unwrap().status;
    assert_eq!(status("PUT", "/"), 405);
    assert_eq!(status("DELETE", "/"), 405);
    assert_eq!(status("GET", "/no/such/page"), 404);
    let from_elsewhere =
        "GET /favicon.ico HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n";
    assert_eq!(server.raw(from_elsewhere).unwrap().status, 404);
    assert_eq!(status("POST", "/status"), 405);
    let health = server.get("/health");
    assert_eq!((health.status, health.body.as_str()), (200, "null"));
    assert_eq!(server.get("/status").json()["chain_id"], "testnet");
}

#[test]
fn a_body_beyond_ten_mebibytes_is_refused_and_one_below_is_read() {
    let server = Server::start();
    let padded = |bytes: usize| {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "health", "params": "" });
        let text = request.to_string();
        let filler = "x".repeat(bytes - text.len());
        text.replace(r#""params":"""#, &format!(r#""params":"{filler}""#))
    };
    assert_eq!(server.post(&padded(10 * 1024 * 1024)).unwrap().status, 200);
    // The server may close the connection before the client has sent everything.
    if let Some(answer) = server.post(&padded(10 * 1024 * 1024 + 1)) {
        assert_eq!(answer.status, 413);
    }
}
