//! Signature checks, which the caller provides.

use sha2::{Digest, Sha256};

use crate::{CosePublicKey, cose::compress_p256, der::ecdsa_signature_from_der};

/// Checks signatures: in the contract with the chain's host functions, in native code with
/// [`NativeVerifier`](crate::NativeVerifier). Every method returns `false` for a malformed key.
pub trait SignatureVerifier {
    /// ECDSA over P-256. `public_key` is a compressed point, `digest` the SHA-256 of the message,
    /// `signature` is `r || s`. Accepts a high `s`, because browsers send both.
    fn verify_es256(&self, public_key: &[u8; 33], digest: &[u8; 32], signature: &[u8; 64]) -> bool;

    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, section 8.2.2). Modulus (256 to 512 bytes) and exponent
    /// are big-endian, `digest` is the SHA-256 of the message.
    fn verify_rs256(
        &self,
        modulus: &[u8],
        exponent: &[u8],
        digest: &[u8; 32],
        signature: &[u8],
    ) -> bool;

    /// Ed25519 (RFC 8032, section 5.1.7) over the message itself.
    fn verify_ed25519(&self, public_key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool;
}

/// Checks a signature in WebAuthn's encoding (Level 3, section 6.5.5): DER for ES256, else raw.
pub(crate) fn verify_signature(
    verifier: &impl SignatureVerifier,
    key: &CosePublicKey,
    message: &[u8],
    signature: &[u8],
) -> bool {
    match key {
        CosePublicKey::Es256 { x, y } => {
            ecdsa_signature_from_der(signature).is_ok_and(|signature| {
                verifier.verify_es256(&compress_p256(x, y), &sha256(message), &signature)
            })
        }
        CosePublicKey::Rs256 { n, e } => verifier.verify_rs256(n, e, &sha256(message), signature),
        CosePublicKey::EdDsa { x } => signature
            .try_into()
            .is_ok_and(|signature| verifier.verify_ed25519(x, message, signature)),
    }
}

pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// ES256 in plain Rust: [`SignatureVerifier::verify_es256`] where the chain has no host function for it.
#[cfg(feature = "es256-verify")]
#[must_use]
pub fn verify_es256(public_key: &[u8; 33], digest: &[u8; 32], signature: &[u8; 64]) -> bool {
    use p256::ecdsa::{Signature, VerifyingKey, signature::hazmat::PrehashVerifier};
    let key = VerifyingKey::from_sec1_bytes(public_key);
    let signature = Signature::from_slice(signature);
    matches!((key, signature), (Ok(key), Ok(signature)) if key.verify_prehash(digest, &signature).is_ok())
}

/// RS256 in plain Rust: [`SignatureVerifier::verify_rs256`] where the platform has no function for it.
#[cfg(feature = "rs256-verify")]
#[must_use]
pub fn verify_rs256(modulus: &[u8], exponent: &[u8], digest: &[u8; 32], signature: &[u8]) -> bool {
    use rsa::{BigUint, Pkcs1v15Sign, RsaPublicKey};
    let (n, e) = (
        BigUint::from_bytes_be(modulus),
        BigUint::from_bytes_be(exponent),
    );
    RsaPublicKey::new(n, e).is_ok_and(|key| {
        key.verify(Pkcs1v15Sign::new::<Sha256>(), digest, signature)
            .is_ok()
    })
}

/// All three algorithms in plain Rust, for native code.
#[cfg(feature = "native-verify")]
#[derive(Debug, Clone, Copy, Default)]
pub struct NativeVerifier;

#[cfg(feature = "native-verify")]
impl SignatureVerifier for NativeVerifier {
    fn verify_es256(&self, public_key: &[u8; 33], digest: &[u8; 32], signature: &[u8; 64]) -> bool {
        verify_es256(public_key, digest, signature)
    }

    fn verify_rs256(
        &self,
        modulus: &[u8],
        exponent: &[u8],
        digest: &[u8; 32],
        signature: &[u8],
    ) -> bool {
        verify_rs256(modulus, exponent, digest, signature)
    }

    fn verify_ed25519(&self, public_key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
        use ed25519_dalek::{Signature, VerifyingKey};
        VerifyingKey::from_bytes(public_key).is_ok_and(|key| {
            key.verify_strict(message, &Signature::from_bytes(signature))
                .is_ok()
        })
    }
}
