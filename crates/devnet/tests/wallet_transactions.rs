//! The vectors of what the wallet signs and reads since protocol 85 are near-primitives' own encoding.
//!
//! `latchkey-near-transaction` reads the same file: the two crates are never in one build, since the chain's would then be
//! built with other features.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use common::*;
use near_crypto::{PublicKey, PublicKeyHandle, SecretKey, ml_dsa_65_from_seed};
use near_primitives::account::{AccessKey, FunctionCallPermission};
use near_primitives::action::{AddKeyAction, GlobalContractIdentifier};
use near_primitives::hash::CryptoHash;
use near_primitives::transaction::{
    Action, NonceMode, SignedTransaction, Transaction, TransactionNonce, TransactionV0,
    TransactionV1,
};
use near_primitives::types::Balance;
use near_primitives::universal_state_init::{UniversalStateInit, UniversalStateInitV1};
use serde_json::Value;

const NONCE: u64 = 7_000_042;

fn vectors() -> Value {
    let text = include_str!("../../../tests/vectors/near-primitives-transactions.json");
    serde_json::from_str(text).unwrap()
}

fn ml_dsa_key() -> SecretKey {
    ml_dsa_65_from_seed(b"kat-seed-v1                     ").unwrap()
}

fn ed25519_key() -> SecretKey {
    vectors()["privateKey"].as_str().unwrap().parse().unwrap()
}

fn version_0(key: &SecretKey, receiver: &str, actions: Vec<Action>) -> Transaction {
    Transaction::V0(TransactionV0 {
        signer_id: id(ALICE),
        public_key: key.public_key(),
        nonce: NONCE,
        receiver_id: id(receiver),
        block_hash: CryptoHash([9; 32]),
        actions,
    })
}

fn version_1(key: &SecretKey, nonce: TransactionNonce, nonce_mode: NonceMode) -> Transaction {
    Transaction::V1(TransactionV1 {
        signer_id: id(ALICE),
        public_key: key.public_key(),
        nonce,
        receiver_id: id(BOB),
        block_hash: CryptoHash([9; 32]),
        actions: vec![transfer(Balance::from_yoctonear(1))],
        nonce_mode,
    })
}

fn add_key(public_key: PublicKey, access_key: AccessKey) -> Action {
    Action::AddKey(Box::new(AddKeyAction {
        public_key,
        access_key,
    }))
}

fn first_state(
    code: Option<GlobalContractIdentifier>,
    data: &[(&[u8], &[u8])],
    keys: &[PublicKeyHandle],
) -> UniversalStateInit {
    UniversalStateInit::V1(UniversalStateInitV1 {
        code,
        data: data
            .iter()
            .map(|(key, value)| (key.to_vec(), value.to_vec()))
            .collect(),
        access_keys: keys.iter().cloned().collect(),
    })
}

fn transaction(name: &str) -> (SecretKey, Transaction) {
    let (key, ml_dsa) = (ed25519_key(), ml_dsa_key());
    let plain = TransactionNonce::from_nonce(NONCE);
    let of_alice = |actions| version_0(&key, ALICE, actions);
    let initialising = |state: UniversalStateInit| {
        let deposit = Balance::from_yoctonear(5);
        version_0(
            &key,
            &universal_name(&state),
            vec![initialise_universal(&state, deposit)],
        )
    };
    let transaction = match name {
        "a lane of a gas key" => {
            let nonce = TransactionNonce::from_nonce_and_index(NONCE, 513);
            version_1(&key, nonce, NonceMode::Monotonic)
        }
        "a strict nonce" => version_1(&key, plain, NonceMode::Strict),
        "version 1 without either" => version_1(&key, plain, NonceMode::Monotonic),
        "paying into a gas key and taking back" => of_alice(vec![
            fill_gas_key(&key, Balance::from_yoctonear(3)),
            withdraw(&key, Balance::from_yoctonear(2)),
        ]),
        "adding gas keys" => of_alice(vec![
            add_gas_key(&key, 1024),
            add_key(
                key.public_key(),
                AccessKey::gas_key_function_call(
                    4,
                    FunctionCallPermission {
                        allowance: None,
                        receiver_id: BOB.to_string(),
                        method_names: vec!["play".to_string()],
                    },
                ),
            ),
        ]),
        "keys of ML-DSA-65" => of_alice(vec![
            add_full_key(&ml_dsa),
            fill_gas_key(&ml_dsa, Balance::from_yoctonear(3)),
            delete_key(&ml_dsa),
        ]),
        "the first state of keys" => initialising(first_state(
            None,
            &[],
            &[key.public_key().into(), ml_dsa.public_key().into()],
        )),
        "the first state of a contract" => initialising(first_state(
            Some(by_account(BOB)),
            &[(b"a", b"1"), (b"b", b"")],
            &[],
        )),
        "a signature of ML-DSA-65" => {
            return (
                ml_dsa.clone(),
                version_0(&ml_dsa, BOB, vec![transfer(near(1))]),
            );
        }
        other => panic!("no case {other}"),
    };
    (key, transaction)
}

#[test]
fn the_handle_of_the_ml_dsa_key_is_the_known_one() {
    let handle = PublicKeyHandle::from(ml_dsa_key().public_key());
    assert_eq!(handle.to_string(), vectors()["mlDsa65Handle"]);
}

#[test]
fn each_vector_is_what_near_primitives_writes() {
    let file = vectors();
    for case in file["cases"].as_array().unwrap() {
        let (key, unsigned) = transaction(case["name"].as_str().unwrap());
        let bytes = hex(case["borsh"].as_str().unwrap());
        let signed: SignedTransaction = borsh::from_slice(&bytes).unwrap();
        assert_eq!(signed.transaction, unsigned, "{}", case["name"]);
        assert_eq!(
            signed.get_hash().to_string(),
            case["hash"],
            "{}",
            case["name"]
        );
        let hash = unsigned.get_hash_and_size().0;
        assert!(signed.signature.verify(hash.as_ref(), &key.public_key()));
    }
}

fn hex(text: &str) -> Vec<u8> {
    let digits = text.as_bytes().chunks(2);
    digits
        .map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}
