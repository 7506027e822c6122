#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use base64ct::{Base64UrlUnpadded, Encoding};
use serde_json::Value;

use super::*;

/// `tests/vectors/intent-digests.json`: interop.md, section 4. TypeScript reads the same file.
#[test]
fn gives_the_pinned_texts_and_digests() {
    let file: Value = serde_json::from_str(include_str!(
        "../../../../tests/vectors/intent-digests.json"
    ))
    .unwrap();
    for case in file["nep413"].as_array().unwrap() {
        let text = |name: &str| case[name].as_str().unwrap().to_owned();
        let nonce = hex::decode(text("nonceHex")).unwrap();
        let callback_url = case["callbackUrl"].as_str().map(str::to_owned);
        let payload =
            Payload::new(text("message"), &nonce, text("recipient"), callback_url).unwrap();
        assert_eq!(
            nep413_text(&text("accountId"), &payload),
            text("text"),
            "{}",
            case["name"]
        );
        assert_eq!(
            Base64UrlUnpadded::encode_string(&nep413_digest(&text("accountId"), &payload)),
            text("digest")
        );
    }
}
