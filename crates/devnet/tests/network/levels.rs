//! The levels that a transaction passes, and the look-ups that see them.

use super::*;

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
