#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::Json;

#[test]
fn sorts_the_keys_of_an_object() {
    let json = Json::object(vec![
        ("b", Json::text("2")),
        ("a", Json::text("1")),
        ("ab", Json::text("3")),
    ]);
    assert_eq!(json.to_string(), r#"{"a":"1","ab":"3","b":"2"}"#);
}

#[test]
fn escapes_as_json_stringify_does() {
    let json = Json::text("\"\\/\u{8}\t\n\u{c}\r\0\u{1f}\u{7f}\u{2028}\u{2029}é😀");
    assert_eq!(
        json.to_string(),
        "\"\\\"\\\\/\\b\\t\\n\\f\\r\\u0000\\u001f\u{7f}\u{2028}\u{2029}é😀\""
    );
}

proptest! {
    #[test]
    fn any_text_reads_back_and_is_escaped_as_serde_json_escapes_it(text in any::<String>()) {
        let written = Json::text(text.as_str()).to_string();
        prop_assert_eq!(&written, &serde_json::to_string(&text).unwrap());
        prop_assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
    }
}
