//! Derives and opens the account's key: the cost of one approval before it signs.
#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use latchkey_key_derivation::{
    PrfOutput, derive_near_encryption_key, derive_near_key, derive_vrf_seed,
};

fn benches(criterion: &mut Criterion) {
    let account = "alice.testnet";
    let prf = || PrfOutput::new((0..32).collect()).unwrap();
    let encrypted = derive_near_encryption_key(account, &prf())
        .seal_private_key(&derive_near_key(account, &prf()))
        .unwrap();

    criterion.bench_function("derive NEAR key", |bench| {
        bench.iter(|| derive_near_key(black_box(account), &prf()))
    });
    criterion.bench_function("derive VRF seed", |bench| {
        bench.iter(|| derive_vrf_seed(black_box(account), &prf()))
    });
    criterion.bench_function("derive encryption key and open private key", |bench| {
        bench.iter(|| {
            derive_near_encryption_key(black_box(account), &prf())
                .open_private_key(black_box(&encrypted))
                .unwrap()
        });
    });
}

criterion_group!(derive, benches);
criterion_main!(derive);
