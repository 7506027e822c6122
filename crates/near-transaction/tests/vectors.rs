//! Against near-api-js's own encoder: `tests/vectors/near-transactions.json`, every action type and permission.
// Specification: core 3
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

use ed25519_dalek::SigningKey;
use latchkey_near_transaction::{
    Action, DelegateAction, Nonce, PublicKey, SignedTransaction, Transaction, TransactionRequest,
    TransactionRequestFields,
};
use serde_json::Value;

fn vectors() -> Value {
    serde_json::from_str(include_str!(
        "../../../tests/vectors/near-transactions.json"
    ))
    .unwrap()
}

fn signing_key(file: &Value) -> SigningKey {
    let text = file["privateKey"]
        .as_str()
        .unwrap()
        .strip_prefix("ed25519:")
        .unwrap();
    let bytes: [u8; 64] = bs58::decode(text).into_vec().unwrap().try_into().unwrap();
    SigningKey::from_keypair_bytes(&bytes).unwrap()
}

fn transaction(file: &Value, case: &Value) -> Transaction {
    let fields = &case["transaction"];
    let text = |name: &str| fields[name].as_str().unwrap();
    let request: TransactionRequestFields = serde_json::from_value(fields.clone()).unwrap();
    let TransactionRequest {
        receiver_id,
        actions,
        ..
    } = request.try_into().unwrap();
    Transaction {
        signer_id: text("signerId").parse().unwrap(),
        public_key: file["publicKey"].as_str().unwrap().parse().unwrap(),
        nonce: Nonce::parse(text("nonce"), "nonce").unwrap(),
        receiver_id,
        block_hash: text("blockHash").parse().unwrap(),
        actions,
        version_1: None,
    }
}

#[test]
fn encodes_hashes_and_signs_as_near_api_js_does() {
    let file = vectors();
    let key = signing_key(&file);
    for case in file["cases"].as_array().unwrap() {
        let signed = transaction(&file, case).sign(&key).unwrap();
        assert_eq!(
            hex::encode(&signed.borsh_bytes),
            case["borsh"].as_str().unwrap(),
            "{}",
            case["name"]
        );
        assert_eq!(
            signed.hash.to_string(),
            case["hash"].as_str().unwrap(),
            "{}",
            case["name"]
        );
        assert_eq!(
            signed.signature.to_string(),
            case["signature"].as_str().unwrap(),
            "{}",
            case["name"]
        );
    }
}

#[test]
fn reads_what_near_api_js_encoded() {
    let file = vectors();
    for case in file["cases"].as_array().unwrap() {
        let bytes = hex::decode(case["borsh"].as_str().unwrap()).unwrap();
        let signed = SignedTransaction::from_borsh(&bytes).unwrap();
        assert_eq!(
            signed.transaction,
            transaction(&file, case),
            "{}",
            case["name"]
        );
        assert_eq!(signed.hash.to_string(), case["hash"].as_str().unwrap());
        assert_eq!(
            signed.signature.to_string(),
            case["signature"].as_str().unwrap()
        );
    }
}

#[test]
fn the_vectors_hold_every_action_type_and_permission() {
    let file = vectors();
    let actions: Vec<Action> = file["cases"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|case| transaction(&file, case).actions)
        .collect();
    let kinds: std::collections::BTreeSet<u8> = actions
        .iter()
        .map(|action| borsh::to_vec(action).unwrap()[0])
        .collect();
    // near-api-js knows no DeterministicStateInit; 8 is a delegate.
    assert_eq!(kinds, (0..8).chain([9, 10]).collect());
    let permissions: std::collections::BTreeSet<u8> = actions
        .iter()
        .filter_map(|action| match action {
            Action::AddKey { access_key, .. } => {
                Some(borsh::to_vec(&access_key.permission).unwrap()[0])
            }
            _ => None,
        })
        .collect();
    assert_eq!(permissions, (0..2).collect());
}

/// `tests/vectors/delegates.json`: NEP-366, every action type and permission.
#[test]
fn encodes_hashes_and_signs_delegates_as_near_api_js_does() {
    let file: Value =
        serde_json::from_str(include_str!("../../../tests/vectors/delegates.json")).unwrap();
    let key = signing_key(&file);
    for case in file["cases"].as_array().unwrap() {
        let delegate = delegate(&file, &case["delegate"]);
        let signed = delegate.sign(&key).unwrap();
        let name = &case["name"];
        assert_eq!(hex::encode(&signed.borsh_bytes), case["borsh"], "{name}");
        assert_eq!(signed.hash.to_string(), case["hash"], "{name}");
        assert_eq!(signed.max_block_height, delegate.max_block_height, "{name}");
        let other = DelegateAction {
            public_key: PublicKey::Ed25519([1; 32]),
            ..delegate
        };
        assert!(other.sign(&key).is_err());
    }
}

fn delegate(file: &Value, fields: &Value) -> DelegateAction {
    let text = |name: &str| fields[name].as_str().unwrap();
    let request: TransactionRequestFields = serde_json::from_value(fields.clone()).unwrap();
    let TransactionRequest {
        receiver_id,
        actions,
        ..
    } = request.try_into().unwrap();
    DelegateAction {
        sender_id: text("senderId").parse().unwrap(),
        receiver_id,
        actions,
        nonce: Nonce::parse(text("nonce"), "nonce").unwrap(),
        max_block_height: text("maxBlockHeight").parse().unwrap(),
        public_key: file["publicKey"].as_str().unwrap().parse().unwrap(),
    }
}

/// `tests/vectors/ed25519.json`: RFC 8032, section 7.1. The key behind every signature of this crate.
#[test]
fn ed25519_signs_as_rfc_8032_says() {
    use ed25519_dalek::Signer;
    let file: Value =
        serde_json::from_str(include_str!("../../../tests/vectors/ed25519.json")).unwrap();
    for case in file["cases"].as_array().unwrap() {
        let bytes = |name: &str| hex::decode(case[name].as_str().unwrap()).unwrap();
        let key = SigningKey::from_bytes(&bytes("seed").try_into().unwrap());
        assert_eq!(
            key.verifying_key().as_bytes().as_slice(),
            bytes("publicKey")
        );
        assert_eq!(
            key.sign(&bytes("message")).to_bytes().as_slice(),
            bytes("signature")
        );
    }
}

#[test]
fn refuses_a_key_that_is_not_the_transactions() {
    let file = vectors();
    let mut transaction = transaction(&file, &file["cases"][0]);
    transaction.public_key = PublicKey::Ed25519([1; 32]);
    assert!(transaction.sign(&signing_key(&file)).is_err());
}
