//! What an injected fault does to a call, and to the transaction in it.

use super::*;

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
