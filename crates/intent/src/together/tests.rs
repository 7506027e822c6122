#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use serde_json::Value;

use super::*;

/// `tests/vectors/intent-digests.json`. TypeScript reads the same file.
#[test]
fn gives_the_pinned_texts_and_digests() {
    let file: Value = serde_json::from_str(include_str!(
        "../../../../tests/vectors/intent-digests.json"
    ))
    .unwrap();
    for case in file["together"].as_array().unwrap() {
        let digests: Vec<IntentDigest> = case["digests"]
            .as_array()
            .unwrap()
            .iter()
            .map(|text| {
                let bytes = Base64UrlUnpadded::decode_vec(text.as_str().unwrap()).unwrap();
                bytes.try_into().unwrap()
            })
            .collect();
        assert_eq!(
            together_text(&digests),
            case["text"].as_str().unwrap(),
            "{}",
            case["name"]
        );
        assert_eq!(
            Base64UrlUnpadded::encode_string(&together_digest(&digests)),
            case["digest"].as_str().unwrap()
        );
    }
}
