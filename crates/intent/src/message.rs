//! The digest of a NEP-413 message.

use latchkey_nep413::Payload;

use crate::canonical_json::Json;
use crate::{IntentDigest, digest_of};

#[cfg(test)]
mod tests;

/// The digest that approves signing `payload` as `account`.
#[must_use]
pub fn nep413_digest(account: &str, payload: &Payload) -> IntentDigest {
    digest_of(&nep413_text(account, payload))
}

/// The canonical JSON that [`nep413_digest`] hashes; the nonce in standard base64.
#[must_use]
pub fn nep413_text(account: &str, payload: &Payload) -> String {
    let callback_url = payload
        .callback_url
        .as_deref()
        .map_or(Json::Null, Json::text);
    Json::object(vec![
        ("kind", Json::text("nep413")),
        ("callbackUrl", callback_url),
        ("message", Json::text(&payload.message)),
        ("nearAccountId", Json::text(account)),
        ("nonce", Json::text(payload.nonce_text())),
        ("recipient", Json::text(&payload.recipient)),
    ])
    .to_string()
}
