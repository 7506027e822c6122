//! Checks signatures with the chain's host functions.

use latchkey_webauthn::SignatureVerifier;
use near_sdk::env;

/// Checks ES256 and EdDSA with host functions, and RS256, for which the chain has none, in WASM.
///
/// `env::p256_verify` needs protocol 85. The feature `p256-wasm` checks ES256 in WASM too and does not
/// import that function: below 85 the unknown import would make every call fail.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HostVerifier;

impl SignatureVerifier for HostVerifier {
    #[cfg(not(feature = "p256-wasm"))]
    fn verify_es256(&self, public_key: &[u8; 33], digest: &[u8; 32], signature: &[u8; 64]) -> bool {
        env::p256_verify(signature, digest, public_key)
    }

    #[cfg(feature = "p256-wasm")]
    fn verify_es256(&self, public_key: &[u8; 33], digest: &[u8; 32], signature: &[u8; 64]) -> bool {
        latchkey_webauthn::verify_es256(public_key, digest, signature)
    }

    fn verify_rs256(
        &self,
        modulus: &[u8],
        exponent: &[u8],
        digest: &[u8; 32],
        signature: &[u8],
    ) -> bool {
        latchkey_webauthn::verify_rs256(modulus, exponent, digest, signature)
    }

    fn verify_ed25519(&self, public_key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
        env::ed25519_verify(signature, message, public_key)
    }
}
