//! The client's side: wrapping a secret under the server's lock, and unwrapping it.

use base64ct::{Base64UrlUnpadded, Encoding};
use latchkey_key_derivation::{
    NONCE_LENGTH, SealError, Sealed, TAG_LENGTH, derive_shamir_aead_key,
};
use zeroize::Zeroizing;

use crate::{Element, Exponent, Group, ShamirError};

#[cfg(test)]
mod tests;

/// A wrap that waits for the server's answer.
pub struct Wrap {
    kek_c: Element,
    unlock: Exponent,
}

/// A wrapped secret as storage keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrapped {
    /// base64url of nonce (12 bytes) || ChaCha20-Poly1305 ciphertext.
    pub ciphertext_b64u: String,
    /// The KEK under only the server's lock.
    pub kek_s_b64u: String,
}

/// An unwrap that waits for the server's answer.
pub struct Unwrap {
    kek_cs: Element,
    unlock: Exponent,
}

impl Wrap {
    /// Draws `kek_c` and `d_c`.
    ///
    /// # Errors
    /// [`ShamirError::NoRandomness`].
    pub fn start(group: &Group) -> Result<Self, ShamirError> {
        Ok(Self {
            kek_c: group.make_square()?,
            unlock: Exponent::make_short()?,
        })
    }

    /// The KEK under the client's lock, base64url: the request to the server.
    #[must_use]
    pub fn kek_c(&self, group: &Group) -> String {
        group.element_to_text(&self.kek_c)
    }

    /// Takes the client's lock off the server's answer and encrypts `secret`: two short powers.
    ///
    /// # Errors
    /// [`ShamirError::NumberInvalid`] or [`ShamirError::ElementOutOfRange`] for a bad answer,
    /// [`ShamirError::LockMissing`] for one under which `kek_s` shows the KEK.
    pub fn finish(
        self,
        group: &Group,
        kek_cs: &str,
        secret: &[u8],
    ) -> Result<Wrapped, ShamirError> {
        let kek_cs = group.answer_from_text(kek_cs, &self.kek_c)?;
        let kek = group.power(&self.kek_c, &self.unlock);
        let kek_s = group.power(&kek_cs, &self.unlock);
        let sealed = derive_shamir_aead_key(kek.bytes()).seal(secret)?;
        let blob = [&sealed.nonce[..], &sealed.ciphertext].concat();
        Ok(Wrapped {
            ciphertext_b64u: Base64UrlUnpadded::encode_string(&blob),
            kek_s_b64u: group.element_to_text(&kek_s),
        })
    }
}

impl Unwrap {
    /// Puts a fresh client's lock on the stored `kek_s`; returns the request to the server, base64url. One
    /// short power and one inverse.
    ///
    /// # Errors
    /// [`ShamirError::NumberInvalid`], [`ShamirError::ElementOutOfRange`], [`ShamirError::NoRandomness`].
    pub fn start(group: &Group, kek_s: &str) -> Result<(Self, String), ShamirError> {
        let kek_s = group.element_from_text(kek_s)?;
        let (lock, unlock) = Exponent::make_pair(group)?;
        let kek_cs = group.power(&kek_s, &lock);
        let request = group.element_to_text(&kek_cs);
        Ok((Self { kek_cs, unlock }, request))
    }

    /// Takes the client's lock off the server's answer and decrypts: one full power.
    ///
    /// # Errors
    /// [`ShamirError::NumberInvalid`] or [`ShamirError::ElementOutOfRange`] for a bad answer,
    /// [`ShamirError::LockMissing`] for one that would open only a KEK that lies in the clear,
    /// [`ShamirError::BlobMalformed`], [`ShamirError::DecryptionFailed`].
    pub fn finish(
        self,
        group: &Group,
        kek_c: &str,
        ciphertext_b64u: &str,
    ) -> Result<Zeroizing<Vec<u8>>, ShamirError> {
        let kek_c = group.answer_from_text(kek_c, &self.kek_cs)?;
        let sealed = sealed_from_text(ciphertext_b64u)?;
        let kek = group.power(&kek_c, &self.unlock);
        Ok(derive_shamir_aead_key(kek.bytes()).open(&sealed)?)
    }
}

fn sealed_from_text(blob: &str) -> Result<Sealed, ShamirError> {
    let blob = Base64UrlUnpadded::decode_vec(blob).map_err(|_| ShamirError::BlobMalformed)?;
    match blob.split_first_chunk::<NONCE_LENGTH>() {
        Some((nonce, ciphertext)) if ciphertext.len() >= TAG_LENGTH => Ok(Sealed {
            nonce: *nonce,
            ciphertext: ciphertext.to_vec(),
        }),
        _ => Err(ShamirError::BlobMalformed),
    }
}

impl From<SealError> for ShamirError {
    fn from(error: SealError) -> Self {
        match error {
            SealError::NoRandomness => Self::NoRandomness,
            SealError::EncryptionFailed => Self::EncryptionFailed,
            _ => Self::DecryptionFailed,
        }
    }
}
