//! The verification of a proof (RFC 9381, section 5.3), for the fewest instructions: a chain charges each one.
//!
//! Everything here is public, so nothing takes constant time. The scalars of a sum share their doublings, and the
//! encodings of the key and of gamma are the ones that were decoded: ristretto255 has one encoding of a point.
//! `vrf-contract-verifier` is the oracle of its tests.

use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoPoint};
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::{IsIdentity, VartimeMultiscalarMul};
use sha2::{Digest, Sha512};

use crate::{OUTPUT_LENGTH, PROOF_LENGTH, PUBLIC_KEY_LENGTH};

#[cfg(test)]
mod tests;

/// The suite string of the `vrf-wasm` crate.
const SUITE: &[u8] = b"sui_vrf";
/// The hash to the curve's domain, then its length (RFC 9380, section 5.3.1).
const HASH_TO_CURVE_DOMAIN: &[u8] = b"ECVRF_ristretto255_XMD:SHA-512_R255MAP_RO_sui_vrf\x31";
/// Bytes of SHA-512's block.
const BLOCK_LENGTH: usize = 128;
/// Bytes of the proof's challenge.
const CHALLENGE_LENGTH: usize = 16;

/// Whether `proof` proves that `output` is the output of `public_key` for `input`.
pub(crate) fn proves(
    proof: &[u8; PROOF_LENGTH],
    output: &[u8; OUTPUT_LENGTH],
    public_key: &[u8; PUBLIC_KEY_LENGTH],
    input: &[u8],
) -> bool {
    let (gamma_bytes, challenge, s) = split(proof);
    let Some(key) = point(public_key).filter(|key| !key.is_identity()) else {
        return false;
    };
    let Some(gamma) = point(&gamma_bytes) else {
        return false;
    };
    let Some(s) = Option::<Scalar>::from(Scalar::from_canonical_bytes(s)) else {
        return false;
    };
    let c = scalar_of(&challenge);
    let h = hash_to_curve(public_key, input);
    let u = RistrettoPoint::vartime_double_scalar_mul_basepoint(&c, &-key, &s);
    let v = RistrettoPoint::vartime_multiscalar_mul([s, c], [h, -gamma]);

    let transcript = Sha512::new()
        .chain_update(SUITE)
        .chain_update([2])
        .chain_update(public_key)
        .chain_update(h.compress().0)
        .chain_update(gamma_bytes)
        .chain_update(u.compress().0)
        .chain_update(v.compress().0)
        .chain_update([0]);
    let hash = Sha512::new()
        .chain_update(SUITE)
        .chain_update([3])
        .chain_update(gamma_bytes)
        .chain_update([0]);
    transcript.finalize().starts_with(&challenge) && hash.finalize().as_slice() == output
}

/// The proof's parts: gamma 32, c 16, s 32 bytes (RFC 9381, section 5.4.4).
fn split(proof: &[u8; PROOF_LENGTH]) -> ([u8; 32], [u8; CHALLENGE_LENGTH], [u8; 32]) {
    let (mut gamma, mut c, mut s) = ([0; 32], [0; CHALLENGE_LENGTH], [0; 32]);
    let (gamma_part, rest) = proof.split_at(gamma.len());
    let (c_part, s_part) = rest.split_at(c.len());
    gamma.copy_from_slice(gamma_part);
    c.copy_from_slice(c_part);
    s.copy_from_slice(s_part);
    (gamma, c, s)
}

fn point(bytes: &[u8; 32]) -> Option<RistrettoPoint> {
    CompressedRistretto(*bytes).decompress()
}

fn scalar_of(challenge: &[u8; CHALLENGE_LENGTH]) -> Scalar {
    Scalar::from(u128::from_le_bytes(*challenge))
}

/// The point of key and input: RFC 9380's `expand_message_xmd` by SHA-512 to 64 bytes, then ristretto255's map.
fn hash_to_curve(public_key: &[u8; PUBLIC_KEY_LENGTH], input: &[u8]) -> RistrettoPoint {
    let first = Sha512::new()
        .chain_update([0; BLOCK_LENGTH])
        .chain_update(public_key)
        .chain_update(input)
        .chain_update([0, 64, 0])
        .chain_update(HASH_TO_CURVE_DOMAIN)
        .finalize();
    let uniform = Sha512::new()
        .chain_update(first)
        .chain_update([1])
        .chain_update(HASH_TO_CURVE_DOMAIN)
        .finalize();
    RistrettoPoint::from_uniform_bytes(&uniform.into())
}
