use serde::de::{Error, Unexpected, value};

use super::Mismatch;

const SECRET: &str = "do-not-repeat-me";

#[test]
fn names_the_path_outermost_first() {
    let mismatch = Mismatch::must_be("u8").in_item(3).in_member("code");
    let mismatch = mismatch.in_item(12).in_member("actions");
    let mismatch = mismatch.in_argument("request");
    assert_eq!(
        mismatch.to_string(),
        "request.actions[12].code[3] must be u8"
    );
}

#[test]
fn lists_variants_as_serde_does() {
    for variants in [
        &["A"][..],
        &["A", "B"],
        &["A", "B", "C"],
        &["A", "B", "C", "D"],
    ] {
        let by_serde = value::Error::unknown_variant(SECRET, variants).to_string();
        let (_, expected) = by_serde.split_once(", expected ").unwrap_or_default();
        let ours = Mismatch::unknown_variant(SECRET, variants).to_string();
        assert_eq!(ours, format!(" must be {expected}"));
    }
}

#[test]
fn quotes_nothing_of_a_value() {
    for mismatch in [
        Mismatch::invalid_type(Unexpected::Str(SECRET), &"a number"),
        Mismatch::invalid_value(Unexpected::Str(SECRET), &"a number"),
    ] {
        assert_eq!(mismatch.to_string(), " must be a number");
    }
    assert_eq!(Mismatch::invalid_length(5, &"1").to_string(), " must be 1");
}

#[test]
fn keeps_the_texts_of_types_and_of_absent_fields() {
    assert_eq!(
        Mismatch::missing_field("rpId").to_string(),
        ": missing field `rpId`"
    );
    let custom = Mismatch::custom("not base64url text without padding");
    assert_eq!(custom.to_string(), ": not base64url text without padding");
}
