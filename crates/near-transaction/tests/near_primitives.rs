//! Against near-primitives' own encoding of what protocol 85 to 88 brought: `tests/vectors/near-primitives-transactions.json`.
//! The chain's tests hold that file against near-primitives itself.
// Specification: core 3
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

use ed25519_dalek::SigningKey;
use latchkey_near_transaction::{
    Nonce, NonceMode, PublicKey, SignedTransaction, Transaction, TransactionRequest,
    TransactionRequestFields, Version1,
};
use serde_json::Value;

fn vectors() -> Value {
    serde_json::from_str(include_str!(
        "../../../tests/vectors/near-primitives-transactions.json"
    ))
    .unwrap()
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap()
}

fn request(case: &Value) -> TransactionRequest {
    let fields: TransactionRequestFields =
        serde_json::from_value(case["transaction"].clone()).unwrap();
    fields.try_into().unwrap()
}

fn transaction(case: &Value) -> Transaction {
    let fields = &case["transaction"];
    let request = request(case);
    let version_1 = case["version1"].as_object().map(|version| Version1 {
        lane: version["lane"]
            .as_u64()
            .map(|lane| lane.try_into().unwrap()),
        nonce_mode: match version["nonceMode"].as_str() {
            Some("Strict") => NonceMode::Strict,
            _ => NonceMode::Monotonic,
        },
    });
    Transaction {
        signer_id: text(fields, "signerId").parse().unwrap(),
        public_key: text(case, "publicKey").parse().unwrap(),
        nonce: Nonce::parse(text(fields, "nonce"), "nonce").unwrap(),
        receiver_id: request.receiver_id,
        block_hash: text(fields, "blockHash").parse().unwrap(),
        actions: request.actions,
        version_1,
    }
}

#[test]
fn reads_and_writes_what_near_primitives_does() {
    let file = vectors();
    for case in file["cases"].as_array().unwrap() {
        let name = &case["name"];
        let bytes = hex::decode(text(case, "borsh")).unwrap();
        let read = SignedTransaction::from_borsh(&bytes).unwrap();
        let expected = transaction(case);
        assert_eq!(read.transaction, expected, "{name}");
        assert_eq!(read.hash.to_string(), text(case, "hash"), "{name}");
        let mut written = borsh::to_vec(&expected).unwrap();
        borsh::to_writer(&mut written, &read.signature).unwrap();
        assert_eq!(written, bytes, "{name}");
    }
}

#[test]
fn signs_what_near_primitives_does() {
    let file = vectors();
    let encoded = text(&file, "privateKey").strip_prefix("ed25519:").unwrap();
    let keypair: [u8; 64] = bs58::decode(encoded)
        .into_vec()
        .unwrap()
        .try_into()
        .unwrap();
    let key = SigningKey::from_keypair_bytes(&keypair).unwrap();
    for case in file["cases"].as_array().unwrap() {
        let transaction = transaction(case);
        if matches!(transaction.public_key, PublicKey::MlDsa65(_)) {
            continue;
        }
        let signed = transaction.sign(&key).unwrap();
        assert_eq!(hex::encode(signed.borsh_bytes), text(case, "borsh"));
    }
}

#[test]
fn a_request_needs_version_1_for_a_lane_and_for_a_strict_nonce_alone() {
    for case in vectors()["cases"].as_array().unwrap() {
        let version_1 = transaction(case).version_1;
        let needed = match text(case, "name") {
            "version 1 without either" => None,
            _ => version_1,
        };
        assert_eq!(request(case).version_1(), needed, "{}", case["name"]);
    }
}
