//! Keys and signatures of ML-DSA-65 (NEP-645).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use common::server::Server;
use common::*;
use near_crypto::{KeyType, PublicKeyHandle, SecretKey, ml_dsa_65_from_seed};
use near_primitives::action::StakeAction;
use near_primitives::errors::{ActionsValidationError, InvalidTxError};
use near_primitives::transaction::{Action, NonceMode, TransactionNonce};
use near_primitives::types::Balance;
use serde_json::{Value, json};

/// What the verification of a signature costs beyond that of the other schemes, in yocto.
const VERIFICATION: Balance = Balance::from_yoctonear(100_000_000_000 * 100_000_000);

fn vector() -> Value {
    serde_json::from_str(include_str!("../../../tests/vectors/ml-dsa-65.json")).unwrap()
}

/// The key of near-crypto's known answer.
fn known_key() -> SecretKey {
    let seed = vector()["seed"].as_str().unwrap().as_bytes().to_vec();
    ml_dsa_65_from_seed(&seed.try_into().unwrap()).unwrap()
}

fn plus(a: Balance, b: Balance) -> Balance {
    a.checked_add(b).unwrap()
}

#[test]
fn the_key_of_a_seed_is_the_known_one() {
    assert_eq!(known_key().public_key().to_string(), vector()["publicKey"]);
}

#[test]
fn a_key_is_added_signs_and_is_deleted_from_protocol_85() {
    for protocol in [85, 88] {
        let chain = open_at(protocol);
        let key = known_key();
        let before = chain.view_account(&id(ALICE)).unwrap().storage_usage;
        value(&run(&chain, ALICE, ALICE, vec![add_full_key(&key)]));
        // As many bytes as an ed25519 key: the trie holds its hash.
        let after = chain.view_account(&id(ALICE)).unwrap().storage_usage;
        assert_eq!(after, before + 82);

        let plain = burnt(&run(&chain, ALICE, BOB, vec![transfer(near(1))]));
        let signed = chain
            .sign(ALICE, &key, BOB, vec![transfer(near(1))])
            .unwrap();
        let alice = balance(&chain, ALICE);
        let outcome = chain.run(signed).unwrap();
        value(&outcome);
        let conversion = outcome.transaction_outcome.outcome.tokens_burnt;
        assert!(conversion > VERIFICATION);
        assert_eq!(burnt(&outcome), plus(plain, VERIFICATION));
        let paid = plus(burnt(&outcome), near(1));
        assert_eq!(balance(&chain, ALICE), alice.checked_sub(paid).unwrap());

        let signed = chain
            .sign(ALICE, &key, ALICE, vec![delete_key(&key)])
            .unwrap();
        value(&chain.run(signed).unwrap());
        let after = chain.view_account(&id(ALICE)).unwrap().storage_usage;
        assert_eq!(after, before);
        assert_eq!(held(&chain), chain.total_supply());
    }
}

#[test]
fn the_trie_and_the_views_hold_the_keys_handle() {
    let server = Server::start();
    let chain = &server.chain;
    let key = known_key();
    value(&run(chain, ALICE, ALICE, vec![add_full_key(&key)]));
    let handle = PublicKeyHandle::from(key.public_key());
    let entry = [
        &[2],
        ALICE.as_bytes(),
        &[2],
        &borsh::to_vec(&handle).unwrap(),
    ]
    .concat();
    assert!(chain.state_root_dump().contains_key(&entry));

    let query = |request: &str, fields: Value| {
        let mut params =
            json!({ "request_type": request, "finality": "final", "account_id": ALICE });
        params
            .as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        server.rpc("query", params).unwrap().json()
    };
    let list = query("view_access_key_list", json!({}));
    let shown: Vec<&str> = list["result"]["keys"]
        .as_array()
        .unwrap()
        .iter()
        .map(|key| key["public_key"].as_str().unwrap())
        .collect();
    assert!(handle.to_string().starts_with("ml-dsa-65-hash:"));
    assert!(shown.contains(&handle.to_string().as_str()), "{shown:?}");
    // A page may begin after a handle.
    let rest = query(
        "view_access_key_list",
        json!({ "after_key": handle.to_string() }),
    );
    assert_eq!(rest["result"]["keys"], json!([]));

    let named = json!({ "public_key": key.public_key().to_string() });
    let view = query("view_access_key", named);
    assert_eq!(view["result"]["permission"], "FullAccess");
    // A request names the key itself, as a node wants it.
    let by_handle = query(
        "view_access_key",
        json!({ "public_key": handle.to_string() }),
    );
    assert_eq!(by_handle["error"]["cause"]["name"], "PARSE_ERROR");
}

#[test]
fn protocol_84_knows_no_such_key() {
    let chain = open_at(84);
    let key = known_key();
    let signed = sign_as(&chain, ALICE, &key, BOB, 1, vec![transfer(near(1))]);
    let expected = InvalidTxError::InvalidTransactionVersion;
    assert_eq!(refused(&chain, signed), expected);
    let inner = delegate(&chain, &key, 1, BOB, vec![transfer(near(1))]);
    for action in [add_full_key(&key), delete_key(&key), inner] {
        assert_eq!(
            refused_actions(&chain, ALICE, vec![action]),
            ActionsValidationError::UnsupportedProtocolFeature {
                protocol_feature: "PostQuantumSignatures".to_owned(),
                version: 84
            }
        );
    }
}

#[test]
fn refuses_another_keys_signature_and_a_stake() {
    let chain = open();
    let key = known_key();
    value(&run(&chain, ALICE, ALICE, vec![add_full_key(&key)]));
    let mut forged = chain
        .sign(ALICE, &key, BOB, vec![transfer(near(1))])
        .unwrap();
    let other = SecretKey::from_random(KeyType::MLDSA65);
    forged.signature = other.sign(forged.get_hash().as_ref());
    assert_eq!(refused(&chain, forged), InvalidTxError::InvalidSignature);

    let stake = Action::Stake(Box::new(StakeAction {
        stake: near(10),
        public_key: key.public_key(),
    }));
    let error = refused_actions(&chain, ALICE, vec![stake]);
    let unsuitable = matches!(error, ActionsValidationError::UnsuitableStakingKey { .. });
    assert!(unsuitable, "{error:?}");
}

#[test]
fn a_relayer_pays_for_the_signature_of_a_delegate_action() {
    for protocol in [85, 88] {
        let chain = open_at(protocol);
        let key = known_key();
        value(&run(&chain, ALICE, ALICE, vec![add_full_key(&key)]));
        let relay = |key: &SecretKey| {
            let nonce = chain.view_access_key(&id(ALICE), &key.public_key());
            let nonce = nonce.unwrap().nonce + 1;
            let action = delegate(&chain, key, nonce, BOB, vec![transfer(near(1))]);
            let outcome = run(&chain, "relayer.testnet", ALICE, vec![action]);
            value(&outcome);
            assert_eq!(failures(&outcome), 0);
            burnt(&outcome)
        };
        let plain = relay(&common::key(ALICE));
        assert_eq!(relay(&key), plus(plain, VERIFICATION));
        assert_eq!(held(&chain), chain.total_supply());
    }
}

#[test]
fn a_gas_key_may_be_one() {
    for protocol in [85, 88] {
        let chain = open_at(protocol);
        let key = known_key();
        let cost = |key: &SecretKey| {
            let actions = vec![add_gas_key(key, 2), fill_gas_key(key, near(1))];
            let outcome = run(&chain, ALICE, ALICE, actions);
            value(&outcome);
            burnt(&outcome)
        };
        // Its handle is as long as an ed25519 key, in the fees too.
        assert_eq!(cost(&key), cost(&common::key("ed25519")));
        let nonces = chain.view_gas_key_nonces(&id(ALICE), &key.public_key());
        let nonce = TransactionNonce::from_nonce_and_index(nonces.unwrap()[1] + 1, 1);
        let nonce = (nonce, NonceMode::Strict);
        let signed = sign_v1(&chain, ALICE, &key, BOB, nonce, vec![transfer(near(1))]);
        let alice = balance(&chain, ALICE);
        value(&chain.run(signed).unwrap());
        assert_eq!(balance(&chain, ALICE), alice.checked_sub(near(1)).unwrap());
        assert_eq!(held(&chain), chain.total_supply());
    }
}

#[test]
fn the_signature_counts_towards_the_size_from_protocol_85() {
    for protocol in [84, 85, 88] {
        let chain = open_at(protocol);
        let sized = |code: usize| sign(&chain, ALICE, ALICE, vec![deploy(vec![0; code])]);
        let limit = 1_572_864;
        let overhead = usize::try_from(sized(0).get_size()).unwrap();
        let largest = sized(limit - overhead);
        assert_eq!(largest.get_size(), limit as u64);
        if protocol == 84 {
            chain.submit(largest).unwrap();
        } else {
            let (size, limit) = (limit as u64 + 65, limit as u64);
            let expected = InvalidTxError::TransactionSizeExceeded { size, limit };
            assert_eq!(refused(&chain, largest), expected);
            chain.submit(sized(limit as usize - overhead - 65)).unwrap();
        }
    }
}
