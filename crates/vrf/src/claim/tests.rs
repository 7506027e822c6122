#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use super::{ClaimError, ClaimedChallenge};
use crate::{ChallengeInput, VrfKeypair};

fn claimed<'a>() -> ClaimedChallenge<'a> {
    let input = ChallengeInput {
        user_id: "alice.testnet",
        rp_id: "wallet.example",
        block_height: 12_345,
        block_hash: [7; 32],
        intent_digest: Some([8; 32]),
        session_policy_digest: None,
    };
    let keypair = VrfKeypair::derive(&[1; 32]);
    let input_hash = input.hash();
    let proven = keypair.prove(&input_hash);
    ClaimedChallenge {
        input,
        input_hash,
        output: proven.output,
        proof: proven.proof,
        public_key: keypair.public_key(),
    }
}

#[test]
fn a_challenge_that_its_key_proves_is_the_first_half_of_the_output() {
    let claimed = claimed();
    assert_eq!(claimed.verify().unwrap(), claimed.output[..32]);
}

#[test]
fn a_challenge_of_another_input_is_refused() {
    let good = claimed();
    let inputs = [
        ChallengeInput {
            user_id: "bob.testnet",
            ..good.input
        },
        ChallengeInput {
            block_height: 12_346,
            ..good.input
        },
        ChallengeInput {
            intent_digest: Some([9; 32]),
            ..good.input
        },
    ];
    for input in inputs {
        let bad = ClaimedChallenge { input, ..good };
        assert_eq!(bad.verify(), Err(ClaimError::OtherInput), "{input:?}");
        // With its own hash the input is right, and the proof is of another.
        let input_hash = input.hash();
        let bad = ClaimedChallenge { input_hash, ..bad };
        assert_eq!(bad.verify(), Err(ClaimError::ProofInvalid), "{input:?}");
    }
}

#[test]
fn a_changed_proof_output_or_key_is_refused() {
    let good = claimed();
    for at in [0, 40, 79] {
        let mut bad = good;
        bad.proof[at] ^= 1;
        assert_eq!(bad.verify(), Err(ClaimError::ProofInvalid), "proof {at}");
    }
    for at in [0, 63] {
        let mut bad = good;
        bad.output[at] ^= 1;
        assert_eq!(bad.verify(), Err(ClaimError::ProofInvalid), "output {at}");
    }
    for public_key in [[0; 32], VrfKeypair::derive(&[2; 32]).public_key()] {
        let bad = ClaimedChallenge { public_key, ..good };
        assert_eq!(bad.verify(), Err(ClaimError::ProofInvalid));
    }
}
