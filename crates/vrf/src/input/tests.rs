#![allow(clippy::unwrap_used)]

use base64ct::{Base64UrlUnpadded, Encoding};
use serde::Deserialize;

use super::ChallengeInput;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vector {
    user_id: String,
    rp_id: String,
    block_height: u64,
    block_hash_hex: String,
    intent_digest_hex: String,
    vrf_input: String,
}

fn bytes(hex: &str) -> [u8; 32] {
    hex::decode(hex).unwrap().try_into().unwrap()
}

#[test]
fn hashes_as_the_pinned_vectors_say() {
    let vectors = include_str!("../../../../tests/vectors/vrf-input.json");
    let vectors: Vec<Vector> = serde_json::from_str(vectors).unwrap();
    assert_eq!(vectors.len(), 2);
    for vector in vectors {
        let input = ChallengeInput {
            user_id: &vector.user_id,
            rp_id: &vector.rp_id,
            block_height: vector.block_height,
            block_hash: bytes(&vector.block_hash_hex),
            intent_digest: Some(bytes(&vector.intent_digest_hex)),
            session_policy_digest: None,
        };
        assert_eq!(
            Base64UrlUnpadded::encode_string(&input.hash()),
            vector.vrf_input
        );
    }
}

#[test]
fn every_field_changes_the_hash() {
    let input = ChallengeInput {
        user_id: "alice.testnet",
        rp_id: "example.localhost",
        block_height: 7,
        block_hash: [1; 32],
        intent_digest: Some([2; 32]),
        session_policy_digest: None,
    };
    let others = [
        ChallengeInput {
            user_id: "bob.testnet",
            ..input
        },
        ChallengeInput {
            rp_id: "other.localhost",
            ..input
        },
        ChallengeInput {
            block_height: 8,
            ..input
        },
        ChallengeInput {
            block_hash: [3; 32],
            ..input
        },
        ChallengeInput {
            intent_digest: Some([3; 32]),
            ..input
        },
        ChallengeInput {
            intent_digest: None,
            ..input
        },
        ChallengeInput {
            session_policy_digest: Some([3; 32]),
            ..input
        },
    ];
    for other in others {
        assert_ne!(other.hash(), input.hash());
    }
    let same_site = ChallengeInput {
        rp_id: "EXAMPLE.localhost",
        ..input
    };
    assert_eq!(same_site.hash(), input.hash());
}
