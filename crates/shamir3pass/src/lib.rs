//! The Shamir three-pass lock over a safe-prime group.
//!
//! Two parties lock a value with their own exponents and take the locks off in any order, since powers
//! commute. Neither learns the other's exponent, and the server never sees the value. The value here is a
//! key-encryption key (KEK) that guards the VRF keypair at rest.
//!
//! - Wrapping: the client sends `kek_c`, a random square; the server answers `kek_cs = kek_c^e_s`. The
//!   client keeps `kek_s = kek_cs^d_c` and, encrypted under `KEK = kek_c^d_c`, the keypair. Drawing `kek_c`
//!   and `d_c` instead of KEK and `e_c` gives the same distribution for two short powers.
//! - Unwrapping: the client sends `kek_cs = kek_s^e_t` with a fresh `e_t`; the server takes its lock off,
//!   `kek_c = kek_cs^d_s`; the client takes its own off, `KEK = kek_c^d_t`.
//!
//! A group is the integers modulo a safe prime `p` of 2048 to 4096 bits; the default is group 14 of RFC
//! 3526. Numbers travel as minimal big-endian bytes in base64url without padding. Powers with secret
//! exponents take constant time; secrets are zeroed when dropped.
#![forbid(unsafe_code)]

mod exponent;
mod group;
mod inverse;
mod kek;
mod modulus;
mod prime;
mod server;
#[cfg(test)]
mod tests;

pub use exponent::Exponent;
pub use group::{Element, Group};
pub use kek::{Unwrap, Wrap, Wrapped};
pub use server::ServerKey;

/// Why an operation of the lock failed. No variant carries bytes of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ShamirError {
    /// Not minimal big-endian bytes in base64url without padding.
    #[error("not a number in base64url without padding")]
    NumberInvalid,
    /// `p` has fewer than 2048 bits.
    #[error("the prime p must have at least 2048 bits")]
    PrimeTooSmall,
    /// `p` has more than 4096 bits.
    #[error("the prime p must have at most 4096 bits")]
    PrimeTooLarge,
    /// `p` or `(p - 1) / 2` is not prime.
    #[error("p is not a safe prime")]
    PrimeNotSafe,
    /// A value outside of 2..p-2.
    #[error("the value is not between 2 and p - 2")]
    ElementOutOfRange,
    /// The server answered with what was sent, its negative or an inverse of these: no lock is on.
    #[error("the server's lock does not lock: its answer shows what was sent")]
    LockMissing,
    /// An exponent that is zero, too large or shares a factor with p - 1.
    #[error("the exponent has no inverse modulo p - 1")]
    ExponentInvalid,
    /// Another key, or altered bytes.
    #[error("decryption failed: another key, or altered data")]
    DecryptionFailed,
    /// The blob is shorter than nonce and tag.
    #[error("the encrypted data is malformed")]
    BlobMalformed,
    /// Encryption failed.
    #[error("encryption failed")]
    EncryptionFailed,
    /// The platform gave no random bytes.
    #[error("no random bytes from the platform")]
    NoRandomness,
}

impl ShamirError {
    /// The variant's name in SCREAMING_SNAKE_CASE, stable across versions.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NumberInvalid => "NUMBER_INVALID",
            Self::PrimeTooSmall => "PRIME_TOO_SMALL",
            Self::PrimeTooLarge => "PRIME_TOO_LARGE",
            Self::PrimeNotSafe => "PRIME_NOT_SAFE",
            Self::ElementOutOfRange => "ELEMENT_OUT_OF_RANGE",
            Self::LockMissing => "LOCK_MISSING",
            Self::ExponentInvalid => "EXPONENT_INVALID",
            Self::DecryptionFailed => "DECRYPTION_FAILED",
            Self::BlobMalformed => "BLOB_MALFORMED",
            Self::EncryptionFailed => "ENCRYPTION_FAILED",
            Self::NoRandomness => "NO_RANDOMNESS",
        }
    }
}

/// Reads a number: base64url without padding of minimal big-endian bytes.
///
/// # Errors
/// [`ShamirError::NumberInvalid`], also for an empty text and a leading zero byte.
pub fn number_from_text(text: &str) -> Result<zeroize::Zeroizing<Vec<u8>>, ShamirError> {
    use base64ct::{Base64UrlUnpadded, Encoding};
    let bytes = Base64UrlUnpadded::decode_vec(text).map_err(|_| ShamirError::NumberInvalid)?;
    let bytes = zeroize::Zeroizing::new(bytes);
    if matches!(bytes.first(), None | Some(0)) {
        Err(ShamirError::NumberInvalid)
    } else {
        Ok(bytes)
    }
}

/// Writes a number: base64url without padding of its minimal big-endian bytes.
#[must_use]
pub fn number_to_text(bytes: &[u8]) -> String {
    use base64ct::{Base64UrlUnpadded, Encoding};
    Base64UrlUnpadded::encode_string(minimal(bytes))
}

/// Big-endian bytes without leading zeros.
pub(crate) fn minimal(bytes: &[u8]) -> &[u8] {
    let start = bytes
        .iter()
        .position(|byte| *byte != 0)
        .unwrap_or(bytes.len());
    bytes.split_at(start).1
}

/// A number shifted right by one bit, big-endian.
pub(crate) fn halve(number: &[u8]) -> Vec<u8> {
    let mut carry = 0;
    let shift = |byte: &u8| {
        let shifted = (byte >> 1) | carry;
        carry = byte << 7;
        shifted
    };
    number.iter().map(shift).collect()
}

/// Fills a buffer with random bytes.
pub(crate) fn fill_random(bytes: &mut [u8]) -> Result<(), ShamirError> {
    getrandom::getrandom(bytes).map_err(|_| ShamirError::NoRandomness)
}
