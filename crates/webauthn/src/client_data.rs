//! The client data: what the browser says it asked the authenticator (Level 3, section 5.8.1).

use serde::Deserialize;

use crate::{Base64Url, Part, WebAuthnError, limits};

/// Which ceremony the client data belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CeremonyType {
    /// `webauthn.create`: a registration.
    Create,
    /// `webauthn.get`: an authentication.
    Get,
}

/// The members of `clientDataJSON` that matter here; members unknown to this version are ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientData {
    /// The ceremony.
    pub ceremony: CeremonyType,
    /// The challenge, decoded; at most 64 bytes.
    pub challenge: Vec<u8>,
    /// The origin of the page that ran the ceremony, as written by the browser.
    pub origin: String,
    /// Whether that page was inside a frame of another origin; absent in old browsers.
    pub cross_origin: Option<bool>,
    /// The origin of the outermost page, when cross-origin and the browser tells it.
    pub top_origin: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Members {
    #[serde(rename = "type")]
    kind: String,
    challenge: Base64Url,
    origin: String,
    cross_origin: Option<bool>,
    top_origin: Option<String>,
}

impl ClientData {
    /// Reads `clientDataJSON`: UTF-8 JSON without a byte-order mark, at most 2048 bytes.
    ///
    /// # Errors
    /// [`WebAuthnError::TooLarge`], [`WebAuthnError::Malformed`], or [`WebAuthnError::WrongCeremony`]
    /// when `type` is neither `webauthn.create` nor `webauthn.get`.
    pub fn parse(json: &[u8]) -> Result<Self, WebAuthnError> {
        if json.len() > limits::CLIENT_DATA_JSON {
            return Err(WebAuthnError::TooLarge(Part::ClientData));
        }
        let members: Members =
            serde_json::from_slice(json).map_err(|_| WebAuthnError::Malformed(Part::ClientData))?;
        if members.challenge.len() > limits::CHALLENGE {
            return Err(WebAuthnError::TooLarge(Part::ClientData));
        }
        let ceremony = match members.kind.as_str() {
            "webauthn.create" => CeremonyType::Create,
            "webauthn.get" => CeremonyType::Get,
            _ => return Err(WebAuthnError::WrongCeremony),
        };
        // A top origin is only there for a cross-origin page (section 5.8.1, "topOrigin").
        if members.top_origin.is_some() && members.cross_origin != Some(true) {
            return Err(WebAuthnError::Malformed(Part::ClientData));
        }
        Ok(Self {
            ceremony,
            challenge: members.challenge.0,
            origin: members.origin,
            cross_origin: members.cross_origin,
            top_origin: members.top_origin,
        })
    }
}
