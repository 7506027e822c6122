//! Proof and verification of one challenge.
#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use latchkey_vrf::{VrfKeypair, verify};

fn vrf(criterion: &mut Criterion) {
    let (keypair, input) = (VrfKeypair::derive(&[7; 32]), [1; 32]);
    let (public_key, proved) = (keypair.public_key(), keypair.prove(&input));
    criterion.bench_function("VRF prove", |bencher| {
        bencher.iter(|| keypair.prove(&input))
    });
    criterion.bench_function("VRF verify", |bencher| {
        bencher.iter(|| verify(&public_key, &input, &proved.output, &proved.proof).unwrap());
    });
}

criterion_group!(benches, vrf);
criterion_main!(benches);
