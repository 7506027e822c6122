//! The client data: the browser's record of its request to the authenticator (Level 3, section 5.8.1).

use latchkey_json::{JsonError, Value, read_members};

use crate::{Base64Url, Part, WebAuthnError, limits};

/// Which ceremony the client data belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CeremonyType {
    /// `webauthn.create`: a registration.
    Create,
    /// `webauthn.get`: an authentication.
    Get,
}

/// The members of `clientDataJSON` that verification needs. Other members are ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientData {
    /// The ceremony.
    pub ceremony: CeremonyType,
    /// The challenge, decoded; at most 64 bytes.
    pub challenge: Vec<u8>,
    /// The origin of the page that ran the ceremony, as written by the browser.
    pub origin: String,
    /// Whether that page was in a frame under another origin; absent in old browsers.
    pub cross_origin: Option<bool>,
    /// The origin of the outermost page, if cross-origin and the browser names it.
    pub top_origin: Option<String>,
}

/// The members as written in the text.
#[derive(Default)]
struct Members {
    kind: Option<String>,
    challenge: Option<String>,
    origin: Option<String>,
    cross_origin: Option<Option<bool>>,
    top_origin: Option<Option<String>>,
}

impl Members {
    fn read(text: &str) -> Result<Self, JsonError> {
        let mut members = Self::default();
        read_members(text, |name, value| match name {
            "type" => set(&mut members.kind, string(value)?),
            "challenge" => set(&mut members.challenge, string(value)?),
            "origin" => set(&mut members.origin, string(value)?),
            "crossOrigin" => set(&mut members.cross_origin, optional(value, bool)?),
            "topOrigin" => set(&mut members.top_origin, optional(value, string)?),
            _ => Ok(()),
        })?;
        Ok(members)
    }
}

/// Stores a member's value. Refuses a duplicate member, which is ambiguous.
fn set<T>(member: &mut Option<T>, value: T) -> Result<(), JsonError> {
    if member.replace(value).is_none() {
        Ok(())
    } else {
        Err(JsonError)
    }
}

fn string(value: Value<'_>) -> Result<String, JsonError> {
    if let Value::Text(text) = value {
        Ok(text.into_owned())
    } else {
        Err(JsonError)
    }
}

fn bool(value: Value<'_>) -> Result<bool, JsonError> {
    if let Value::Bool(value) = value {
        Ok(value)
    } else {
        Err(JsonError)
    }
}

fn optional<T>(
    value: Value<'_>,
    read: fn(Value<'_>) -> Result<T, JsonError>,
) -> Result<Option<T>, JsonError> {
    if value == Value::Null {
        Ok(None)
    } else {
        read(value).map(Some)
    }
}

impl ClientData {
    /// Parses `clientDataJSON`: UTF-8 JSON without a byte-order mark, at most 2048 bytes.
    ///
    /// # Errors
    /// [`WebAuthnError::TooLarge`], [`WebAuthnError::Malformed`], or [`WebAuthnError::WrongCeremony`]
    /// if `type` is neither `webauthn.create` nor `webauthn.get`.
    pub fn parse(json: &[u8]) -> Result<Self, WebAuthnError> {
        if json.len() > limits::CLIENT_DATA_JSON {
            return Err(WebAuthnError::TooLarge(Part::ClientData));
        }
        const MALFORMED: WebAuthnError = WebAuthnError::Malformed(Part::ClientData);
        let text = core::str::from_utf8(json).map_err(|_| MALFORMED)?;
        let members = Members::read(text).map_err(|_| MALFORMED)?;
        let challenge = members
            .challenge
            .as_deref()
            .and_then(Base64Url::from_text)
            .ok_or(MALFORMED)?;
        let kind = members.kind.ok_or(MALFORMED)?;
        let origin = members.origin.ok_or(MALFORMED)?;
        let (cross_origin, top_origin) =
            (members.cross_origin.flatten(), members.top_origin.flatten());
        if challenge.len() > limits::CHALLENGE {
            return Err(WebAuthnError::TooLarge(Part::ClientData));
        }
        let ceremony = match kind.as_str() {
            "webauthn.create" => CeremonyType::Create,
            "webauthn.get" => CeremonyType::Get,
            _ => return Err(WebAuthnError::WrongCeremony),
        };
        // Only a cross-origin page has a top origin (section 5.8.1, "topOrigin").
        if top_origin.is_some() && cross_origin != Some(true) {
            return Err(MALFORMED);
        }
        Ok(Self {
            ceremony,
            challenge: challenge.0,
            origin,
            cross_origin,
            top_origin,
        })
    }
}
