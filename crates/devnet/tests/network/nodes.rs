//! Several nodes behind one port: lag, losses, memory, and the settings of the network.

use super::*;

#[test]
fn a_node_that_lags_views_checks_and_looks_up_at_its_own_head() {
    let server = serve(NetworkSettings {
        lags: vec![4],
        ..node()
    });
    let chain = &server.chain;
    chain.produce_blocks(10).unwrap();
    let head = chain.head().height;
    assert_eq!(server.height("optimistic"), head - 4);
    assert_eq!(server.height("final"), head - 6);
    let status = server.rpc("status", json!([])).unwrap().json();
    let sync = &status["result"]["sync_info"];
    assert_eq!(sync["latest_block_height"], head - 4);
    let ahead = server.rpc("block", json!({ "block_id": head })).unwrap();
    assert_eq!(cause(&ahead).1["name"], "UNKNOWN_BLOCK");

    // The node does not know the block that the transaction names.
    let fresh = payment(chain);
    assert_eq!(refusal(&server.send(&fresh, "INCLUDED")), "Expired");
    chain.submit(fresh.clone()).unwrap();
    chain.produce_blocks(4).unwrap();
    assert_eq!(cause(&server.look_up(&fresh, "NONE")), unknown(&fresh));
    chain.produce_block().unwrap();
    assert_eq!(server.level(&fresh), "INCLUDED");
}

#[test]
fn a_program_on_this_machine_can_ask_a_node_that_does_not_lag_and_has_no_faults() {
    let faults = FaultSettings {
        error_rate: 1.0,
        ..FaultSettings::default()
    };
    let network = NetworkSettings {
        lags: vec![4],
        ..node()
    };
    let server = Server::with(
        ChainConfig {
            network,
            ..config()
        },
        faults,
    );
    let head = server.chain.produce_blocks(10).unwrap().height;
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"block","params":{"finality":"final"}}"#;
    let ask = |headers: &str| server.request("POST", "/admin/rpc", headers, body).unwrap();
    let header = &ask("").json()["result"]["header"];
    assert_eq!(header["height"], head - 2);
    assert_eq!(ask("Origin: http://a.example\r\n").status, 403);
}

#[test]
fn requests_meet_the_nodes_behind_the_port_by_chance() {
    let heights = |seed: u64| {
        let server = serve(NetworkSettings {
            lags: vec![0, 3, 8],
            seed: Some(seed),
            ..node()
        });
        let head = server.chain.produce_blocks(20).unwrap().height;
        (0..30)
            .map(|_| head - server.height("optimistic"))
            .collect::<Vec<_>>()
    };
    let lags = heights(1);
    for lag in [0, 3, 8] {
        assert!(lags.contains(&lag), "{lags:?}");
    }
    assert!(lags.iter().all(|lag| [0, 3, 8].contains(lag)), "{lags:?}");
    assert_eq!(lags, heights(1));
}

#[test]
fn a_transaction_is_lost_silently_and_runs_when_it_is_sent_again() {
    let server = serve(NetworkSettings {
        drop_rate: 1.0,
        ..node()
    });
    let chain = &server.chain;
    let signed = payment(chain);
    assert_eq!(cause(&server.send(&signed, "INCLUDED")), not_observed());
    chain.produce_blocks(3).unwrap();
    assert_eq!(cause(&server.look_up(&signed, "NONE")), unknown(&signed));
    let answer = server.admin("PUT", r#"{"patienceMs":0,"dropRate":0}"#);
    assert_eq!(answer.status, 200);
    server.send(&signed, "NONE");
    chain.produce_block().unwrap();
    assert_eq!(server.level(&signed), "INCLUDED");
}

#[test]
fn receipts_on_the_way_survive_a_restart() {
    let folder = std::env::temp_dir().join(format!("latchkey-network-{}", std::process::id()));
    let open = || {
        Chain::open(ChainConfig {
            data: Some(folder.clone()),
            network: NetworkSettings {
                receipt_blocks: 5,
                ..node()
            },
            ..config()
        })
        .unwrap()
    };
    let chain = open();
    let signed = payment(&chain);
    chain.submit(signed.clone()).unwrap();
    chain.produce_blocks(3).unwrap();
    drop(chain);
    let chain = open();
    assert_eq!(balance(&chain, BOB), near(100));
    chain.produce_blocks(4).unwrap();
    assert_eq!(balance(&chain, BOB), near(101));
    drop(chain);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_gas_price_moves_within_its_bounds_and_balances_follow() {
    let server = serve(NetworkSettings {
        gas_price_factor: 20,
        ..node()
    });
    let chain = &server.chain;
    let price = || -> u128 {
        let answer = server.rpc("gas_price", json!([null])).unwrap().json();
        let price = answer["result"]["gas_price"].as_str().unwrap();
        price.parse().unwrap()
    };
    let supply = chain.total_supply();
    let (mut prices, mut burnt_tokens) = (vec![], near(0));
    for _ in 0..30 {
        let outcome = chain.run(payment(chain)).unwrap();
        burnt_tokens = burnt_tokens.checked_add(burnt(&outcome)).unwrap();
        prices.push(price());
    }
    let bounds = 100_000_000..=2_000_000_000;
    assert!(
        prices.iter().all(|price| bounds.contains(price)),
        "{prices:?}"
    );
    prices.dedup();
    assert!(prices.len() > 10, "{prices:?}");
    let lost = supply.checked_sub(chain.total_supply()).unwrap();
    assert_eq!(lost, burnt_tokens);
}

#[test]
fn what_is_older_than_the_history_is_forgotten() {
    let server = serve(NetworkSettings {
        history: Some(12),
        ..node()
    });
    let chain = &server.chain;
    let old = chain.head();
    let signed = payment(chain);
    server.send(&signed, "NONE");
    chain.produce_blocks(6).unwrap();
    assert_eq!(server.level(&signed), "FINAL");
    chain.produce_blocks(20).unwrap();
    assert_eq!(cause(&server.look_up(&signed, "NONE")), unknown(&signed));
    let block = server.rpc("block", json!({ "block_id": old.height }));
    assert_eq!(cause(&block.unwrap()).1["name"], "UNKNOWN_BLOCK");
    let params =
        json!({ "request_type": "view_account", "account_id": BOB, "block_id": old.height });
    let view = server.rpc("query", params).unwrap();
    assert_eq!(cause(&view).1["name"], "GARBAGE_COLLECTED_BLOCK");
    // The nonce has passed, and the node no longer knows the transaction.
    let again = refusal(&server.send(&signed, "FINAL"));
    assert!(!again["InvalidNonce"].is_null(), "{again}");
    assert_eq!(balance(chain, BOB), near(101));
}

#[test]
fn more_than_a_hundred_keys_need_pages() {
    let server = serve(node());
    let chain = &server.chain;
    let add = |names: std::ops::Range<u32>| {
        let keys = names
            .map(|n| add_full_key(&key(&format!("key{n}"))))
            .collect();
        value(&run(chain, ALICE, ALICE, keys));
    };
    add(0..99);
    let all = server.keys(json!({}));
    assert_eq!(all["result"]["keys"].as_array().unwrap().len(), 100);
    add(99..104);
    let error = server.keys(json!({}))["error"]["cause"].clone();
    assert_eq!(error["name"], "TOO_MANY_ACCESS_KEYS");
    assert_eq!(error["info"]["limit"], 100);
    let first = server.keys(json!({ "limit": 1_000 }))["result"].clone();
    assert_eq!(first["keys"].as_array().unwrap().len(), 100);
    let rest = server.keys(json!({ "after_key": first["last_key"] }))["result"].clone();
    assert_eq!(rest["keys"].as_array().unwrap().len(), 5);
    assert!(rest.get("last_key").is_none_or(Value::is_null), "{rest}");
}

#[test]
fn batches_of_requests_are_refused() {
    let server = serve(node());
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "status", "params": [] });
    let answer = server.post(&json!([request]).to_string()).unwrap();
    assert_eq!(cause(&answer).1["name"], "PARSE_ERROR");
}

#[test]
fn the_network_is_changed_while_the_chain_runs() {
    let server = serve(node());
    let shown = server.admin("GET", "").json();
    assert_eq!(
        shown,
        json!({
            "simple": false, "lags": [0], "dialects": ["newer"], "patienceMs": 0, "timeoutCauses": true, "skipRate": 0.0,
            "dropRate": 0.0, "receiptBlocks": 0, "gasPriceFactor": 1, "seed": 7,
        })
    );
    let answer = server.admin("PUT", r#"{"lags":[2],"history":50,"seed":3}"#);
    assert_eq!(answer.json()["lags"], json!([2]));
    assert_eq!(server.chain.network().history, Some(50));
    for (body, reason) in [
        (r#"{"lags":[]}"#, "lags must name 1 to 16 nodes"),
        (r#"{"lags":[101]}"#, "lags must be 0 to 100"),
        (
            r#"{"dialects":["older","newer"]}"#,
            "dialects must name at most as many nodes as lags",
        ),
        (r#"{"dialects":["oldest"]}"#, "unknown variant `oldest`"),
        (r#"{"dropRate":2}"#, "dropRate must be a number from 0 to 1"),
        (r#"{"history":9}"#, "history must be 10 to"),
        (r#"{"lag":[1]}"#, "unknown field `lag`"),
    ] {
        let answer = server.admin("PUT", body);
        assert_eq!(answer.status, 400, "{body}");
        assert!(answer.body.contains(reason), "{body}: {}", answer.body);
    }
    assert_eq!(server.chain.network().lags, [2]);
    let page = server.request("GET", "/admin/network", "Origin: http://a.example\r\n", "");
    assert_eq!(page.unwrap().status, 403);
}

#[test]
fn flags_set_the_initial_network() {
    let program = Program::start(&[
        "--backends",
        "3",
        "--lag",
        "3,8",
        "--rpc-dialect",
        "older",
        "--patience",
        "500ms",
        "--no-timeout-causes",
        "--skip-rate",
        "0.1",
        "--drop-rate",
        "0.2",
        "--receipt-blocks",
        "2",
        "--gas-price-factor",
        "20",
        "--history",
        "50",
        "--seed",
        "9",
    ]);
    let shown: Value = ureq::get(format!("{}/admin/network", program.url))
        .call()
        .unwrap()
        .body_mut()
        .read_json()
        .unwrap();
    assert_eq!(
        shown,
        json!({
            "simple": true, "lags": [3, 8, 0], "dialects": ["older", "newer", "newer"],
            "patienceMs": 500, "timeoutCauses": false,
            "skipRate": 0.1, "dropRate": 0.2, "receiptBlocks": 2, "gasPriceFactor": 20,
            "history": 50, "seed": 9,
        })
    );
    program.kill();
    let (said, code) = Program::refusal(&["--backends", "1", "--lag", "0,3"]);
    assert_eq!(code, Some(1));
    let reason = "latchkey-devnet: --backends is 1, and --lag names 2";
    assert_eq!(said.trim(), reason);
    let (said, _) = Program::refusal(&["--backends", "1", "--rpc-dialect", "older,newer"]);
    let reason = "latchkey-devnet: --backends is 1, and --rpc-dialect names 2";
    assert_eq!(said.trim(), reason);
}
