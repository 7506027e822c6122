//! Encryption at rest: ChaCha20-Poly1305 (RFC 8439) with a random nonce and no associated data.

use base64ct::{Base64UrlUnpadded, Encoding};
use chacha20poly1305::aead::AeadInPlace;
use chacha20poly1305::{ChaCha20Poly1305, KeyInit};
use thiserror::Error;
use zeroize::Zeroizing;

use crate::{PrivateKey, PrivateKeyError};

#[cfg(test)]
mod tests;

/// The length of a nonce, in bytes.
pub const NONCE_LENGTH: usize = 12;
/// The length of the authentication tag at the end of a ciphertext, in bytes.
pub const TAG_LENGTH: usize = 16;

/// A ChaCha20-Poly1305 key, 32 bytes.
pub struct EncryptionKey(Zeroizing<[u8; 32]>);

/// A ciphertext and its nonce.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// The encrypted bytes followed by the 16-byte tag.
    pub ciphertext: Vec<u8>,
    /// 12 random bytes.
    pub nonce: [u8; NONCE_LENGTH],
}

/// A NEAR private key's text in its encrypted storage form; both fields are base64url without padding.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "ts",
    derive(serde::Serialize, serde::Deserialize, tsify::Tsify),
    serde(rename_all = "camelCase")
)]
pub struct EncryptedPrivateKey {
    /// The ciphertext and its 16-byte tag.
    pub encrypted_data: String,
    /// The 12-byte nonce.
    pub iv: String,
}

/// Why something could not be encrypted or decrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SealError {
    /// The platform returned no random bytes.
    #[error("no random bytes from the platform")]
    NoRandomness,
    /// The plaintext is longer than RFC 8439 allows.
    #[error("encryption failed")]
    EncryptionFailed,
    /// The key is wrong, or the bytes were altered.
    #[error("decryption failed: another passkey, or altered data")]
    DecryptionFailed,
    /// The stored form is not base64url of a ciphertext and a 12-byte nonce.
    #[error("encrypted data is malformed")]
    MalformedCiphertext,
    /// The plaintext is not a private key.
    #[error(transparent)]
    PrivateKey(#[from] PrivateKeyError),
}

impl EncryptionKey {
    pub(crate) fn new(key: Zeroizing<[u8; 32]>) -> Self {
        Self(key)
    }

    #[cfg(test)]
    pub(crate) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Encrypts `plaintext` under a fresh random nonce.
    ///
    /// # Errors
    /// [`SealError::NoRandomness`] or [`SealError::EncryptionFailed`].
    pub fn seal(&self, plaintext: &[u8]) -> Result<Sealed, SealError> {
        let mut nonce = [0; NONCE_LENGTH];
        getrandom::getrandom(&mut nonce).map_err(|_| SealError::NoRandomness)?;
        self.seal_with_nonce(plaintext, nonce)
    }

    /// Decrypts the output of [`EncryptionKey::seal`].
    ///
    /// # Errors
    /// [`SealError::DecryptionFailed`] if the key is wrong or a byte was altered.
    pub fn open(&self, sealed: &Sealed) -> Result<Zeroizing<Vec<u8>>, SealError> {
        let mut buffer = Zeroizing::new(sealed.ciphertext.clone());
        self.cipher()
            .decrypt_in_place(&sealed.nonce.into(), &[], &mut *buffer)
            .map_err(|_| SealError::DecryptionFailed)?;
        Ok(buffer)
    }

    /// Encrypts the text of a NEAR private key.
    ///
    /// # Errors
    /// [`SealError::NoRandomness`] or [`SealError::EncryptionFailed`].
    pub fn seal_private_key(&self, key: &PrivateKey) -> Result<EncryptedPrivateKey, SealError> {
        let sealed = self.seal(key.to_text().as_bytes())?;
        Ok(EncryptedPrivateKey {
            encrypted_data: Base64UrlUnpadded::encode_string(&sealed.ciphertext),
            iv: Base64UrlUnpadded::encode_string(&sealed.nonce),
        })
    }

    /// Decrypts a NEAR private key.
    ///
    /// # Errors
    /// [`SealError::MalformedCiphertext`], [`SealError::DecryptionFailed`], or [`SealError::PrivateKey`] if
    /// the plaintext is not a private key.
    pub fn open_private_key(
        &self,
        encrypted: &EncryptedPrivateKey,
    ) -> Result<PrivateKey, SealError> {
        let ciphertext = Base64UrlUnpadded::decode_vec(&encrypted.encrypted_data)
            .map_err(|_| SealError::MalformedCiphertext)?;
        let nonce = Base64UrlUnpadded::decode_vec(&encrypted.iv)
            .map_err(|_| SealError::MalformedCiphertext)?;
        let nonce = nonce
            .try_into()
            .map_err(|_| SealError::MalformedCiphertext)?;
        let text = self.open(&Sealed { ciphertext, nonce })?;
        Ok(PrivateKey::from_text(&text)?)
    }

    fn seal_with_nonce(
        &self,
        plaintext: &[u8],
        nonce: [u8; NONCE_LENGTH],
    ) -> Result<Sealed, SealError> {
        // Reserve room for the tag, because growing the buffer would leave a copy of the plaintext in memory.
        let mut buffer = Zeroizing::new(Vec::with_capacity(plaintext.len() + TAG_LENGTH));
        buffer.extend_from_slice(plaintext);
        self.cipher()
            .encrypt_in_place(&nonce.into(), &[], &mut *buffer)
            .map_err(|_| SealError::EncryptionFailed)?;
        Ok(Sealed {
            ciphertext: std::mem::take(&mut *buffer),
            nonce,
        })
    }

    fn cipher(&self) -> ChaCha20Poly1305 {
        ChaCha20Poly1305::new((&*self.0).into())
    }
}
