//! The digest of several intents that one prompt approves.

use base64ct::{Base64UrlUnpadded, Encoding};

use crate::canonical_json::Json;
use crate::{IntentDigest, digest_of};

#[cfg(test)]
mod tests;

/// The digest that approves all of these with one prompt, in this order.
#[must_use]
pub fn together_digest(digests: &[IntentDigest]) -> IntentDigest {
    digest_of(&together_text(digests))
}

/// The canonical JSON that [`together_digest`] hashes: each digest in base64url.
#[must_use]
pub fn together_text(digests: &[IntentDigest]) -> String {
    let texts = digests
        .iter()
        .map(|digest| Json::text(Base64UrlUnpadded::encode_string(digest)))
        .collect();
    Json::object(vec![
        ("digests", Json::Array(texts)),
        ("kind", Json::text("together")),
    ])
    .to_string()
}
