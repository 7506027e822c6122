//! A NEAR ed25519 private key and its text.

use std::fmt::{self, Debug, Formatter};

use ed25519_dalek::SigningKey;
use thiserror::Error;
use zeroize::Zeroizing;

#[cfg(test)]
mod tests;

const PREFIX: &str = "ed25519:";
/// Base58 of 64 bytes has at most 88 characters.
const MAX_TEXT_LENGTH: usize = PREFIX.len() + 88;

/// A NEAR ed25519 private key, zeroed on drop.
///
/// Its text is `ed25519:` and base58 of the 32-byte seed followed by the 32-byte public key.
pub struct PrivateKey(SigningKey);

/// The text is not a NEAR ed25519 private key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PrivateKeyError {
    /// Not `ed25519:` and base58 of 64 bytes.
    #[error("private key must be ed25519: and base58 of 64 bytes")]
    InvalidPrivateKey,
    /// The second half is not the public key of the first.
    #[error("private key does not match the public key inside it")]
    PrivateKeyMismatch,
}

impl PrivateKey {
    /// The key of a 32-byte seed (RFC 8032, section 5.1.5).
    #[must_use]
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(seed))
    }

    /// Parses the text form, given as UTF-8 bytes. Copies it only into memory that is zeroed.
    ///
    /// # Errors
    /// [`PrivateKeyError`] if the form is wrong or the two halves do not match.
    pub fn from_text(text: &[u8]) -> Result<Self, PrivateKeyError> {
        let encoded = text
            .strip_prefix(PREFIX.as_bytes())
            .filter(|_| text.len() <= MAX_TEXT_LENGTH)
            .ok_or(PrivateKeyError::InvalidPrivateKey)?;
        let mut keypair = Zeroizing::new([0; 64]);
        let length = bs58::decode(encoded)
            .onto(keypair.as_mut_slice())
            .map_err(|_| PrivateKeyError::InvalidPrivateKey)?;
        if length != keypair.len() {
            return Err(PrivateKeyError::InvalidPrivateKey);
        }
        let (seed, public_key) = keypair
            .split_first_chunk()
            .ok_or(PrivateKeyError::InvalidPrivateKey)?;
        let key = Self::from_seed(seed);
        if key.public_key() == public_key {
            Ok(key)
        } else {
            Err(PrivateKeyError::PrivateKeyMismatch)
        }
    }

    /// The text form, 95 or 96 characters.
    #[must_use]
    pub fn to_text(&self) -> Zeroizing<String> {
        let keypair = Zeroizing::new(self.0.to_keypair_bytes());
        let mut text = Zeroizing::new(String::with_capacity(MAX_TEXT_LENGTH));
        text.push_str(PREFIX);
        let mut encoded = Zeroizing::new([0; MAX_TEXT_LENGTH - PREFIX.len()]);
        let length = bs58::encode(keypair.as_slice()).onto(encoded.as_mut_slice());
        debug_assert!(length.is_ok());
        text.extend(
            encoded
                .iter()
                .take(length.unwrap_or_default())
                .copied()
                .map(char::from),
        );
        text
    }

    /// The ed25519 signing key.
    #[must_use]
    pub fn signing_key(&self) -> &SigningKey {
        &self.0
    }

    /// The public key, 32 bytes.
    #[must_use]
    pub fn public_key(&self) -> [u8; 32] {
        self.0.verifying_key().to_bytes()
    }
}

impl Debug for PrivateKey {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("PrivateKey(..)")
    }
}
