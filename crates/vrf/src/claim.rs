//! The verification of a challenge, the same code on the chain and in the relay.

use crate::verification::proves;
use crate::{
    ChallengeInput, OUTPUT_LENGTH, PROOF_LENGTH, PUBLIC_KEY_LENGTH, WEBAUTHN_CHALLENGE_LENGTH,
};

#[cfg(test)]
mod tests;

/// A challenge as its maker claims it.
#[derive(Debug, Clone, Copy)]
pub struct ClaimedChallenge<'a> {
    /// The data that it is bound to.
    pub input: ChallengeInput<'a>,
    /// The VRF input: must be the hash of that data.
    pub input_hash: [u8; 32],
    /// The output; its first half is the WebAuthn challenge.
    pub output: [u8; OUTPUT_LENGTH],
    /// The proof: gamma, c, s.
    pub proof: [u8; PROOF_LENGTH],
    /// The public key that proves.
    pub public_key: [u8; PUBLIC_KEY_LENGTH],
}

/// Why a claimed challenge is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ClaimError {
    /// The VRF input is another hash.
    #[error("vrf_data.vrf_input_data does not follow from the other fields")]
    OtherInput,
    /// The proof proves another output, or nothing.
    #[error("the VRF proof or its output is wrong")]
    ProofInvalid,
}

impl ClaimedChallenge<'_> {
    /// Recomputes the input and verifies the proof; returns the WebAuthn challenge.
    ///
    /// # Errors
    /// [`ClaimError`].
    pub fn verify(&self) -> Result<[u8; WEBAUTHN_CHALLENGE_LENGTH], ClaimError> {
        if self.input_hash != self.input.hash() {
            return Err(ClaimError::OtherInput);
        }
        if !proves(
            &self.proof,
            &self.output,
            &self.public_key,
            &self.input_hash,
        ) {
            return Err(ClaimError::ProofInvalid);
        }
        let mut challenge = [0; WEBAUTHN_CHALLENGE_LENGTH];
        challenge.copy_from_slice(self.output.split_at(WEBAUTHN_CHALLENGE_LENGTH).0);
        Ok(challenge)
    }
}
