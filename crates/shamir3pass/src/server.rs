//! The server's side: its lock key, put on and taken off.

use base64ct::{Base64UrlUnpadded, Encoding};
use sha2::{Digest, Sha256};

use crate::{Exponent, Group, ShamirError};

#[cfg(test)]
mod tests;

const KEY_ID_DOMAIN: &[u8] = b"shamir3pass-key-id-v1";
const KEY_ID_LENGTH: usize = 16;

/// The server's lock key: `e` puts the lock on, `d` takes it off.
pub struct ServerKey {
    /// The exponent that locks, 256 bits.
    pub e: Exponent,
    /// Its inverse modulo p - 1.
    pub d: Exponent,
}

impl ServerKey {
    /// Makes a random lock key.
    ///
    /// # Errors
    /// [`ShamirError::NoRandomness`].
    pub fn make(group: &Group) -> Result<Self, ShamirError> {
        let (e, d) = Exponent::make_pair(group)?;
        Ok(Self { e, d })
    }

    /// The key's id: base64url of the first 16 bytes of SHA-256 over `shamir3pass-key-id-v1` || p || e,
    /// the numbers as minimal big-endian bytes.
    #[must_use]
    pub fn id(&self, group: &Group) -> String {
        let mut hasher = Sha256::new_with_prefix(KEY_ID_DOMAIN);
        hasher.update(group.prime());
        hasher.update(self.e.minimal_bytes());
        let hash = hasher.finalize();
        Base64UrlUnpadded::encode_string(hash.get(..KEY_ID_LENGTH).unwrap_or_default())
    }
}
