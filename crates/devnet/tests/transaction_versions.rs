//! Transactions of version 1: both forms of the nonce, and the two nonce modes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use common::server::Server;
use common::*;
use latchkey_devnet::Chain;
use near_primitives::errors::InvalidTxError;
use near_primitives::transaction::{NonceMode, SignedTransaction, TransactionNonce};
use serde_json::json;

fn plain(nonce: u64) -> TransactionNonce {
    TransactionNonce::from_nonce(nonce)
}

fn payment(chain: &Chain, nonce: TransactionNonce, mode: NonceMode) -> SignedTransaction {
    let actions = vec![transfer(near(1))];
    sign_v1(chain, ALICE, &key(ALICE), BOB, (nonce, mode), actions)
}

#[test]
fn version_1_runs_from_protocol_85_and_is_an_invalid_version_before() {
    for protocol in [84, 85, 88] {
        for mode in [NonceMode::Monotonic, NonceMode::Strict] {
            let chain = open_at(protocol);
            let signed = payment(&chain, plain(1), mode);
            if protocol < 85 {
                let expected = InvalidTxError::InvalidTransactionVersion;
                assert_eq!(refused(&chain, signed), expected);
                assert_eq!(balance(&chain, BOB), near(100));
                continue;
            }
            let outcome = chain.run(signed).unwrap();
            value(&outcome);
            assert_eq!(balance(&chain, BOB), near(101));
            let paid = burnt(&outcome).checked_add(near(1)).unwrap();
            assert_eq!(balance(&chain, ALICE), near(100).checked_sub(paid).unwrap());
        }
    }
}

#[test]
fn a_monotonic_nonce_may_leave_a_gap_and_a_strict_one_may_not() {
    let chain = open();
    value(
        &chain
            .run(payment(&chain, plain(3), NonceMode::Monotonic))
            .unwrap(),
    );
    for tx_nonce in [2, 3, 5, u64::MAX] {
        let error = refused(&chain, payment(&chain, plain(tx_nonce), NonceMode::Strict));
        let ak_nonce = 3;
        assert_eq!(error, InvalidTxError::InvalidNonce { tx_nonce, ak_nonce });
    }
    value(
        &chain
            .run(payment(&chain, plain(4), NonceMode::Strict))
            .unwrap(),
    );
    assert_eq!(balance(&chain, BOB), near(102));
}

#[test]
fn two_strict_transactions_with_one_nonce_run_once() {
    let chain = open();
    let first = payment(&chain, plain(1), NonceMode::Strict);
    let actions = vec![transfer(near(2))];
    let nonce = (plain(1), NonceMode::Strict);
    let second = sign_v1(&chain, ALICE, &key(ALICE), BOB, nonce, actions);
    chain.submit(first).unwrap();
    chain.submit(second).unwrap();
    chain.settle().unwrap();
    let got = balance(&chain, BOB).checked_sub(near(100)).unwrap();
    assert!(got == near(1) || got == near(2), "{got}");
}

#[test]
fn a_plain_key_has_no_lanes() {
    let chain = open();
    let lane = TransactionNonce::from_nonce_and_index(1, 2);
    assert_eq!(
        refused(&chain, payment(&chain, lane, NonceMode::Monotonic)),
        InvalidTxError::InvalidNonceIndex {
            tx_nonce_index: Some(2),
            num_nonces: 0
        }
    );
}

#[test]
fn the_rpc_shows_the_nonce_mode() {
    let server = Server::start();
    for (nonce, mode, shown) in [
        (1, NonceMode::Monotonic, json!(null)),
        (2, NonceMode::Strict, json!("strict")),
    ] {
        let signed = payment(&server.chain, plain(nonce), mode);
        let id = signed.get_hash().to_string();
        server.chain.run(signed).unwrap();
        let params = json!({ "tx_hash": id, "sender_account_id": ALICE });
        let answer = server.rpc("tx", params).unwrap().json();
        let transaction = &answer["result"]["transaction"];
        assert_eq!(transaction["nonce_mode"], shown);
        assert_eq!(transaction["nonce_index"], json!(null));
    }
}
