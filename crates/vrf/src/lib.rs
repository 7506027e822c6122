//! The VRF challenge: its input, keypair, proof and verification.
//!
//! A passkey ceremony's challenge is the first 32 bytes of a VRF output over user, site, block and
//! intent, so the proof shows a verifier that the passkey signed exactly these. The VRF is ECVRF
//! over ristretto255 with SHA-512 (RFC 9381 with the suite string of the `vrf-wasm` crate): public key
//! 32 bytes, proof 80, output 64.
//!
//! Only the block height proves freshness: a contract cannot read past block hashes, so the proof binds
//! the hash but no verifier checks it.
//!
//! Without the features `prove` and `verify` only the input and the wire types remain, for the signer; that links no
//! curve. The registry contract and the relay verify alone.
#![forbid(unsafe_code)]

mod challenge;
#[cfg(feature = "verify")]
mod claim;
mod input;
#[cfg(feature = "prove")]
mod keypair;
#[cfg(feature = "verify")]
mod verification;

pub use challenge::{ChallengeError, ChallengeRequest, VrfChallenge};
#[cfg(feature = "verify")]
pub use claim::{ClaimError, ClaimedChallenge};
pub use input::ChallengeInput;
#[cfg(feature = "prove")]
pub use keypair::{VrfError, VrfKeypair, VrfProof, verify};

/// Bytes of a VRF public key: a compressed ristretto255 point.
pub const PUBLIC_KEY_LENGTH: usize = 32;
/// Bytes of a VRF output.
pub const OUTPUT_LENGTH: usize = 64;
/// Bytes of a VRF proof: gamma 32, c 16, s 32 (RFC 9381, section 5.4.4).
pub const PROOF_LENGTH: usize = 80;
/// Bytes of the WebAuthn challenge: the output's first half.
pub const WEBAUTHN_CHALLENGE_LENGTH: usize = 32;
