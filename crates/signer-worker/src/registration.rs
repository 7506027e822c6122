//! Checks of a registration's credential.

use base64ct::{Base64UrlUnpadded, Encoding};
use latchkey_webauthn::{
    AttestationObject, AuthenticatorData, Base64Url, Expectations, Origin, OriginPolicy, RpId,
    TopOrigins, UserVerification, WebAuthnError, WebAuthnRegistration, check_registration,
};
use serde::{Deserialize, Serialize};
use tsify::Tsify;

use crate::Outcome;

/// A new credential, and what its ceremony must have been for.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ConfirmRegistration {
    /// The credential.
    pub credential: WebAuthnRegistration,
    /// The challenge that it must answer, base64url without padding.
    #[tsify(type = "string")]
    pub expected_challenge: Base64Url,
    /// The relying party.
    pub rp_id: String,
    /// Origins that may run the ceremony; by default the rpId's host and its subdomains.
    #[tsify(optional)]
    pub allowed_origins: Option<Vec<String>>,
}

/// The contents of a verified credential.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ConfirmedRegistration {
    /// base64url without padding.
    pub credential_id: String,
    /// COSE (RFC 9052).
    #[serde(with = "serde_bytes")]
    #[tsify(type = "Uint8Array")]
    pub credential_public_key: Vec<u8>,
    /// -7 (ES256), -8 (EdDSA) or -257 (RS256).
    #[tsify(type = "number")]
    pub algorithm: f64,
    /// Always true: a credential without it is refused.
    pub user_present: bool,
    /// The flag UV. The caller refuses a passkey without it.
    pub user_verified: bool,
    /// The passkey is synced, or can be.
    pub backup_eligible: bool,
    /// The passkey is synced now.
    pub backup_state: bool,
    /// The signature counter.
    pub sign_count: u32,
    /// The authenticator's model, as a UUID.
    pub aaguid: String,
    /// `none`, `packed` or `fido-u2f`.
    pub attestation_format: &'static str,
}

pub(crate) fn extract_cose_public_key(attestation_object: &[u8]) -> Outcome<Vec<u8>> {
    let attestation = AttestationObject::parse(attestation_object)?;
    let credential = AuthenticatorData::parse(&attestation.authenticator_data)?.attested_credential;
    Ok(credential
        .ok_or(WebAuthnError::AttestedCredentialMissing)?
        .public_key_cose)
}

pub(crate) fn confirm(request: &ConfirmRegistration) -> Outcome<ConfirmedRegistration> {
    let origin_policy = match &request.allowed_origins {
        None => OriginPolicy::default(),
        Some(origins) => {
            let origins = origins.iter().map(|text| Origin::parse(text));
            OriginPolicy::Multiple(origins.collect::<Result<_, _>>()?)
        }
    };
    let verified = check_registration(
        &request.credential,
        &Expectations {
            challenge: &request.expected_challenge,
            rp_id: &RpId::parse(&request.rp_id)?,
            origin_policy: &origin_policy,
            allowed_origins: &[],
            // Which page embeds the wallet is the frame protocol's to judge, and the registry's.
            top_origins: TopOrigins::Any,
            // The page refuses an unverified user by `user_verified`, in words.
            user_verification: UserVerification::Preferred,
        },
    )?;
    Ok(ConfirmedRegistration {
        credential_id: Base64UrlUnpadded::encode_string(&verified.credential_id),
        credential_public_key: verified.public_key_cose,
        algorithm: verified.public_key.algorithm().cose_id() as f64,
        user_present: true,
        user_verified: verified.ceremony.user_verified,
        backup_eligible: verified.ceremony.backup_eligible,
        backup_state: verified.ceremony.backup_state,
        sign_count: verified.ceremony.sign_count,
        aaguid: uuid_text(verified.aaguid),
        attestation_format: verified.attestation_format.name(),
    })
}

/// The 8-4-4-4-12 form of RFC 9562.
fn uuid_text(bytes: [u8; 16]) -> String {
    let mut text = format!("{:032x}", u128::from_be_bytes(bytes));
    for position in [20, 16, 12, 8] {
        text.insert(position, '-');
    }
    text
}
