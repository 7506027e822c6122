//! The registration's credential and the registry's view of it.

use base64ct::{Base64UrlUnpadded, Encoding};
use js_sys::JSON;
use latchkey_vrf::VrfChallenge;
use latchkey_webauthn::{
    AttestationObject, AuthenticatorData, Base64Url, Expectations, Origin, OriginPolicy, RpId,
    TopOrigins, UserVerification, WebAuthnError, WebAuthnRegistration, check_registration,
};
use tsify::Tsify;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::js::{self, Fields, FromJs, ToJs};
use crate::{Outcome, SignerError, wire};

#[wasm_bindgen(typescript_custom_section)]
const WIRE_TYPES: &str = r#"
/** A registration credential as the relay and the registry take it; binary fields base64url without padding. */
export interface WebAuthnRegistration {
    id: string;
    rawId: string;
    type: string;
    authenticatorAttachment?: string;
    response: { clientDataJSON: string; attestationObject: string; transports?: string[] };
}

/** Under which rules the registry keeps an authenticator. */
export interface AuthenticatorOptions {
    user_verification?: 'required' | 'preferred' | 'discouraged';
    /** Which origins may use it: exactly one of the three. A subdomain of the rpId by default. */
    origin_policy?: { all_subdomains: true } | { single: true } | { multiple: string[] };
}
"#;

/// What `check_can_register_user` answers.
#[derive(Tsify)]
#[serde(rename_all = "camelCase")]
pub struct RegistrationCheck {
    /// Proof, credential and freshness are good.
    pub verified: bool,
    /// The account is registered already.
    pub user_exists: bool,
}

/// A new credential, and what its ceremony was about.
#[derive(Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ConfirmRegistration {
    /// The credential.
    #[tsify(type = "WebAuthnRegistration")]
    pub credential: WebAuthnRegistration,
    /// The challenge that it must answer, base64url without padding.
    #[tsify(type = "string")]
    pub expected_challenge: Base64Url,
    /// The relying party.
    pub rp_id: String,
    /// Origins that may run the ceremony; by default the rpId's host and its subdomains.
    #[tsify(optional, type = "string[]")]
    pub allowed_origins: Option<Vec<Origin>>,
}

/// What a good credential says of itself.
#[derive(Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ConfirmedRegistration {
    /// base64url without padding.
    pub credential_id: String,
    /// COSE (RFC 9052).
    #[tsify(type = "Uint8Array")]
    pub credential_public_key: Vec<u8>,
    /// -7 (ES256), -8 (EdDSA) or -257 (RS256).
    #[tsify(type = "number")]
    pub algorithm: f64,
    /// Always true: one without is refused.
    pub user_present: bool,
    /// Always true: one without is refused.
    pub user_verified: bool,
    /// It is, or can become, a synced passkey.
    pub backup_eligible: bool,
    /// It is synced now.
    pub backup_state: bool,
    /// The signature counter.
    pub sign_count: u32,
    /// The authenticator's model, as a UUID.
    pub aaguid: String,
    /// `none`, `packed` or `fido-u2f`.
    pub attestation_format: &'static str,
}

impl FromJs for ConfirmRegistration {
    fn from_js(fields: &Fields) -> Outcome<Self> {
        const ORIGINS: &str = "allowedOrigins";
        let origins = |texts: Vec<String>| {
            texts
                .iter()
                .map(|text| Origin::parse(text))
                .collect::<Result<_, _>>()
        };
        Ok(Self {
            credential: fields.object("credential")?,
            expected_challenge: wire::base64url(fields, "expectedChallenge")?,
            rp_id: fields.text("rpId")?,
            allowed_origins: fields.optional_texts(ORIGINS)?.map(origins).transpose()?,
        })
    }
}

impl ToJs for ConfirmedRegistration {
    fn to_js(&self) -> JsValue {
        js::object(&[
            ("credentialId", js::text(&self.credential_id)),
            (
                "credentialPublicKey",
                js::bytes(&self.credential_public_key),
            ),
            ("algorithm", self.algorithm.into()),
            ("userPresent", self.user_present.into()),
            ("userVerified", self.user_verified.into()),
            ("backupEligible", self.backup_eligible.into()),
            ("backupState", self.backup_state.into()),
            ("signCount", self.sign_count.into()),
            ("aaguid", js::text(&self.aaguid)),
            ("attestationFormat", self.attestation_format.into()),
        ])
    }
}

impl ToJs for RegistrationCheck {
    fn to_js(&self) -> JsValue {
        js::object(&[
            ("verified", self.verified.into()),
            ("userExists", self.user_exists.into()),
        ])
    }
}

/// Writes the JSON arguments of `check_can_register_user`; byte fields of the proof as base64url text.
///
/// The objects were read and checked; what is written is what they said, and no field besides.
pub(crate) fn build_check_can_register(
    challenge: &VrfChallenge,
    registration: &WebAuthnRegistration,
    options: &JsValue,
) -> Outcome<Vec<u8>> {
    let block_height = challenge.input()?.block_height;
    let optional = |text: &Option<String>| text.as_ref().map_or(JsValue::UNDEFINED, js::text);
    let vrf_data = js::object(&[
        ("vrf_input_data", js::text(&challenge.vrf_input)),
        ("vrf_output", js::text(&challenge.vrf_output)),
        ("vrf_proof", js::text(&challenge.vrf_proof)),
        ("public_key", js::text(&challenge.vrf_public_key)),
        ("user_id", js::text(&challenge.user_id)),
        ("rp_id", js::text(&challenge.rp_id)),
        ("block_height", (block_height as f64).into()),
        ("block_hash", js::text(&challenge.block_hash)),
        ("intent_digest_32", optional(&challenge.intent_digest)),
        (
            "session_policy_digest_32",
            optional(&challenge.session_policy_digest),
        ),
    ]);
    let arguments = js::object(&[
        ("vrf_data", vrf_data),
        ("webauthn_registration", registration.to_js()),
        ("authenticator_options", options.clone()),
    ]);
    let text = JSON::stringify(&arguments).map_err(|_| SignerError::UnencodableArguments)?;
    Ok(String::from(text).into_bytes())
}

pub(crate) fn judge_check_can_register(result: &[u8]) -> Outcome<RegistrationCheck> {
    const WRONG: SignerError = SignerError::InvalidCheckResult;
    let text = std::str::from_utf8(result).map_err(|_| WRONG)?;
    let fields = Fields::of(JSON::parse(text).map_err(|_| WRONG)?, "result").map_err(|_| WRONG)?;
    let flag = |name| fields.get(name).as_bool().ok_or(WRONG);
    Ok(RegistrationCheck {
        verified: flag("verified")?,
        user_exists: flag("user_exists")?,
    })
}

pub(crate) fn extract_cose_public_key(attestation_object: &[u8]) -> Outcome<Vec<u8>> {
    let attestation = AttestationObject::parse(attestation_object)?;
    let credential = AuthenticatorData::parse(&attestation.authenticator_data)?.attested_credential;
    Ok(credential
        .ok_or(WebAuthnError::AttestedCredentialMissing)?
        .public_key_cose)
}

pub(crate) fn confirm(request: &ConfirmRegistration) -> Outcome<ConfirmedRegistration> {
    let origin_policy = request
        .allowed_origins
        .clone()
        .map_or_else(OriginPolicy::default, OriginPolicy::Multiple);
    let verified = check_registration(
        &request.credential,
        &Expectations {
            challenge: &request.expected_challenge,
            rp_id: &RpId::parse(&request.rp_id)?,
            origin_policy: &origin_policy,
            allowed_origins: &[],
            // Which page embeds the wallet is the frame protocol's to judge, and the registry's.
            top_origins: TopOrigins::Any,
            user_verification: UserVerification::Required,
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
