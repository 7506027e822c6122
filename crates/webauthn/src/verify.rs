//! Checks the two ceremonies step by step (Level 3, sections 7.1 and 7.2).

use crate::{
    AttestationFormat, AttestationObject, AttestedCredential, AuthenticatorData, CeremonyType,
    ClientData, CosePublicKey, Flags, Origin, OriginPolicy, RpId, SignatureVerifier,
    UserVerification, WebAuthnAuthentication, WebAuthnError, WebAuthnRegistration,
    signature::{sha256, verify_signature},
};

/// The values that a ceremony must match.
#[derive(Debug, Clone)]
pub struct Expectations<'a> {
    /// The challenge.
    pub challenge: &'a [u8],
    /// The rpId.
    pub rp_id: &'a RpId,
    /// Which origins may run the ceremony.
    pub origin_policy: &'a OriginPolicy,
    /// Origins that the policy `all_subdomains` admits in addition to the rpId's own.
    pub allowed_origins: &'a [Origin],
    /// Which pages may embed the page that ran it.
    pub top_origins: TopOrigins<'a>,
    /// The user verification requirement; only `Required` enforces UV.
    pub user_verification: UserVerification,
}

/// Which pages may embed the page that runs a ceremony.
#[derive(Debug, Clone, Copy)]
pub enum TopOrigins<'a> {
    /// Any. The caller decides, based on the values that verification returns.
    Any,
    /// These. Also passes a ceremony that was not embedded, or whose browser names no top origin.
    OneOf(&'a [Origin]),
}

/// A registration that passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedRegistration {
    /// The credential id, 1 to 1023 bytes.
    pub credential_id: Vec<u8>,
    /// The public key.
    pub public_key: CosePublicKey,
    /// The public key's COSE bytes as received.
    pub public_key_cose: Vec<u8>,
    /// The authenticator's model; zeros if it does not tell.
    pub aaguid: [u8; 16],
    /// The attestation format.
    pub attestation_format: AttestationFormat,
    /// Flags, counter and origin.
    pub ceremony: VerifiedCeremony,
}

/// An authentication that passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedAuthentication {
    /// The credential id, 1 to 1023 bytes.
    pub credential_id: Vec<u8>,
    /// The user handle, if the authenticator returned one; at most 64 bytes.
    pub user_handle: Option<Vec<u8>>,
    /// Flags, counter and origin.
    pub ceremony: VerifiedCeremony,
}

/// The data of either ceremony.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedCeremony {
    /// The user was verified, by PIN or biometrics.
    pub user_verified: bool,
    /// The credential may be backed up: it is or can become a synced passkey.
    pub backup_eligible: bool,
    /// The credential is backed up now.
    pub backup_state: bool,
    /// The signature counter; always 0 for synced passkeys.
    pub sign_count: u32,
    /// The origin of the page that ran the ceremony.
    pub origin: Origin,
    /// Whether that page was in a frame under another origin, according to the browser.
    pub cross_origin: bool,
    /// The outermost page's origin, if cross-origin and the browser names it.
    pub top_origin: Option<Origin>,
}

/// Checks a registration in full, including the attestation's signature.
///
/// # Errors
/// The first check that fails, in the order of section 7.1.
pub fn verify_registration(
    registration: &WebAuthnRegistration,
    expected: &Expectations<'_>,
    verifier: &impl SignatureVerifier,
) -> Result<VerifiedRegistration, WebAuthnError> {
    let parsed = ParsedRegistration::read(registration, expected)?;
    let client_data_hash = sha256(&registration.response.client_data_json);
    parsed.attestation.statement.verify(
        &parsed.attestation.authenticator_data,
        &parsed.authenticator_data,
        &parsed.credential,
        &client_data_hash,
        verifier,
    )?;
    Ok(parsed.into_verified())
}

/// Checks a registration except for the attestation's signature, and so needs no curve. For the format
/// `none`, which the wallet requests, this equals the full check.
///
/// # Errors
/// The first check that fails, in the order of section 7.1.
pub fn check_registration(
    registration: &WebAuthnRegistration,
    expected: &Expectations<'_>,
) -> Result<VerifiedRegistration, WebAuthnError> {
    ParsedRegistration::read(registration, expected).map(ParsedRegistration::into_verified)
}

/// Checks an authentication by the credential whose COSE public key is `public_key_cose`. The caller must
/// check that the credential belongs to the account, and compare counters.
///
/// # Errors
/// The first check that fails, in the order of section 7.2.
pub fn verify_authentication(
    authentication: &WebAuthnAuthentication,
    expected: &Expectations<'_>,
    public_key_cose: &[u8],
    verifier: &impl SignatureVerifier,
) -> Result<VerifiedAuthentication, WebAuthnError> {
    authentication.check_shape()?;
    let response = &authentication.response;
    let client_data = ClientData::parse(&response.client_data_json)?;
    let authenticator_data = AuthenticatorData::parse(&response.authenticator_data)?;
    let ceremony = check_ceremony(
        &client_data,
        &authenticator_data,
        CeremonyType::Get,
        expected,
    )?;
    // Section 6.1: assertions carry no attested credential.
    if authenticator_data.attested_credential.is_some() {
        return Err(WebAuthnError::AttestedCredentialUnexpected);
    }
    let public_key = CosePublicKey::parse(public_key_cose)?;
    let message = [
        &response.authenticator_data[..],
        &sha256(&response.client_data_json),
    ]
    .concat();
    if !verify_signature(verifier, &public_key, &message, &response.signature) {
        return Err(WebAuthnError::SignatureInvalid);
    }
    Ok(VerifiedAuthentication {
        credential_id: authentication.raw_id.to_vec(),
        user_handle: response.user_handle.as_ref().map(|handle| handle.to_vec()),
        ceremony,
    })
}

/// A registration that passed every check except the attestation's signature.
struct ParsedRegistration {
    attestation: AttestationObject,
    authenticator_data: AuthenticatorData,
    credential: AttestedCredential,
    ceremony: VerifiedCeremony,
}

impl ParsedRegistration {
    fn read(
        registration: &WebAuthnRegistration,
        expected: &Expectations<'_>,
    ) -> Result<Self, WebAuthnError> {
        registration.check_shape()?;
        let client_data = ClientData::parse(&registration.response.client_data_json)?;
        let attestation = AttestationObject::parse(&registration.response.attestation_object)?;
        let mut authenticator_data = AuthenticatorData::parse(&attestation.authenticator_data)?;
        let ceremony = check_ceremony(
            &client_data,
            &authenticator_data,
            CeremonyType::Create,
            expected,
        )?;
        let credential = authenticator_data
            .attested_credential
            .take()
            .ok_or(WebAuthnError::AttestedCredentialMissing)?;
        if credential.credential_id != registration.raw_id.0 {
            return Err(WebAuthnError::CredentialIdMismatch);
        }
        Ok(Self {
            attestation,
            authenticator_data,
            credential,
            ceremony,
        })
    }

    fn into_verified(self) -> VerifiedRegistration {
        VerifiedRegistration {
            credential_id: self.credential.credential_id,
            public_key: self.credential.public_key,
            public_key_cose: self.credential.public_key_cose,
            aaguid: self.credential.aaguid,
            attestation_format: self.attestation.statement.format(),
            ceremony: self.ceremony,
        }
    }
}

/// The checks common to both ceremonies: type, challenge, origins, rpId, flags.
fn check_ceremony(
    client_data: &ClientData,
    authenticator_data: &AuthenticatorData,
    ceremony: CeremonyType,
    expected: &Expectations<'_>,
) -> Result<VerifiedCeremony, WebAuthnError> {
    if client_data.ceremony != ceremony {
        return Err(WebAuthnError::WrongCeremony);
    }
    if expected.challenge.is_empty() || client_data.challenge != expected.challenge {
        return Err(WebAuthnError::ChallengeMismatch);
    }
    let origin = Origin::parse(&client_data.origin)?;
    if !expected
        .origin_policy
        .admits(&origin, expected.rp_id, expected.allowed_origins)
    {
        return Err(WebAuthnError::OriginNotAllowed);
    }
    let top_origin = client_data
        .top_origin
        .as_deref()
        .map(Origin::parse)
        .transpose()?;
    check_top_origin(top_origin.as_ref(), expected.top_origins)?;
    if authenticator_data.rp_id_hash != sha256(expected.rp_id.as_str().as_bytes()) {
        return Err(WebAuthnError::RpIdHashMismatch);
    }
    let flags = authenticator_data.flags;
    if !flags.has(Flags::USER_PRESENT) {
        return Err(WebAuthnError::UserNotPresent);
    }
    let user_verified = flags.has(Flags::USER_VERIFIED);
    if expected.user_verification == UserVerification::Required && !user_verified {
        return Err(WebAuthnError::UserNotVerified);
    }
    Ok(VerifiedCeremony {
        user_verified,
        backup_eligible: flags.has(Flags::BACKUP_ELIGIBLE),
        backup_state: flags.has(Flags::BACKUP_STATE),
        sign_count: authenticator_data.sign_count,
        origin,
        cross_origin: client_data.cross_origin.unwrap_or(false),
        top_origin,
    })
}

fn check_top_origin(
    top_origin: Option<&Origin>,
    allowed: TopOrigins<'_>,
) -> Result<(), WebAuthnError> {
    match (top_origin, allowed) {
        (Some(origin), TopOrigins::OneOf(origins)) if !origins.contains(origin) => {
            Err(WebAuthnError::TopOriginNotAllowed)
        }
        _ => Ok(()),
    }
}
