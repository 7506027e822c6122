//! The NEP-413 off-chain message payload: its encoding, hash and signature.
//!
//! The signed hash is SHA-256 of the tag 2^31 + 413 (u32, little-endian) followed by the payload's borsh bytes,
//! so that no signature of a message is one of a transaction. Source: NEP-413, "Signature".

#![forbid(unsafe_code)]

use base64ct::{Base64, Encoding};
use borsh::{BorshDeserialize, BorshSerialize};
use ed25519_dalek::{Signer, SigningKey};
use sha2::{Digest, Sha256};
use thiserror::Error;

#[cfg(test)]
mod tests;

/// The length of a nonce, in bytes.
pub const NONCE_LENGTH: usize = 32;

/// 2^31 + 413, written before the payload (NEP-461's discriminant of NEP-413).
const TAG: u32 = 2_147_484_061;

/// A message to sign. The order of the fields is the NEP's encoding.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Payload {
    /// The text that the user agrees to.
    pub message: String,
    /// 32 random bytes that keep the signature from being used twice.
    pub nonce: [u8; NONCE_LENGTH],
    /// The recipient, e.g. `myapp.com` or an account id.
    pub recipient: String,
    /// The URL to which a web wallet returns the signature.
    pub callback_url: Option<String>,
}

/// Why a payload cannot be signed or read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Nep413Error {
    /// The nonce is not 32 bytes.
    #[error("nonce must be 32 bytes")]
    InvalidNonce,
    /// The recipient is empty.
    #[error("recipient is empty")]
    MissingRecipient,
    /// A text over 4 GiB.
    #[error("message cannot be encoded")]
    UnencodableMessage,
    /// Not the tagged borsh encoding of a payload.
    #[error("not a NEP-413 payload")]
    UndecodableMessage,
}

impl Payload {
    /// A payload, with the nonce's length and the recipient checked.
    ///
    /// # Errors
    /// [`Nep413Error::InvalidNonce`] or [`Nep413Error::MissingRecipient`].
    pub fn new(
        message: String,
        nonce: &[u8],
        recipient: String,
        callback_url: Option<String>,
    ) -> Result<Self, Nep413Error> {
        let nonce = nonce.try_into().map_err(|_| Nep413Error::InvalidNonce)?;
        if recipient.is_empty() {
            return Err(Nep413Error::MissingRecipient);
        }
        Ok(Self {
            message,
            nonce,
            recipient,
            callback_url,
        })
    }

    /// The tag and the borsh bytes.
    ///
    /// # Errors
    /// [`Nep413Error::UnencodableMessage`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, Nep413Error> {
        borsh::to_vec(&(TAG, self)).map_err(|_| Nep413Error::UnencodableMessage)
    }

    /// Reads what [`Payload::to_bytes`] wrote; bytes after its end are refused.
    ///
    /// # Errors
    /// [`Nep413Error::UndecodableMessage`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Nep413Error> {
        match <(u32, Self)>::try_from_slice(bytes) {
            Ok((TAG, payload)) => Ok(payload),
            _ => Err(Nep413Error::UndecodableMessage),
        }
    }

    /// SHA-256 of [`Payload::to_bytes`]: what is signed.
    ///
    /// # Errors
    /// [`Nep413Error::UnencodableMessage`].
    pub fn hash(&self) -> Result<[u8; 32], Nep413Error> {
        Ok(Sha256::digest(self.to_bytes()?).into())
    }

    /// Signs; the signature is 64 bytes (RFC 8032).
    ///
    /// # Errors
    /// [`Nep413Error::UnencodableMessage`].
    pub fn sign(&self, key: &SigningKey) -> Result<[u8; 64], Nep413Error> {
        Ok(key.sign(&self.hash()?).to_bytes())
    }

    /// The nonce in standard base64, as the NEP writes it in JSON.
    #[must_use]
    pub fn nonce_text(&self) -> String {
        Base64::encode_string(&self.nonce)
    }
}

/// A signature in standard base64, as the NEP returns it.
#[must_use]
pub fn signature_text(signature: &[u8; 64]) -> String {
    Base64::encode_string(signature)
}
