#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT;
use curve25519_dalek::traits::Identity;
use proptest::prelude::*;
use vrf_contract_verifier::{VrfProof, VrfPublicKey};

use super::*;
use crate::VrfKeypair;

/// The verdict of `vrf-contract-verifier`.
fn oracle(proof: &[u8; 80], output: &[u8; 64], public_key: &[u8; 32], input: &[u8]) -> bool {
    let (gamma, c, s) = split(proof);
    VrfProof { gamma, c, s }
        .verify_output(input, &VrfPublicKey(*public_key), output)
        .is_ok()
}

/// Both verdicts, which must be equal.
fn verdict(proof: &[u8; 80], output: &[u8; 64], public_key: &[u8; 32], input: &[u8]) -> bool {
    let ours = proves(proof, output, public_key, input);
    assert_eq!(ours, oracle(proof, output, public_key, input));
    ours
}

/// A proof by a secret key of any value, 0 too: gamma, c, s and the output that follows from gamma.
fn prove(x: Scalar, k: Scalar, public_key: &[u8; 32], input: &[u8]) -> ([u8; 80], [u8; 64]) {
    let h = hash_to_curve(public_key, input);
    let gamma = (x * h).compress().0;
    let mut transcript = Sha512::new();
    transcript.update(b"sui_vrf\x02");
    for bytes in [
        *public_key,
        h.compress().0,
        gamma,
        (k * RISTRETTO_BASEPOINT_POINT).compress().0,
        (k * h).compress().0,
    ] {
        transcript.update(bytes);
    }
    transcript.update([0]);
    let c = <[u8; 16]>::try_from(&transcript.finalize()[..16]).unwrap();
    let s = k + scalar_of(&c) * x;
    let mut proof = [0; 80];
    proof[..32].copy_from_slice(&gamma);
    proof[32..48].copy_from_slice(&c);
    proof[48..].copy_from_slice(s.as_bytes());
    let output = Sha512::new()
        .chain_update(b"sui_vrf\x03")
        .chain_update(gamma)
        .chain_update([0])
        .finalize();
    (proof, output.into())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_proof_of_any_key_and_input_is_accepted(seed: [u8; 32], input in prop::collection::vec(any::<u8>(), 0..300)) {
        let keypair = VrfKeypair::derive(&seed);
        let proved = keypair.prove(&input);
        prop_assert!(verdict(&proved.proof, &proved.output, &keypair.public_key(), &input));
    }

    #[test]
    fn a_proof_with_any_bit_changed_is_refused(seed: [u8; 32], bit in 0..1664_usize) {
        let (keypair, mut input) = (VrfKeypair::derive(&seed), [7; 32]);
        let (mut proved, mut key) = (keypair.prove(&input), keypair.public_key());
        let (at, mask) = (bit / 8, 1 << (bit % 8));
        match at {
            0..80 => proved.proof[at] ^= mask,
            80..144 => proved.output[at - 80] ^= mask,
            144..176 => key[at - 144] ^= mask,
            _ => input[at - 176] ^= mask,
        }
        prop_assert!(!verdict(&proved.proof, &proved.output, &key, &input));
    }

    #[test]
    fn a_proof_for_scalars_of_any_size_is_accepted(x: [u8; 32], k: [u8; 32], bits in 1..253_usize) {
        // The lower `bits` of a random number, so that short scalars are met too.
        let short = |mut bytes: [u8; 32]| {
            for at in bits..256 {
                bytes[at / 8] &= !(1 << (at % 8));
            }
            Scalar::from_bytes_mod_order(bytes)
        };
        let x = short(x);
        prop_assume!(x != Scalar::ZERO);
        let public_key = (x * RISTRETTO_BASEPOINT_POINT).compress().0;
        let (proof, output) = prove(x, short(k), &public_key, b"input");
        prop_assert!(verdict(&proof, &output, &public_key, b"input"));
    }
}

#[test]
fn a_key_that_is_no_point_or_the_neutral_one_is_refused() {
    let neutral = RistrettoPoint::identity().compress().0;
    let (proof, output) = prove(Scalar::ZERO, Scalar::from(9_u8), &neutral, b"input");
    assert!(!verdict(&proof, &output, &neutral, b"input"));
    for public_key in [[0xff; 32], [1; 32], BAD_ENCODINGS[0], BAD_ENCODINGS[1]] {
        let (proof, output) = prove(Scalar::ONE, Scalar::from(9_u8), &public_key, b"input");
        assert!(!verdict(&proof, &output, &public_key, b"input"));
    }
}

#[test]
fn gamma_in_another_encoding_is_refused() {
    let keypair = VrfKeypair::derive(&[3; 32]);
    let proved = keypair.prove(b"input");
    for gamma in BAD_ENCODINGS {
        let mut proof = proved.proof;
        proof[..32].copy_from_slice(&gamma);
        assert!(!verdict(
            &proof,
            &proved.output,
            &keypair.public_key(),
            b"input"
        ));
    }
}

#[test]
fn a_scalar_that_is_not_reduced_is_refused() {
    let keypair = VrfKeypair::derive(&[3; 32]);
    let proved = keypair.prove(b"input");
    // The same number and the group's order, without a carry beyond 32 bytes.
    let mut proof = proved.proof;
    let mut carry = 0;
    for (byte, order) in proof[48..].iter_mut().zip(ORDER) {
        carry += u16::from(*byte) + u16::from(order);
        *byte = carry.to_le_bytes()[0];
        carry >>= 8;
    }
    assert_eq!(carry, 0);
    assert!(!verdict(
        &proof,
        &proved.output,
        &keypair.public_key(),
        b"input"
    ));
}

/// The order of ristretto255, little-endian (RFC 9496, section 4).
const ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

/// A field element that is not reduced, and a negative one (RFC 9496, appendix A.2).
const BAD_ENCODINGS: [[u8; 32]; 2] = {
    let mut unreduced = [0xff; 32];
    unreduced[31] = 0x7f;
    let mut negative = [0; 32];
    negative[0] = 1;
    [unreduced, negative]
};
