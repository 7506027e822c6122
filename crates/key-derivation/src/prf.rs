//! What an authenticator's PRF returned, refused when it is weak.

use subtle::ConstantTimeEq;
use thiserror::Error;
use zeroize::Zeroizing;

#[cfg(test)]
mod tests;

/// The length of a PRF output, in bytes (WebAuthn Level 3, section 10.1.4).
pub const PRF_OUTPUT_LENGTH: usize = 32;

/// One output of a passkey's PRF extension, 32 bytes: the root of every key made from it.
pub struct PrfOutput(Zeroizing<[u8; PRF_OUTPUT_LENGTH]>);

/// Why a PRF output is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PrfError {
    /// Not 32 bytes: a broken or missing output.
    #[error("PRF output must be 32 bytes")]
    InvalidPrfLength,
    /// All bytes zero: an authenticator that does not implement PRF.
    #[error("PRF output is all zeros: the authenticator did not evaluate it")]
    WeakPrfOutput,
}

impl PrfOutput {
    /// Takes the 32 bytes that the authenticator returned; the given buffer is zeroed.
    ///
    /// # Errors
    /// [`PrfError`] when they are not 32 bytes or all zero.
    pub fn new(bytes: Vec<u8>) -> Result<Self, PrfError> {
        let bytes = Zeroizing::new(bytes);
        let output: Zeroizing<[u8; PRF_OUTPUT_LENGTH]> = Zeroizing::new(
            bytes
                .as_slice()
                .try_into()
                .map_err(|_| PrfError::InvalidPrfLength)?,
        );
        if bool::from(output.ct_eq(&[0; PRF_OUTPUT_LENGTH])) {
            return Err(PrfError::WeakPrfOutput);
        }
        Ok(Self(output))
    }

    pub(crate) fn as_bytes(&self) -> &[u8; PRF_OUTPUT_LENGTH] {
        &self.0
    }
}
