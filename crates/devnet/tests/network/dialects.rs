//! The forms in which nodes of two ages answer the same, and the methods with structured errors.

use super::*;

const ABSENT: &str = "no.testnet";

fn speaking(dialects: &[RpcDialect]) -> Server {
    serve(NetworkSettings {
        lags: vec![0; dialects.len()],
        dialects: dialects.to_vec(),
        ..node()
    })
}

impl Server {
    /// Asks for a view by `query` and by the method of that view, and returns both answers.
    fn both(&self, view: &str, fields: Value) -> [Value; 2] {
        let mut params = json!({ "finality": "optimistic" });
        let map = params.as_object_mut().unwrap();
        map.extend(fields.as_object().unwrap().clone());
        let structured = self.rpc(&format!("EXPERIMENTAL_{view}"), params.clone());
        let structured = structured.unwrap().json();
        params["request_type"] = json!(view);
        [self.rpc("query", params).unwrap().json(), structured]
    }

    fn at_head(&self, mut info: Value) -> Value {
        let head = self.chain.head();
        let map = info.as_object_mut().unwrap();
        map.insert("block_height".to_owned(), json!(head.height));
        map.insert("block_hash".to_owned(), json!(head.hash));
        info
    }

    /// An error inside a result of `query`.
    fn flat(&self, error: &str) -> Value {
        self.at_head(json!({ "error": error, "logs": [] }))
    }
}

fn public_key() -> String {
    key("absent").public_key().to_string()
}

#[test]
fn the_key_of_a_missing_account_is_a_missing_key_or_a_missing_account() {
    let fields = json!({ "account_id": ABSENT, "public_key": public_key() });
    let missing_key = json!({ "public_key": public_key() });
    let missing_account = json!({ "requested_account_id": ABSENT });

    let older = speaking(&[RpcDialect::Older]);
    let [query, structured] = older.both("view_access_key", fields.clone());
    let text = format!("access key {} does not exist while viewing", public_key());
    assert_eq!(query["result"], older.flat(&text));
    let cause = json!({ "name": "UNKNOWN_ACCESS_KEY", "info": older.at_head(missing_key.clone()) });
    assert_eq!(structured["error"]["cause"], cause);

    let newer = speaking(&[RpcDialect::Newer]);
    let [query, structured] = newer.both("view_access_key", fields.clone());
    let text = "account no.testnet does not exist while viewing";
    assert_eq!(query["result"], newer.flat(text));
    let cause =
        json!({ "name": "UNKNOWN_ACCOUNT", "info": newer.at_head(missing_account.clone()) });
    assert_eq!(structured["error"]["cause"], cause);
    let text = "Account no.testnet does not exist while viewing";
    assert_eq!(structured["error"]["data"], text);

    for answer in older.both("view_gas_key_nonces", fields.clone()) {
        let info = older.at_head(missing_key.clone());
        let cause = json!({ "name": "UNKNOWN_GAS_KEY", "info": info });
        assert_eq!(answer["error"]["cause"], cause);
    }
    for answer in newer.both("view_gas_key_nonces", fields) {
        let info = newer.at_head(missing_account.clone());
        let cause = json!({ "name": "UNKNOWN_ACCOUNT", "info": info });
        assert_eq!(answer["error"]["cause"], cause);
    }
}

#[test]
fn a_missing_key_of_an_account_is_named_by_both() {
    for dialect in [RpcDialect::Older, RpcDialect::Newer] {
        let server = speaking(&[dialect]);
        let fields = json!({ "account_id": ALICE, "public_key": public_key() });
        let [query, structured] = server.both("view_access_key", fields.clone());
        let text = format!("access key {} does not exist while viewing", public_key());
        assert_eq!(query["result"], server.flat(&text));
        let info = server.at_head(json!({ "public_key": public_key() }));
        let cause = json!({ "name": "UNKNOWN_ACCESS_KEY", "info": info });
        assert_eq!(structured["error"]["cause"], cause);
        for answer in server.both("view_gas_key_nonces", fields) {
            assert_eq!(answer["error"]["cause"]["name"], "UNKNOWN_GAS_KEY");
        }
    }
}

#[test]
fn the_keys_of_a_missing_account_are_an_empty_list_or_an_error() {
    let fields = json!({ "account_id": ABSENT });
    for answer in speaking(&[RpcDialect::Older]).both("view_access_key_list", fields.clone()) {
        assert_eq!(answer["result"]["keys"], json!([]));
    }
    for answer in speaking(&[RpcDialect::Newer]).both("view_access_key_list", fields) {
        assert_eq!(answer["error"]["cause"]["name"], "UNKNOWN_ACCOUNT");
    }
}

#[test]
fn an_older_node_lists_all_keys_and_knows_no_pages() {
    let list = |dialect, fields: Value| {
        let server = speaking(&[dialect]);
        for keys in [0..60, 60..104] {
            let actions = keys
                .map(|n| add_full_key(&key(&format!("key{n}"))))
                .collect();
            value(&run(&server.chain, ALICE, ALICE, actions));
        }
        server.both("view_access_key_list", fields)
    };
    for fields in [
        json!({ "account_id": ALICE }),
        json!({ "account_id": ALICE, "limit": 5 }),
    ] {
        for answer in list(RpcDialect::Older, fields) {
            assert_eq!(answer["result"]["keys"].as_array().unwrap().len(), 105);
            assert_eq!(answer["result"].get("last_key"), None);
        }
    }
    let [query, structured] = list(RpcDialect::Newer, json!({ "account_id": ALICE }));
    assert_eq!(query["error"]["cause"]["name"], "TOO_MANY_ACCESS_KEYS");
    // The enum of that method has no such error.
    assert_eq!(structured["error"]["name"], "INTERNAL_ERROR");
    let data = structured["error"]["data"].as_str().unwrap();
    assert!(
        data.contains("Unexpected query error: TooManyAccessKeys"),
        "{data}"
    );
}

#[test]
fn a_contracts_failure_is_a_sentence_in_query_and_an_object_in_its_method() {
    let server = speaking(&[RpcDialect::Newer]);
    deploy_test_contract(&server.chain, ALICE);
    for (account, method, text, object) in [
        (
            BOB,
            "get",
            r#"CompilationError(CodeDoesNotExist { account_id: "bob.testnet" })"#,
            json!({ "CompilationError": { "CodeDoesNotExist": { "account_id": BOB } } }),
        ),
        (
            ALICE,
            "absent",
            "MethodResolveError(MethodNotFound)",
            json!({ "MethodResolveError": "MethodNotFound" }),
        ),
        (
            ALICE,
            "set",
            r#"HostError(ProhibitedInView { method_name: "storage_write" })"#,
            json!({ "ExecutionError": "storage_write is not allowed in view calls" }),
        ),
    ] {
        let fields = json!({ "account_id": account, "method_name": method, "args_base64": "" });
        let [query, structured] = server.both("call_function", fields);
        let text = format!("wasm execution failed with error: {text}");
        assert_eq!(query["result"], server.flat(&text));
        let info = server.at_head(json!({ "vm_error": object }));
        let cause = json!({ "name": "CONTRACT_EXECUTION_ERROR", "info": info });
        assert_eq!(structured["error"]["cause"], cause);
    }
    let fields = json!({ "account_id": ABSENT, "method_name": "get", "args_base64": "" });
    for answer in server.both("call_function", fields) {
        assert_eq!(answer["error"]["cause"]["name"], "UNKNOWN_ACCOUNT");
    }
    let fields = json!({ "account_id": ALICE, "method_name": "echo", "args_base64": "eA==" });
    let [query, structured] = server.both("call_function", fields);
    assert_eq!(query["result"]["result"], json!([120]));
    assert_eq!(query["result"], structured["result"]);
}

#[test]
fn other_views_answer_alike_in_both_forms() {
    let server = speaking(&[RpcDialect::Newer]);
    deploy_test_contract(&server.chain, ALICE);
    value(&run(
        &server.chain,
        ALICE,
        ALICE,
        vec![call("set", b"kept")],
    ));
    let own = key(ALICE).public_key().to_string();
    for (view, fields) in [
        ("view_account", json!({ "account_id": ALICE })),
        ("view_code", json!({ "account_id": ALICE })),
        (
            "view_state",
            json!({ "account_id": ALICE, "prefix_base64": "" }),
        ),
        (
            "view_access_key",
            json!({ "account_id": ALICE, "public_key": own }),
        ),
        (
            "view_access_key_list",
            json!({ "account_id": ALICE, "limit": 1 }),
        ),
    ] {
        let [query, structured] = server.both(view, fields);
        assert!(query["result"]["block_height"].is_u64(), "{view}: {query}");
        assert_eq!(query["result"], structured["result"], "{view}");
    }
    for (view, fields, name) in [
        (
            "view_account",
            json!({ "account_id": ABSENT }),
            "UNKNOWN_ACCOUNT",
        ),
        (
            "view_code",
            json!({ "account_id": BOB }),
            "NO_CONTRACT_CODE",
        ),
        (
            "view_state",
            json!({ "account_id": ABSENT, "prefix_base64": "" }),
            "UNKNOWN_ACCOUNT",
        ),
    ] {
        for answer in server.both(view, fields.clone()) {
            assert_eq!(answer["error"]["cause"]["name"], name, "{view}");
        }
    }
    // The text of an unknown block is that for old clients in `query` alone.
    let mut params = json!({ "account_id": ALICE, "block_id": 5 });
    let structured = server.rpc("EXPERIMENTAL_view_account", params.clone());
    let structured = structured.unwrap().json()["error"].clone();
    params["request_type"] = json!("view_account");
    let query = server.rpc("query", params).unwrap().json()["error"].clone();
    assert_eq!(query["cause"], structured["cause"]);
    let text = "Block either has never been observed on the node";
    assert!(structured["data"].as_str().unwrap().starts_with(text));
    assert!(query["data"].as_str().unwrap().starts_with("DB Not Found"));

    let unnamed = server.rpc("EXPERIMENTAL_view_account", json!([ALICE]));
    assert_eq!(cause(&unnamed.unwrap()).1["name"], "PARSE_ERROR");
}

#[test]
fn an_older_node_names_no_cause_of_a_timeout_and_does_not_know_tx_status() {
    let older = speaking(&[RpcDialect::Older]);
    let signed = payment(&older.chain);
    let timeout = cause(&older.look_up(&signed, "FINAL"));
    assert_eq!(
        timeout,
        (408, json!({ "name": "TIMEOUT_ERROR", "info": null }))
    );
    let params = json!({ "tx_hash": signed.get_hash(), "sender_account_id": ALICE });
    let unknown = older.rpc("tx_status", params).unwrap();
    assert_eq!(cause(&unknown).1["name"], "METHOD_NOT_FOUND");

    let newer = speaking(&[RpcDialect::Newer]);
    let signed = payment(&newer.chain);
    assert_eq!(cause(&newer.look_up(&signed, "FINAL")), not_observed());
    newer.chain.submit(signed.clone()).unwrap();
    newer.chain.produce_blocks(6).unwrap();
    let params = json!({ "tx_hash": signed.get_hash(), "sender_account_id": ALICE });
    let named = newer.rpc("tx_status", params.clone()).unwrap().json();
    let alias = newer.rpc("EXPERIMENTAL_tx_status", params).unwrap().json();
    assert_eq!(named["result"]["receipts"].as_array().unwrap().len(), 2);
    assert_eq!(named["result"], alias["result"]);
}

#[test]
fn nodes_of_both_ages_answer_behind_one_port() {
    let server = speaking(&[RpcDialect::Older, RpcDialect::Newer]);
    let mut forms: Vec<bool> = (0..40)
        .map(|_| server.both("view_access_key_list", json!({ "account_id": ABSENT }))[0].clone())
        .map(|answer| answer.get("error").is_some())
        .collect();
    forms.sort_unstable();
    forms.dedup();
    assert_eq!(forms, [false, true]);
    // The node that tests ask for themselves is a newer one.
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "query", "params": {
        "request_type": "view_access_key_list", "finality": "final", "account_id": ABSENT,
    } });
    for _ in 0..10 {
        let answer = server.request("POST", "/admin/rpc", "", &body.to_string());
        let cause = answer.unwrap().json()["error"]["cause"]["name"].clone();
        assert_eq!(cause, "UNKNOWN_ACCOUNT");
    }
}
