//! The wire form of a credential that the relay and the registry accept.

use serde::{Deserialize, Serialize};

use crate::{Base64Url, Part, WebAuthnError, limits};

/// The result of `navigator.credentials.create()`, with binary fields as base64url text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub struct WebAuthnRegistration {
    /// base64url of `raw_id`.
    pub id: String,
    /// The credential id, 1 to 1023 bytes.
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub raw_id: Base64Url,
    /// `public-key`.
    #[serde(rename = "type")]
    pub kind: String,
    /// `platform` or `cross-platform`, where the browser says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", tsify(optional))]
    pub authenticator_attachment: Option<String>,
    /// The authenticator's answer.
    pub response: AttestationResponse,
}

/// The authenticator's answer to a registration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub struct AttestationResponse {
    /// The client data as the browser serialised it.
    #[serde(rename = "clientDataJSON")]
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub client_data_json: Base64Url,
    /// The attestation object, CBOR.
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub attestation_object: Base64Url,
    /// How the authenticator can be reached: `internal`, `hybrid`, `usb`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", tsify(optional))]
    pub transports: Option<Vec<String>>,
}

/// The result of `navigator.credentials.get()`, with binary fields as base64url text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebAuthnAuthentication {
    /// base64url of `raw_id`.
    pub id: String,
    /// The credential id, 1 to 1023 bytes.
    pub raw_id: Base64Url,
    /// `public-key`.
    #[serde(rename = "type")]
    pub kind: String,
    /// `platform` or `cross-platform`, where the browser says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authenticator_attachment: Option<String>,
    /// The authenticator's answer.
    pub response: AssertionResponse,
}

/// The authenticator's answer to an authentication.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AssertionResponse {
    /// The client data as the browser serialised it.
    #[serde(rename = "clientDataJSON")]
    pub client_data_json: Base64Url,
    /// The signed authenticator data.
    pub authenticator_data: Base64Url,
    /// The signature: DER for ES256, raw for RS256 and EdDSA.
    pub signature: Base64Url,
    /// The user handle, if the authenticator stores one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_handle: Option<Base64Url>,
}

/// The user verification requirement (Level 3, section 5.8.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UserVerification {
    /// The flag UV must be set.
    Required,
    /// UV is preferred; its absence is no error.
    #[default]
    Preferred,
    /// UV is not requested.
    Discouraged,
}

impl WebAuthnRegistration {
    /// Checks type, ids and the length of every field.
    pub(crate) fn check_shape(&self) -> Result<(), WebAuthnError> {
        check_ids(
            &self.id,
            &self.raw_id,
            &self.kind,
            self.authenticator_attachment.as_deref(),
        )?;
        check_transports(self.response.transports.as_deref().unwrap_or_default())
    }
}

impl WebAuthnAuthentication {
    /// Checks type, ids and the length of every field.
    pub(crate) fn check_shape(&self) -> Result<(), WebAuthnError> {
        check_ids(
            &self.id,
            &self.raw_id,
            &self.kind,
            self.authenticator_attachment.as_deref(),
        )?;
        let too_large = |part| Err(WebAuthnError::TooLarge(part));
        if self.response.signature.len() > limits::SIGNATURE {
            return too_large(Part::Signature);
        }
        match &self.response.user_handle {
            Some(handle) if handle.len() > limits::USER_HANDLE => too_large(Part::Credential),
            _ => Ok(()),
        }
    }
}

/// Checks that transports are at most 8 short lower-case words. A registration's are checked with it.
///
/// # Errors
/// [`WebAuthnError::TooLarge`] or [`WebAuthnError::Malformed`].
pub fn check_transports(transports: &[String]) -> Result<(), WebAuthnError> {
    if transports.len() > limits::TRANSPORTS {
        return Err(WebAuthnError::TooLarge(Part::Credential));
    }
    transports
        .iter()
        .try_for_each(|transport| check_hint(transport))
}

fn check_ids(
    id: &str,
    raw_id: &Base64Url,
    kind: &str,
    attachment: Option<&str>,
) -> Result<(), WebAuthnError> {
    if kind != "public-key" {
        return Err(WebAuthnError::CredentialTypeInvalid);
    }
    if raw_id.len() > limits::CREDENTIAL_ID {
        return Err(WebAuthnError::TooLarge(Part::Credential));
    }
    if raw_id.is_empty() {
        return Err(WebAuthnError::Malformed(Part::Credential));
    }
    if id != raw_id.to_text() {
        return Err(WebAuthnError::CredentialIdMismatch);
    }
    attachment.map_or(Ok(()), check_hint)
}

/// Checks that a transport or an attachment is a short lower-case ASCII word. Unknown words pass, as the
/// standard requires.
fn check_hint(hint: &str) -> Result<(), WebAuthnError> {
    if hint.len() > limits::HINT {
        return Err(WebAuthnError::TooLarge(Part::Credential));
    }
    let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if hint.is_empty() || !hint.bytes().all(is_word) {
        return Err(WebAuthnError::Malformed(Part::Credential));
    }
    Ok(())
}
