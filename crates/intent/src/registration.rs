//! The check of a registration without a chain: of what the registry refuses whatever its state is.
//!
//! The relay runs it before it asks a node. What remains for the registry: the age of the block, the origins that it
//! allows, the names and credentials that it knows, and an attestation's signature, which none of the wallet's
//! registrations has.

use latchkey_vrf::{ClaimError, ClaimedChallenge};
use latchkey_webauthn::{
    ClientData, Expectations, Origin, OriginPolicy, RpId, TopOrigins, UserVerification,
    WebAuthnError, WebAuthnRegistration, check_registration,
};
use thiserror::Error;

use crate::register_digest;

#[cfg(test)]
mod tests;

/// A registration through the relay, of the account that the challenge names.
#[derive(Debug, Clone, Copy)]
pub struct Registration<'a> {
    /// The challenge.
    pub challenge: ClaimedChallenge<'a>,
    /// The passkey that answered it.
    pub credential: &'a WebAuthnRegistration,
}

/// Why no registry accepts a registration. The texts are the registry's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RegistrationError {
    /// The challenge approves something else.
    #[error("the intent digest is not the one of this operation")]
    OtherIntent,
    /// The challenge is forged.
    #[error(transparent)]
    Challenge(#[from] ClaimError),
    /// The credential is malformed, or made for something else.
    #[error("the credential: {0}")]
    Credential(#[from] WebAuthnError),
}

impl Registration<'_> {
    /// Checks intent, proof and credential, in the registry's order. Takes any origin that can use passkeys.
    ///
    /// # Errors
    /// [`RegistrationError`].
    pub fn check(&self) -> Result<(), RegistrationError> {
        let input = &self.challenge.input;
        let rp_id = RpId::parse(input.rp_id)?;
        if input.intent_digest != Some(register_digest(input.user_id)) {
            return Err(RegistrationError::OtherIntent);
        }
        let challenge = self.challenge.verify()?;
        let client_data = ClientData::parse(&self.credential.response.client_data_json)?;
        let expected = Expectations {
            challenge: &challenge,
            rp_id: &rp_id,
            origin_policy: &OriginPolicy::Single(Origin::parse(&client_data.origin)?),
            allowed_origins: &[],
            top_origins: TopOrigins::Any,
            user_verification: UserVerification::Required,
        };
        check_registration(self.credential, &expected)?;
        Ok(())
    }
}
