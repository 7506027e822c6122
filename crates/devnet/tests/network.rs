//! The chain like a network of nodes: finality, levels, look-ups, lag, losses and memory.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use common::program::Program;
use common::server::{Reply, Server};
use common::*;
use latchkey_devnet::rpc::FaultSettings;
use latchkey_devnet::{Chain, ChainConfig, GENESIS_HEIGHT, NetworkSettings};
use near_primitives::transaction::SignedTransaction;
use serde_json::{Value, json};

/// A chain like a node, with blocks on request and look-ups that wait for none.
fn node() -> NetworkSettings {
    NetworkSettings {
        patience_ms: 0,
        seed: Some(7),
        ..NetworkSettings::default()
    }
}

fn serve(network: NetworkSettings) -> Server {
    let config = ChainConfig {
        network,
        ..config()
    };
    Server::with(config, FaultSettings::default())
}

/// The error's cause, with the HTTP status.
fn cause(reply: &Reply) -> (u16, Value) {
    (reply.status, reply.json()["error"]["cause"].clone())
}

/// The error of the chain that an INVALID_TRANSACTION names.
fn refusal(reply: &Reply) -> Value {
    let error = reply.json()["error"].clone();
    assert_eq!(error["cause"]["name"], "INVALID_TRANSACTION", "{error}");
    error["data"]["TxExecutionError"]["InvalidTxError"].clone()
}

impl Server {
    fn send(&self, signed: &SignedTransaction, level: &str) -> Reply {
        let params = json!({ "signed_tx_base64": base64_of(signed), "wait_until": level });
        self.rpc("send_tx", params).unwrap()
    }

    fn look_up(&self, signed: &SignedTransaction, level: &str) -> Reply {
        let params = json!({
            "tx_hash": signed.get_hash(), "sender_account_id": signed.transaction.signer_id(),
            "wait_until": level,
        });
        self.rpc("tx", params).unwrap()
    }

    /// Looks a transaction up by its bytes.
    fn look_up_bytes(&self, signed: &SignedTransaction, level: &str) -> Reply {
        let params = json!({ "signed_tx_base64": base64_of(signed), "wait_until": level });
        self.rpc("tx", params).unwrap()
    }

    /// The level at which a look-up at NONE finds a transaction.
    fn level(&self, signed: &SignedTransaction) -> Value {
        self.look_up(signed, "NONE").json()["result"]["final_execution_status"].clone()
    }

    fn block(&self, reference: Value) -> Value {
        self.rpc("block", reference).unwrap().json()["result"]["header"].clone()
    }

    fn height(&self, finality: &str) -> u64 {
        let header = self.block(json!({ "finality": finality }));
        header["height"].as_u64().unwrap()
    }

    fn keys(&self, fields: Value) -> Value {
        let mut params = json!({ "request_type": "view_access_key_list", "finality": "optimistic",
            "account_id": ALICE });
        let map = params.as_object_mut().unwrap();
        map.extend(fields.as_object().unwrap().clone());
        self.rpc("query", params).unwrap().json()
    }

    fn admin(&self, method: &str, body: &str) -> Reply {
        self.request(method, "/admin/network", "", body).unwrap()
    }
}

fn unknown(signed: &SignedTransaction) -> (u16, Value) {
    let info = json!({ "requested_transaction_hash": signed.get_hash() });
    (200, json!({ "name": "UNKNOWN_TRANSACTION", "info": info }))
}

fn not_observed() -> (u16, Value) {
    let info = json!({ "cause": "NOT_OBSERVED" });
    (408, json!({ "name": "TIMEOUT_ERROR", "info": info }))
}

fn payment(chain: &Chain) -> SignedTransaction {
    sign(chain, ALICE, BOB, vec![transfer(near(1))])
}

#[test]
fn final_is_two_blocks_behind_the_head_and_near_final_one() {
    let server = serve(node());
    let head = server.chain.produce_blocks(5).unwrap().height;
    assert_eq!(server.height("optimistic"), head);
    assert_eq!(server.height("near-final"), head - 1);
    assert_eq!(server.height("final"), head - 2);
    let header = server.block(json!({ "block_id": head }));
    let hash = |height: u64| server.block(json!({ "block_id": height }))["hash"].clone();
    assert_eq!(header["last_ds_final_block"], hash(head - 1));
    assert_eq!(header["last_final_block"], hash(head - 2));
}

#[test]
fn a_view_at_final_does_not_know_the_newest_write() {
    let server = serve(node());
    let chain = &server.chain;
    let amount = |finality: &str| {
        let params =
            json!({ "request_type": "view_account", "account_id": BOB, "finality": finality });
        server.rpc("query", params).unwrap().json()["result"]["amount"].clone()
    };
    let before = amount("final");
    server.send(&payment(chain), "NONE");
    chain.produce_blocks(2).unwrap();
    assert_ne!(amount("optimistic"), before);
    assert_eq!(amount("final"), before);
    chain.produce_blocks(2).unwrap();
    assert_eq!(amount("final"), amount("optimistic"));
}

#[test]
fn skipped_heights_have_no_block_and_delay_finality() {
    let server = serve(NetworkSettings {
        skip_rate: 0.4,
        ..node()
    });
    let head = server.chain.produce_blocks(60).unwrap().height;
    let mut skipped = 0;
    let mut previous: Vec<Value> = vec![];
    for height in GENESIS_HEIGHT..=head {
        let reply = server.rpc("block", json!({ "block_id": height })).unwrap();
        let header = reply.json()["result"]["header"].clone();
        if header.is_null() {
            assert_eq!(reply.status, 422);
            skipped += 1;
            continue;
        }
        // The rule of a block's header: a successor at the next height makes a block near-final, and two
        // in a row make it final.
        if let [.., before, prev] = previous.as_slice() {
            assert_eq!(header["prev_height"], prev["height"]);
            let next_to = |a: &Value, b: &Value| {
                a["height"].as_u64().unwrap() + 1 == b["height"].as_u64().unwrap()
            };
            let near_final = if next_to(prev, &header) {
                &prev["hash"]
            } else {
                &prev["last_ds_final_block"]
            };
            assert_eq!(header["last_ds_final_block"], *near_final, "{height}");
            let last_final = if next_to(prev, &header) && next_to(before, prev) {
                &before["hash"]
            } else {
                &prev["last_final_block"]
            };
            assert_eq!(header["last_final_block"], *last_final, "{height}");
        }
        previous.push(header);
    }
    assert!(skipped > 10, "{skipped}");
    let newest = previous.last().unwrap();
    let finalized = server.block(json!({ "finality": "final" }));
    assert_eq!(finalized["hash"], newest["last_final_block"]);
}

#[test]
fn the_same_seed_skips_the_same_heights() {
    let heights = |seed: u64| {
        let network = NetworkSettings {
            skip_rate: 0.3,
            seed: Some(seed),
            ..node()
        };
        let chain = Chain::open(ChainConfig {
            network,
            ..config()
        })
        .unwrap();
        (0..20)
            .map(|_| chain.produce_block().unwrap().height)
            .collect::<Vec<_>>()
    };
    assert_eq!(heights(1), heights(1));
    assert_ne!(heights(1), heights(2));
}

#[test]
fn a_transfer_passes_the_levels_of_a_node() {
    let server = serve(node());
    let signed = payment(&server.chain);
    server.send(&signed, "NONE");
    let mut levels = vec![];
    for _ in 0..6 {
        server.chain.produce_block().unwrap();
        levels.push(server.level(&signed));
    }
    // Included, executed, then final block by block; the gas refund of the third block is final in the
    // fifth.
    let expected = [
        "INCLUDED",
        "EXECUTED_OPTIMISTIC",
        "EXECUTED",
        "EXECUTED",
        "FINAL",
        "FINAL",
    ];
    assert_eq!(levels, expected);
}

#[test]
fn a_slow_receipt_is_included_final_before_it_is_executed() {
    let server = serve(NetworkSettings {
        receipt_blocks: 3,
        ..node()
    });
    let signed = payment(&server.chain);
    server.send(&signed, "NONE");
    let mut levels = vec![];
    for _ in 0..5 {
        server.chain.produce_block().unwrap();
        levels.push(server.level(&signed));
    }
    let expected = [
        "INCLUDED",
        "INCLUDED",
        "INCLUDED_FINAL",
        "INCLUDED_FINAL",
        "EXECUTED",
    ];
    assert_eq!(levels, expected);
}

#[test]
fn levels_are_compared_by_table() {
    let server = serve(NetworkSettings {
        receipt_blocks: 3,
        ..node()
    });
    let chain = &server.chain;
    let slow = payment(chain);
    server.send(&slow, "NONE");
    chain.produce_blocks(3).unwrap();
    assert_eq!(server.level(&slow), "INCLUDED_FINAL");
    assert_eq!(server.look_up(&slow, "INCLUDED").status, 200);
    assert_eq!(server.look_up(&slow, "INCLUDED_FINAL").status, 200);
    let late = server.look_up(&slow, "EXECUTED_OPTIMISTIC");
    let (status, why) = cause(&late);
    assert_eq!((status, &why["name"]), (408, &json!("TIMEOUT_ERROR")));
    assert_eq!(why["info"]["cause"], "PENDING");
    let pending = &why["info"]["status"];
    assert_eq!(pending["final_execution_status"], "INCLUDED_FINAL");

    server.admin("PUT", r#"{"patienceMs":0}"#);
    chain.settle().unwrap();
    let fast = payment(chain);
    server.send(&fast, "NONE");
    chain.produce_blocks(2).unwrap();
    assert_eq!(server.level(&fast), "EXECUTED_OPTIMISTIC");
    assert_eq!(server.look_up(&fast, "EXECUTED_OPTIMISTIC").status, 200);
    assert_eq!(server.look_up(&fast, "INCLUDED_FINAL").status, 408);
    assert_eq!(server.look_up(&fast, "EXECUTED").status, 408);
}

#[test]
fn broadcast_tx_commit_waits_for_execution_and_not_for_finality() {
    let server = serve(node());
    let signed = payment(&server.chain);
    let commit = || {
        let params = json!([base64_of(&signed)]);
        server.rpc("broadcast_tx_commit", params).unwrap()
    };
    assert_eq!(cause(&commit()), not_observed());
    server.chain.produce_block().unwrap();
    assert_eq!(cause(&commit()).1["info"]["cause"], "PENDING");
    server.chain.produce_block().unwrap();
    let outcome = commit().json()["result"].clone();
    assert_eq!(outcome["status"], json!({ "SuccessValue": "" }));
    assert_eq!(server.level(&signed), "EXECUTED_OPTIMISTIC");
}

#[test]
fn what_waits_in_the_pool_is_unknown_at_none_and_times_out_at_other_levels() {
    let server = serve(node());
    let signed = payment(&server.chain);
    server.send(&signed, "NONE");
    assert_eq!(cause(&server.look_up(&signed, "NONE")), unknown(&signed));
    for level in ["INCLUDED", "EXECUTED_OPTIMISTIC", "FINAL"] {
        assert_eq!(cause(&server.look_up(&signed, level)), not_observed());
        assert_eq!(cause(&server.send(&signed, level)), not_observed());
    }
    server.chain.produce_block().unwrap();
    assert_eq!(server.level(&signed), "INCLUDED");
}

#[test]
fn an_older_node_names_no_cause_of_a_timeout() {
    let server = serve(NetworkSettings {
        timeout_causes: false,
        ..node()
    });
    let signed = payment(&server.chain);
    server.send(&signed, "NONE");
    let why = json!({ "name": "TIMEOUT_ERROR", "info": null });
    assert_eq!(cause(&server.look_up(&signed, "INCLUDED")), (408, why));
}

#[test]
fn a_lookup_by_hash_never_tells_a_refusal_and_one_by_bytes_does() {
    let server = serve(node());
    let chain = &server.chain;
    let nonce = chain.view_access_key(&id(ALICE), &key(ALICE).public_key());
    let nonce = nonce.unwrap().nonce + 1;
    let pay = |amount| {
        sign_as(
            chain,
            ALICE,
            &key(ALICE),
            BOB,
            nonce,
            vec![transfer(near(amount))],
        )
    };
    let rivals = [pay(1), pay(2)];
    for signed in &rivals {
        assert_eq!(cause(&server.send(signed, "INCLUDED")), not_observed());
    }
    chain.produce_block().unwrap();
    let (winners, losers): (Vec<_>, Vec<_>) = rivals
        .iter()
        .partition(|signed| server.level(signed) == "INCLUDED");
    assert_eq!((winners.len(), losers.len()), (1, 1));
    let loser = losers[0];
    assert_eq!(cause(&server.look_up(loser, "NONE")), unknown(loser));
    assert_eq!(cause(&server.look_up(loser, "FINAL")), not_observed());
    let passed = json!({ "InvalidNonce": { "tx_nonce": nonce, "ak_nonce": nonce } });
    assert_eq!(refusal(&server.look_up_bytes(loser, "NONE")), passed);
    assert_eq!(refusal(&server.send(loser, "FINAL")), passed);
}

#[test]
fn at_none_nothing_is_checked() {
    let server = serve(node());
    let chain = &server.chain;
    let unsigned = sign_as(
        chain,
        ALICE,
        &key("nobody"),
        BOB,
        1,
        vec![transfer(near(1))],
    );
    let answer = server.send(&unsigned, "NONE").json();
    assert_eq!(
        answer["result"],
        json!({ "final_execution_status": "NONE" })
    );
    let answer = server.rpc("broadcast_tx_async", json!([base64_of(&unsigned)]));
    let hash = json!(unsigned.get_hash());
    assert_eq!(answer.unwrap().json()["result"], hash);
    chain.produce_blocks(5).unwrap();
    assert_eq!(
        cause(&server.look_up(&unsigned, "NONE")),
        unknown(&unsigned)
    );
    let missing = refusal(&server.send(&unsigned, "INCLUDED"));
    assert!(!missing["InvalidAccessKeyError"]["AccessKeyNotFound"].is_null());
}

#[test]
fn a_nonce_above_the_upper_bound_is_accepted_and_never_runs() {
    let server = serve(node());
    let chain = &server.chain;
    let nonce = (chain.head().height + 1_000) * 1_000_000;
    let signed = sign_as(
        chain,
        ALICE,
        &key(ALICE),
        BOB,
        nonce,
        vec![transfer(near(1))],
    );
    assert_eq!(cause(&server.send(&signed, "INCLUDED")), not_observed());
    chain.produce_blocks(5).unwrap();
    assert_eq!(cause(&server.look_up(&signed, "NONE")), unknown(&signed));
    assert_eq!(
        cause(&server.look_up_bytes(&signed, "NONE")),
        unknown(&signed)
    );
}

#[test]
fn what_ran_is_accepted_again_until_it_expires() {
    let server = Server::with(
        ChainConfig {
            network: node(),
            transaction_validity_blocks: 8,
            ..config()
        },
        FaultSettings::default(),
    );
    let chain = &server.chain;
    let signed = payment(chain);
    server.send(&signed, "NONE");
    chain.produce_blocks(6).unwrap();
    let again = server.send(&signed, "FINAL").json();
    assert_eq!(again["result"]["final_execution_status"], "FINAL");
    assert_eq!(balance(chain, BOB), near(101));
    chain.produce_blocks(3).unwrap();
    // Expiry comes before "already executed".
    assert_eq!(refusal(&server.send(&signed, "FINAL")), "Expired");
    assert_eq!(server.level(&signed), "FINAL");
}

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
            "simple": false, "lags": [0], "patienceMs": 0, "timeoutCauses": true, "skipRate": 0.0,
            "dropRate": 0.0, "receiptBlocks": 0, "gasPriceFactor": 1, "seed": 7,
        })
    );
    let answer = server.admin("PUT", r#"{"lags":[2],"history":50,"seed":3}"#);
    assert_eq!(answer.json()["lags"], json!([2]));
    assert_eq!(server.chain.network().history, Some(50));
    for (body, reason) in [
        (r#"{"lags":[]}"#, "lags must name 1 to 16 nodes"),
        (r#"{"lags":[101]}"#, "lags must be 0 to 100"),
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
            "simple": true, "lags": [3, 8, 0], "patienceMs": 500, "timeoutCauses": false,
            "skipRate": 0.1, "dropRate": 0.2, "receiptBlocks": 2, "gasPriceFactor": 20,
            "history": 50, "seed": 9,
        })
    );
    program.kill();
    let (said, code) = Program::refusal(&["--backends", "1", "--lag", "0,3"]);
    assert_eq!(code, Some(1));
    let reason = "latchkey-devnet: --backends is 1, and --lag names 2";
    assert_eq!(said.trim(), reason);
}
