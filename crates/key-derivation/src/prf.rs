//! An authenticator's PRF output. Refuses weak ones.

use subtle::ConstantTimeEq;
use thiserror::Error;
use zeroize::Zeroizing;

#[cfg(test)]
mod tests;

/// The length of a PRF output, in bytes (WebAuthn Level 3, section 10.1.4).
pub const PRF_OUTPUT_LENGTH: usize = 32;

/// One output of a passkey's PRF extension, 32 bytes: the root of the keys derived from it.
pub struct PrfOutput(Zeroizing<[u8; PRF_OUTPUT_LENGTH]>);

/// Why a PRF output is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PrfError {
    /// Not 32 bytes: the output is broken or missing.
    #[error("PRF output must be 32 bytes")]
    InvalidPrfLength,
    /// All zeros: the authenticator does not implement PRF.
    #[error("PRF output is all zeros: the authenticator did not evaluate it")]
    WeakPrfOutput,
}

impl PrfOutput {
    /// Takes the authenticator's 32 bytes and zeroes the buffer.
    ///
    /// # Errors
    /// [`PrfError`] if they are not 32 bytes, or all zeros.
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
