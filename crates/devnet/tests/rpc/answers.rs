//! Causes, statuses and shapes of answers.

use super::*;

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
