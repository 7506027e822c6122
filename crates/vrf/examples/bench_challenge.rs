//! Prints the median time of one VRF challenge in nanoseconds: what `scripts/bench/shamir-vrf.mjs`
//! compares the WASM build with.
#![allow(clippy::unwrap_used)]

use std::{hint::black_box, time::Instant};

use latchkey_vrf::{ChallengeRequest, VrfKeypair};

const WARM_UP: usize = 50;
const RUNS: usize = 301;

fn main() {
    let keypair = VrfKeypair::derive(&[7; 32]);
    let request = ChallengeRequest {
        user_id: "alice.testnet".to_owned(),
        rp_id: "example.localhost".to_owned(),
        block_height: "12345".to_owned(),
        block_hash: "1".repeat(32),
        intent_digest: Some("A".repeat(43)),
        session_policy_digest: None,
    };
    let run = || {
        let start = Instant::now();
        black_box(keypair.challenge(black_box(&request)).unwrap());
        start.elapsed().as_nanos()
    };
    let mut times: Vec<u128> = (0..WARM_UP + RUNS).map(|_| run()).skip(WARM_UP).collect();
    times.sort_unstable();
    println!("{}", times.get(RUNS / 2).unwrap());
}
