//! Signing one function call: the key in memory, encoding and hash included.
#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ed25519_dalek::SigningKey;
use latchkey_near_transaction::{
    Action, Args, Balance, CryptoHash, Gas, Nonce, PublicKey, Transaction,
};

fn benches(criterion: &mut Criterion) {
    let key = SigningKey::from_bytes(&[7; 32]);
    let transaction = Transaction {
        signer_id: "alice.testnet".parse().unwrap(),
        public_key: PublicKey::Ed25519(key.verifying_key().to_bytes()),
        nonce: Nonce(42),
        receiver_id: "w3a-v1.testnet".parse().unwrap(),
        block_hash: CryptoHash([9; 32]),
        actions: vec![Action::FunctionCall {
            method_name: "set_greeting".into(),
            args: Args::Json(r#"{"greeting":"hi"}"#.into()),
            gas: Gas(30_000_000_000_000),
            deposit: Balance(0),
        }],
        version_1: None,
    };
    criterion.bench_function("sign a function call", |bench| {
        bench.iter(|| black_box(transaction.clone()).sign(&key).unwrap());
    });
}

criterion_group!(sign, benches);
criterion_main!(sign);
