// Specification: core 1, core 3

#![allow(clippy::unwrap_used)]

use base64ct::{Base64UrlUnpadded, Encoding};
use proptest::prelude::*;

use super::{ChallengeError, ChallengeRequest, VrfChallenge};

fn request() -> ChallengeRequest {
    ChallengeRequest {
        user_id: "alice.testnet".to_owned(),
        rp_id: "example.localhost".to_owned(),
        block_height: "12345".to_owned(),
        block_hash: bs58::encode([1; 32]).into_string(),
        intent_digest: Some(Base64UrlUnpadded::encode_string(&[2; 32])),
        session_policy_digest: None,
    }
}

fn challenge(request: &ChallengeRequest) -> VrfChallenge {
    let input = request.input().unwrap();
    VrfChallenge {
        vrf_input: Base64UrlUnpadded::encode_string(&input.hash()),
        vrf_output: Base64UrlUnpadded::encode_string(&[9; 64]),
        vrf_proof: String::new(),
        vrf_public_key: String::new(),
        user_id: request.user_id.clone(),
        rp_id: request.rp_id.clone(),
        block_height: request.block_height.clone(),
        block_hash: Base64UrlUnpadded::encode_string(&input.block_hash),
        intent_digest: request.intent_digest.clone(),
        session_policy_digest: request.session_policy_digest.clone(),
    }
}

#[test]
fn refuses_each_malformed_field() {
    let malformed = [
        (
            ChallengeRequest {
                user_id: String::new(),
                ..request()
            },
            ChallengeError::UserIdMissing,
        ),
        (
            ChallengeRequest {
                rp_id: String::new(),
                ..request()
            },
            ChallengeError::RpIdMissing,
        ),
        (
            ChallengeRequest {
                intent_digest: Some("AAAA".to_owned()),
                ..request()
            },
            ChallengeError::DigestInvalid,
        ),
        (
            ChallengeRequest {
                session_policy_digest: Some("!".to_owned()),
                ..request()
            },
            ChallengeError::DigestInvalid,
        ),
        (
            ChallengeRequest {
                intent_digest: None,
                session_policy_digest: Some(Base64UrlUnpadded::encode_string(&[2; 32])),
                ..request()
            },
            ChallengeError::IntentDigestMissing,
        ),
    ];
    for (request, error) in malformed {
        assert_eq!(request.input(), Err(error));
    }
    for height in ["", "-1", "+1", "1.0", "0x10", " 1", "18446744073709551616"] {
        let request = ChallengeRequest {
            block_height: height.to_owned(),
            ..request()
        };
        assert_eq!(
            request.input(),
            Err(ChallengeError::BlockHeightInvalid),
            "{height:?}"
        );
    }
    for hash in [vec![1; 31], vec![1; 33]] {
        let block_hash = bs58::encode(hash).into_string();
        let request = ChallengeRequest {
            block_hash,
            ..request()
        };
        assert_eq!(request.input(), Err(ChallengeError::BlockHashInvalid));
    }
}

#[test]
fn is_bound_to_the_digest_of_its_input_and_no_other() {
    let challenge = challenge(&request());
    assert!(challenge.is_bound_to(&[2; 32]));
    assert!(!challenge.is_bound_to(&[3; 32]));
    // The digest that the challenge names does not matter.
    let relabelled = VrfChallenge {
        intent_digest: Some(Base64UrlUnpadded::encode_string(&[3; 32])),
        ..challenge.clone()
    };
    assert!(relabelled.is_bound_to(&[2; 32]) && !relabelled.is_bound_to(&[3; 32]));
    let of_another_user = VrfChallenge {
        user_id: "bob.testnet".to_owned(),
        ..challenge
    };
    assert!(!of_another_user.is_bound_to(&[2; 32]));
}

#[test]
fn the_webauthn_challenge_is_the_first_half_of_the_output_s9() {
    let challenge = challenge(&request());
    assert_eq!(challenge.webauthn_challenge(), Ok([9; 32]));
    let short = VrfChallenge {
        vrf_output: Base64UrlUnpadded::encode_string(&[9; 63]),
        ..challenge
    };
    assert_eq!(
        short.webauthn_challenge(),
        Err(ChallengeError::OutputInvalid)
    );
}

proptest! {
    #[test]
    fn a_challenge_survives_json(
        height: u64,
        hash: [u8; 32],
        digest: Option<[u8; 32]>,
        user_id in "[a-z]{1,20}\\.testnet",
    ) {
        let request = ChallengeRequest {
            user_id,
            block_height: height.to_string(),
            block_hash: bs58::encode(hash).into_string(),
            intent_digest: digest.map(|digest| Base64UrlUnpadded::encode_string(&digest)),
            ..request()
        };
        let json = serde_json::to_string(&request).unwrap();
        prop_assert_eq!(&serde_json::from_str::<ChallengeRequest>(&json).unwrap(), &request);
        let challenge = challenge(&request);
        prop_assert_eq!(challenge.input().unwrap(), request.input().unwrap());
        let json = serde_json::to_string(&challenge).unwrap();
        prop_assert_eq!(serde_json::from_str::<VrfChallenge>(&json).unwrap(), challenge);
    }
}
