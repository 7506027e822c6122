#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use base64ct::{Base64UrlUnpadded, Encoding};
use proptest::prelude::*;
use serde::Deserialize;
use vrf_contract_verifier::verify_vrf;

use super::{VrfError, VrfKeypair, VrfProof, verify};
use crate::ChallengeRequest;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vector {
    secret_key_hex: String,
    vrf_public_key: String,
    vrf_input: String,
    vrf_proof: String,
    vrf_output: String,
}

fn vector() -> Vector {
    serde_json::from_str(include_str!("../../../../tests/vectors/vrf-proof.json")).unwrap()
}

fn decode(text: &str) -> Vec<u8> {
    Base64UrlUnpadded::decode_vec(text).unwrap()
}

fn vector_keypair() -> VrfKeypair {
    let vector = vector();
    let secret_key = hex::decode(vector.secret_key_hex).unwrap();
    VrfKeypair::from_bytes(&[decode(&vector.vrf_public_key), secret_key].concat()).unwrap()
}

/// The verdicts of the crate that proves, and of the published verifier. `verification/tests.rs` holds the registry's
/// equal to the latter.
fn is_accepted(public_key: &[u8], input: &[u8], output: &[u8], proof: &[u8]) -> (bool, bool) {
    let fixed = (
        public_key.try_into().unwrap(),
        output.try_into().unwrap(),
        proof.try_into().unwrap(),
    );
    let ours = verify(&fixed.0, input, &fixed.1, &fixed.2).is_ok();
    let published = verify_vrf(proof, public_key, input).is_ok_and(|proved| proved[..] == *output);
    (ours, published)
}

#[test]
fn proves_as_the_pinned_vector_says() {
    let vector = vector();
    let VrfProof { output, proof } = vector_keypair().prove(&decode(&vector.vrf_input));
    assert_eq!(Base64UrlUnpadded::encode_string(&proof), vector.vrf_proof);
    assert_eq!(Base64UrlUnpadded::encode_string(&output), vector.vrf_output);
    let public_key = decode(&vector.vrf_public_key);
    let accepted = is_accepted(&public_key, &decode(&vector.vrf_input), &output, &proof);
    assert_eq!(accepted, (true, true));
}

#[test]
fn rejects_every_altered_byte_of_the_proof() {
    let vector = vector();
    let (key, input) = (decode(&vector.vrf_public_key), decode(&vector.vrf_input));
    let (output, proof) = (decode(&vector.vrf_output), decode(&vector.vrf_proof));
    for position in 0..proof.len() {
        let mut altered = proof.clone();
        altered[position] ^= 1;
        assert_eq!(
            is_accepted(&key, &input, &output, &altered),
            (false, false),
            "{position}"
        );
    }
}

#[test]
fn rejects_another_output_input_or_key() {
    let vector = vector();
    let (key, input) = (decode(&vector.vrf_public_key), decode(&vector.vrf_input));
    let (output, proof) = (decode(&vector.vrf_output), decode(&vector.vrf_proof));
    let mut other_output = output.clone();
    other_output[0] ^= 1;
    assert_eq!(
        is_accepted(&key, &input, &other_output, &proof),
        (false, false)
    );
    assert_eq!(is_accepted(&key, &[0; 32], &output, &proof), (false, false));
    let other_key = VrfKeypair::derive(&[1; 32]).public_key();
    assert_eq!(
        is_accepted(&other_key, &input, &output, &proof),
        (false, false)
    );
}

#[test]
fn rejects_the_identity_as_public_key() {
    let output = [0; 64];
    assert_eq!(
        verify(&[0; 32], b"input", &output, &[0; 80]),
        Err(VrfError::ProofInvalid)
    );
}

#[test]
fn refuses_malformed_keypairs() {
    let bytes = vector_keypair().to_bytes();
    let mut other_public_key = bytes.clone();
    other_public_key[..32].copy_from_slice(&VrfKeypair::derive(&[1; 32]).public_key());
    let mut not_reduced = bytes.clone();
    not_reduced[63] |= 0xf0;
    let refused: [&[u8]; 6] = [
        &[],
        &bytes[..63],
        &[&bytes[..], &[0]].concat(),
        &[0; 64],
        &other_public_key[..],
        &not_reduced[..],
    ];
    for bytes in refused {
        assert_eq!(
            VrfKeypair::from_bytes(bytes).map(drop),
            Err(VrfError::KeypairInvalid)
        );
    }
}

#[test]
fn two_random_keypairs_differ() {
    let public_key = || VrfKeypair::make().unwrap().public_key();
    assert_ne!(public_key(), public_key());
}

#[test]
fn a_challenge_verifies_and_is_bound_to_its_intent() {
    let request = ChallengeRequest {
        user_id: "alice.testnet".to_owned(),
        rp_id: "Example.localhost".to_owned(),
        block_height: "12345".to_owned(),
        block_hash: format!("{}2", "1".repeat(31)),
        intent_digest: Some("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8".to_owned()),
        session_policy_digest: None,
    };
    let challenge = vector_keypair().challenge(&request).unwrap();
    let vector = vector();
    assert_eq!(challenge.vrf_input, vector.vrf_input);
    assert_eq!(challenge.vrf_output, vector.vrf_output);
    assert_eq!(challenge.vrf_proof, vector.vrf_proof);
    assert_eq!(challenge.vrf_public_key, vector.vrf_public_key);
    let digest: Vec<u8> = (0..32).collect();
    assert!(challenge.is_bound_to(&digest.try_into().unwrap()));
    assert_eq!(
        challenge.webauthn_challenge().unwrap()[..],
        decode(&vector.vrf_output)[..32]
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_keypair_survives_its_bytes(seed: [u8; 32]) {
        let keypair = VrfKeypair::derive(&seed);
        let read = VrfKeypair::from_bytes(&*keypair.to_bytes()).unwrap();
        prop_assert_eq!(read.to_bytes(), keypair.to_bytes());
    }

    #[test]
    fn every_proof_verifies(seed: [u8; 32], input: Vec<u8>) {
        let keypair = VrfKeypair::derive(&seed);
        let VrfProof { output, proof } = keypair.prove(&input);
        prop_assert_eq!(is_accepted(&keypair.public_key(), &input, &output, &proof), (true, true));
    }
}
