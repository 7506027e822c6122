//! The check that a passkey's assertion approves one digest and nothing else.
//!
//! The signer runs this check before it opens a key: it recomputes the VRF input from the account, the site, the block
//! and *its own* digest. This exposes a host, a page or another worker that showed one intent and handed over another.
//! The registry judges the VRF proof and the passkey's signature. Where an account has no record there,
//! [`Intent::check_ceremony`] makes up for what needs no signature.

use base64ct::{Base64UrlUnpadded, Encoding};
use latchkey_vrf::{ChallengeError, VrfChallenge};
use latchkey_webauthn::{
    AuthenticatorData, CeremonyType, ClientData, Flags, Origin, RpId, WebAuthnError,
};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::IntentDigest;

#[cfg(test)]
mod tests;

/// The content to be signed, and its signer.
#[derive(Debug, Clone, Copy)]
pub struct Intent<'a> {
    /// The account that signs.
    pub account: &'a str,
    /// The relying party whose passkey approves.
    pub rp_id: &'a str,
    /// The digest of what will be signed.
    pub digest: &'a IntentDigest,
}

/// Why an assertion does not approve an intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ApprovalError {
    /// The challenge or the client data belongs to another intent, account, site or ceremony.
    #[error("the approval was not made for what is to be signed: {0}")]
    IntentDigestMismatch(Mismatch),
    /// A field of the challenge is malformed.
    #[error("VRF challenge: {0}")]
    Challenge(#[from] ChallengeError),
    /// The client data is malformed.
    #[error("client data: {0}")]
    ClientData(WebAuthnError),
    /// The authenticator data is malformed.
    #[error("authenticator data: {0}")]
    AuthenticatorData(WebAuthnError),
}

/// What differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Mismatch {
    /// The challenge names another account.
    #[error("the challenge is of another account")]
    Account,
    /// The challenge names another site.
    #[error("the challenge is of another site")]
    RpId,
    /// The challenge names another digest, or none.
    #[error("the challenge names another digest")]
    Digest,
    /// The VRF input is not the hash of account, site, block and digest.
    #[error("the VRF input is another")]
    VrfInput,
    /// The client data is not of `webauthn.get`.
    #[error("the passkey was asked in another ceremony")]
    Ceremony,
    /// The passkey answered a challenge other than the VRF output.
    #[error("the passkey answered another challenge")]
    Challenge,
    /// The page that asked is neither of the site nor the wallet's own.
    #[error("another page asked the passkey")]
    Origin,
    /// The authenticator answered for another site.
    #[error("the authenticator answered for another site")]
    Authenticator,
    /// The authenticator did not verify the user.
    #[error("the user was not verified")]
    UserVerification,
}

impl Intent<'_> {
    /// Checks that `challenge` is bound to this intent, and that the passkey's `client_data_json` answers it.
    ///
    /// # Errors
    /// [`ApprovalError`]; nothing may be signed then.
    pub fn check_approval(
        &self,
        challenge: &VrfChallenge,
        client_data_json: &[u8],
    ) -> Result<(), ApprovalError> {
        self.check_challenge(challenge)?;
        let client_data = match ClientData::parse(client_data_json) {
            Ok(client_data) if client_data.ceremony == CeremonyType::Get => client_data,
            Ok(_) | Err(WebAuthnError::WrongCeremony) => return mismatch(Mismatch::Ceremony),
            Err(error) => return Err(ApprovalError::ClientData(error)),
        };
        if client_data.challenge != challenge.webauthn_challenge()? {
            return mismatch(Mismatch::Challenge);
        }
        Ok(())
    }

    /// Checks what only the registry checks elsewhere, except the two signatures: the site that the authenticator answered
    /// for, the verified user, and the page that asked. That page is of the site, or the wallet's own (`own_origin`), which
    /// may be a related origin of it (Level 3, section 5.11).
    ///
    /// # Errors
    /// [`ApprovalError`]; nothing may be signed then.
    pub fn check_ceremony(
        &self,
        client_data_json: &[u8],
        authenticator_data: &[u8],
        own_origin: &str,
    ) -> Result<(), ApprovalError> {
        let data = AuthenticatorData::parse(authenticator_data)
            .map_err(ApprovalError::AuthenticatorData)?;
        let rp_id = RpId::parse(self.rp_id).map_err(ApprovalError::ClientData)?;
        if data.rp_id_hash[..] != Sha256::digest(rp_id.as_str())[..] {
            return mismatch(Mismatch::Authenticator);
        }
        if !data.flags.has(Flags::USER_PRESENT | Flags::USER_VERIFIED) {
            return mismatch(Mismatch::UserVerification);
        }
        let origin = ClientData::parse(client_data_json)
            .map_err(ApprovalError::ClientData)?
            .origin;
        let is_of_site = || Origin::parse(&origin).is_ok_and(|origin| origin.is_within(&rp_id));
        if origin != own_origin && !is_of_site() {
            return mismatch(Mismatch::Origin);
        }
        Ok(())
    }

    fn check_challenge(&self, challenge: &VrfChallenge) -> Result<(), ApprovalError> {
        let named = challenge.input()?;
        if named.user_id != self.account {
            return mismatch(Mismatch::Account);
        }
        if !named.rp_id.eq_ignore_ascii_case(self.rp_id) {
            return mismatch(Mismatch::RpId);
        }
        if named.intent_digest.as_ref() != Some(self.digest) {
            return mismatch(Mismatch::Digest);
        }
        // What it names is this intent's by now, and the hash takes the rpId in lower case.
        if challenge.vrf_input != Base64UrlUnpadded::encode_string(&named.hash()) {
            return mismatch(Mismatch::VrfInput);
        }
        Ok(())
    }
}

fn mismatch(mismatch: Mismatch) -> Result<(), ApprovalError> {
    Err(ApprovalError::IntentDigestMismatch(mismatch))
}
