//! JSON-RPC on the wire: envelopes, statuses, shapes, and the answers to malformed requests.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use common::server::Server;
use common::*;
use latchkey_devnet::{ChainConfig, GENESIS_HEIGHT};
use near_primitives::hash::hash;
use serde_json::{Value, json};

const NOT_A_REQUEST: &str = "JSON RPC Request format was expected";

fn parse_error(reason: &str) -> Value {
    json!({
        "name": "REQUEST_VALIDATION_ERROR",
        "cause": { "name": "PARSE_ERROR", "info": { "error_message": reason } },
        "code": -32700, "message": "Parse error", "data": reason,
    })
}

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

#[cfg(target_os = "linux")]
/// The peak and the current memory of this process.
fn memory_kib() -> (u64, u64) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let figure = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    (figure("VmHWM:"), figure("VmRSS:"))
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

#[test]
fn each_kind_of_unknown_has_its_own_cause_and_status() {
    let server = Server::start();
    let (head, nothing) = (server.chain.head(), hash(b"no such block"));
    let at = json!({ "block_height": head.height, "block_hash": head.hash });
    let query = |fields: Value| {
        let mut params = json!({ "finality": "final" });
        let map = params.as_object_mut().unwrap();
        map.extend(fields.as_object().unwrap().clone());
        params
    };
    let with_block = |mut info: Value| {
        let map = info.as_object_mut().unwrap();
        map.extend(at.as_object().unwrap().clone());
        info
    };
    for (method, params, status, cause, info, data) in [
        (
            "query",
            query(json!({ "request_type": "view_account", "account_id": "no.testnet" })),
            200,
            "UNKNOWN_ACCOUNT",
            with_block(json!({ "requested_account_id": "no.testnet" })),
            "account no.testnet does not exist while viewing".to_owned(),
        ),
        (
            "query",
            query(json!({ "request_type": "view_code", "account_id": ALICE })),
            200,
            "NO_CONTRACT_CODE",
            with_block(json!({ "contract_account_id": ALICE })),
            format!("Contract code for contract ID #{ALICE} has never been observed on the node"),
        ),
        (
            "query",
            json!({ "request_type": "view_account", "account_id": ALICE, "block_id": 5 }),
            422,
            "UNKNOWN_BLOCK",
            json!({ "block_reference": { "block_id": 5 } }),
            "DB Not Found Error: BLOCK HEIGHT: 5 \n Cause: Unknown".to_owned(),
        ),
        (
            "query",
            json!({ "request_type": "view_account", "account_id": ALICE, "block_id": nothing }),
            422,
            "UNKNOWN_BLOCK",
            json!({ "block_reference": { "block_id": nothing } }),
            format!("DB Not Found Error: BLOCK HEADER: {nothing}"),
        ),
        (
            "block",
            json!({ "block_id": 5 }),
            422,
            "UNKNOWN_BLOCK",
            json!({}),
            "DB Not Found Error: BLOCK HEIGHT: 5 \n Cause: Unknown".to_owned(),
        ),
        (
            "gas_price",
            json!([nothing]),
            422,
            "UNKNOWN_BLOCK",
            json!({}),
            format!("DB Not Found Error: BLOCK: {nothing} \n Cause: Unknown"),
        ),
        (
            "EXPERIMENTAL_protocol_config",
            json!({ "block_id": 5 }),
            422,
            "UNKNOWN_BLOCK",
            json!({}),
            "Block Not Found: BLOCK HEIGHT: 5".to_owned(),
        ),
        (
            "validators",
            json!([5]),
            200,
            "UNKNOWN_EPOCH",
            Value::Null,
            "Unknown Epoch".to_owned(),
        ),
        (
            "validators",
            json!({ "epoch_id": nothing }),
            200,
            "UNKNOWN_EPOCH",
            Value::Null,
            "Unknown Epoch".to_owned(),
        ),
        (
            "tx",
            json!([nothing, ALICE]),
            200,
            "UNKNOWN_TRANSACTION",
            json!({ "requested_transaction_hash": nothing }),
            format!("Transaction {nothing} doesn't exist"),
        ),
    ] {
        let answer = server.rpc(method, params.clone()).unwrap();
        assert_eq!(answer.status, status, "{method} {params}: {}", answer.body);
        let mut expected = json!({
            "name": "HANDLER_ERROR", "cause": { "name": cause, "info": info },
            "code": -32000, "message": "Server error", "data": data,
        });
        if info.is_null() {
            expected["cause"].as_object_mut().unwrap().remove("info");
        }
        assert_eq!(answer.json()["error"], expected, "{method} {params}");
    }
}

#[test]
fn a_refused_transaction_names_the_chains_own_error() {
    let server = Server::start();
    let chain = &server.chain;
    value(&run(chain, ALICE, BOB, vec![transfer(near(1))]));
    let stale = sign_as(chain, ALICE, &key(ALICE), BOB, 1, vec![transfer(near(1))]);
    let mut forged = sign(chain, ALICE, BOB, vec![transfer(near(1))]);
    forged.signature = key(BOB).sign(forged.get_hash().as_ref());
    let dear = sign(chain, ALICE, BOB, vec![transfer(near(1_000))]);
    let unknown_key = sign_as(chain, ALICE, &key(BOB), BOB, 9, vec![transfer(near(1))]);
    for (signed, reason) in [
        (
            stale,
            json!({ "InvalidNonce": { "tx_nonce": 1, "ak_nonce": 1 } }),
        ),
        (forged, json!("InvalidSignature")),
        (
            unknown_key,
            json!({ "InvalidAccessKeyError": { "AccessKeyNotFound": {
                "account_id": ALICE, "public_key": key(BOB).public_key(),
            } } }),
        ),
        (dear, Value::Null),
    ] {
        for method in ["send_tx", "broadcast_tx_async", "broadcast_tx_commit"] {
            let answer = server.rpc(method, json!([base64_of(&signed)])).unwrap();
            assert_eq!(answer.status, 200);
            let error = answer.json()["error"].clone();
            assert_eq!(
                error["cause"],
                json!({ "name": "INVALID_TRANSACTION", "info": {} })
            );
            let said = &error["data"]["TxExecutionError"]["InvalidTxError"];
            if reason.is_null() {
                let lack = &said["NotEnoughBalance"];
                assert_eq!(lack["signer_id"], ALICE);
                assert!(
                    lack["balance"].is_string() && lack["cost"].is_string(),
                    "{lack}"
                );
            } else {
                assert_eq!(*said, reason, "{method}");
            }
        }
    }
}

#[test]
fn waiting_without_a_new_block_times_out_with_408() {
    // The chain makes no blocks, and the server waits ten seconds.
    let server = Server::start();
    let signed = sign(&server.chain, ALICE, BOB, vec![transfer(near(1))]);
    let answer = server.rpc("send_tx", json!([base64_of(&signed)])).unwrap();
    assert_eq!(answer.status, 408);
    let error = answer.json()["error"].clone();
    assert_eq!(error["cause"]["name"], "TIMEOUT_ERROR");
    assert_eq!(error["cause"]["info"], json!({ "cause": "NOT_OBSERVED" }));
    assert_eq!(error["data"], "Timeout");
    // The transaction is still pending and runs in the next block.
    server.chain.settle().unwrap();
    assert_eq!(balance(&server.chain, BOB), near(101));
}

#[test]
fn node_methods_have_the_shapes_of_a_node() {
    let server = Server::start();
    let head = server.chain.head();
    let result = |method: &str, params: Value| {
        let body = server.rpc(method, params).unwrap().json();
        assert!(body.get("error").is_none(), "{method}: {body}");
        body["result"].clone()
    };
    assert_eq!(result("health", json!([])), Value::Null);
    for params in [
        json!([null]),
        json!([]),
        json!(null),
        json!([head.height]),
        json!([head.hash]),
        json!({ "block_id": head.height }),
    ] {
        assert_eq!(
            result("gas_price", params),
            json!({ "gas_price": "100000000" })
        );
    }
    let epoch = result("status", json!([]))["sync_info"]["epoch_id"].clone();
    for params in [
        json!([null]),
        json!("latest"),
        json!([head.height]),
        json!({ "block_id": head.hash }),
        json!({ "epoch_id": epoch }),
    ] {
        let validators = result("validators", params);
        for list in [
            "current_validators",
            "next_validators",
            "current_fishermen",
            "next_fishermen",
            "current_proposals",
            "prev_epoch_kickout",
        ] {
            assert_eq!(validators[list], json!([]), "{list}");
        }
        assert_eq!(validators["epoch_start_height"], GENESIS_HEIGHT);
    }
    let status = result("status", json!([]));
    assert_eq!(status["sync_info"]["latest_block_hash"], json!(head.hash));
    assert_eq!(status["protocol_version"], 88);
    for field in [
        "version",
        "chain_id",
        "latest_protocol_version",
        "genesis_hash",
        "node_public_key",
        "uptime_sec",
        "validators",
    ] {
        assert!(!status[field].is_null(), "{field}");
    }

    let config = result(
        "EXPERIMENTAL_protocol_config",
        json!({ "finality": "final" }),
    );
    // Parse with the crate that Rust clients use.
    let view: near_chain_configs::ProtocolConfigView =
        serde_json::from_value(config.clone()).unwrap();
    assert_eq!(
        (view.protocol_version, view.genesis_height),
        (88, GENESIS_HEIGHT)
    );
    assert_eq!(view.transaction_validity_period, 86_400);
    assert_eq!(
        config["runtime_config"]["storage_amount_per_byte"],
        "10000000000000000000"
    );
    assert_eq!(
        config["runtime_config"]["wasm_config"]["limit_config"]["max_total_prepaid_gas"],
        1_000_000_000_000_000_u64
    );
}

#[test]
fn the_protocol_configuration_follows_the_chosen_version() {
    for version in [84, 85, 87] {
        let config = ChainConfig {
            protocol_version: version,
            ..config()
        };
        let server = Server::with(config, Default::default());
        let body = server
            .rpc(
                "EXPERIMENTAL_protocol_config",
                json!({ "finality": "final" }),
            )
            .unwrap()
            .json();
        let result = &body["result"];
        assert_eq!(result["protocol_version"], version);
        // From 87, contracts get no share of the gas.
        let reward = &result["runtime_config"]["transaction_costs"]["burnt_gas_reward"];
        assert_eq!(
            *reward,
            if version < 87 {
                json!([3, 10])
            } else {
                json!([0, 1])
            }
        );
    }
}

#[test]
fn views_name_the_block_that_they_read() {
    let server = Server::start();
    deploy_test_contract(&server.chain, ALICE);
    value(&run(&server.chain, BOB, ALICE, vec![call("set", b"seven")]));
    let head = server.chain.head();
    let query = |params: Value| server.rpc("query", params).unwrap().json()["result"].clone();
    let call = query(
        json!({ "request_type": "call_function", "account_id": ALICE,
        "method_name": "get", "args_base64": "", "finality": "optimistic" }),
    );
    assert_eq!(
        call,
        json!({ "result": b"seven".to_vec(), "logs": [], "block_height": head.height,
            "block_hash": head.hash })
    );
    let state = query(json!({ "request_type": "view_state", "account_id": ALICE,
        "prefix_base64": "", "finality": "final" }));
    assert_eq!(
        state["values"],
        json!([{ "key": "aw==", "value": "c2V2ZW4=" }])
    );
    let by_path = query(json!(["call/alice.testnet/get", ""]));
    assert_eq!(by_path["result"], call["result"]);
    let keys = query(
        json!({ "request_type": "view_access_key_list", "account_id": ALICE,
        "finality": "final" }),
    );
    assert_eq!(keys["keys"][0]["access_key"]["permission"], "FullAccess");
    let code =
        query(json!({ "request_type": "view_code", "account_id": ALICE, "finality": "final" }));
    assert_eq!(code["hash"], json!(hash(&test_contract())));

    let missing = query(
        json!({ "request_type": "call_function", "account_id": ALICE,
        "method_name": "nothing", "args_base64": "", "finality": "final" }),
    );
    assert_eq!(
        missing,
        json!({ "error": "wasm execution failed with error: MethodResolveError(MethodNotFound)",
            "logs": [], "block_height": head.height, "block_hash": head.hash })
    );
    let stranger = key("stranger.testnet").public_key();
    let unknown = query(
        json!({ "request_type": "view_access_key", "account_id": ALICE,
        "public_key": stranger, "finality": "final" }),
    );
    assert_eq!(
        unknown,
        json!({ "error": format!("access key {stranger} does not exist while viewing"),
            "logs": [], "block_height": head.height, "block_hash": head.hash })
    );
}

#[test]
fn lists_come_in_pages_and_state_beyond_the_limit_is_refused() {
    let server = Server::start();
    let chain = &server.chain;
    deploy_test_contract(chain, ALICE);
    let keys: Vec<_> = (0..5)
        .map(|n| add_full_key(&key(&format!("key{n}"))))
        .collect();
    value(&run(chain, ALICE, ALICE, keys));
    let query = |fields: Value| {
        let mut params = json!({ "account_id": ALICE, "finality": "final" });
        let map = params.as_object_mut().unwrap();
        map.extend(fields.as_object().unwrap().clone());
        server.rpc("query", params).unwrap().json()
    };
    let all = query(json!({ "request_type": "view_access_key_list" }))["result"]["keys"].clone();
    assert_eq!(all.as_array().unwrap().len(), 6);
    let mut paged = Vec::new();
    let mut after = Value::Null;
    loop {
        let mut fields = json!({ "request_type": "view_access_key_list", "limit": 4 });
        if !after.is_null() {
            fields["after_key"] = after;
        }
        let answer = query(fields);
        paged.extend(answer["result"]["keys"].as_array().unwrap().clone());
        after = answer["result"]["last_key"].clone();
        if after.is_null() {
            break;
        }
    }
    assert_eq!(json!(paged), all);

    let state = json!({ "request_type": "view_state", "prefix_base64": "" });
    value(&run(
        chain,
        BOB,
        ALICE,
        vec![call_with("set", &[7; 60_000], 300, near(0))],
    ));
    let error = query(state)["error"].clone();
    assert_eq!(error["cause"]["name"], "TOO_LARGE_CONTRACT_STATE");
    assert_eq!(
        error["data"],
        "State of contract alice.testnet is too large to be viewed"
    );
}

#[test]
fn a_page_of_keys_starts_after_its_cursor_even_if_that_key_is_deleted() {
    let server = Server::start();
    let chain = &server.chain;
    let keys = [key(ALICE), key("a"), key("b"), key("c")];
    let added = keys[1..].iter().map(add_full_key).collect();
    value(&run(chain, ALICE, ALICE, added));
    let list = |more: Value| {
        let mut params = json!({ "request_type": "view_access_key_list", "finality": "final",
            "account_id": ALICE });
        let map = params.as_object_mut().unwrap();
        map.extend(more.as_object().unwrap().clone());
        let keys = server.rpc("query", params).unwrap().json()["result"]["keys"].clone();
        let name = |key: &Value| key["public_key"].as_str().unwrap().to_owned();
        keys.as_array()
            .unwrap()
            .iter()
            .map(name)
            .collect::<Vec<_>>()
    };
    let all = list(json!({}));
    let cursor = &all[1];
    let gone = keys
        .iter()
        .find(|key| key.public_key().to_string() == *cursor)
        .unwrap();
    value(&run(chain, ALICE, ALICE, vec![delete_key(gone)]));
    assert_eq!(list(json!({ "after_key": cursor })), all[2..]);
}

#[test]
fn a_page_of_state_is_an_error_if_its_first_entry_is_too_large() {
    let server = Server::start();
    let chain = &server.chain;
    deploy_test_contract(chain, ALICE);
    let large = call_with("set", &[7; 60_000], 300, near(0));
    value(&run(chain, BOB, ALICE, vec![large]));
    let params = json!({ "request_type": "view_state", "finality": "final", "account_id": ALICE,
        "prefix_base64": "", "limit": 10 });
    let answer = server.rpc("query", params).unwrap().json();
    assert_eq!(
        answer["error"]["cause"]["name"], "TOO_LARGE_CONTRACT_STATE",
        "{answer}"
    );
}

#[test]
fn blocks_are_found_by_every_reference() {
    let server = Server::start();
    let head = server.chain.produce_blocks(3).unwrap();
    let block = |params: Value| {
        let answer = server.rpc("block", params).unwrap().json();
        answer["result"]["header"]["height"].clone()
    };
    for params in [
        json!({ "finality": "final" }),
        json!({ "finality": "near-final" }),
        json!({ "finality": "optimistic" }),
        json!([head.height]),
        json!([head.hash]),
        json!({ "block_id": head.height }),
        json!({ "block_id": head.hash }),
    ] {
        assert_eq!(block(params.clone()), head.height, "{params}");
    }
    for checkpoint in ["genesis", "earliest_available"] {
        assert_eq!(
            block(json!({ "sync_checkpoint": checkpoint })),
            GENESIS_HEIGHT
        );
    }
}
