#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use serde::de::IgnoredAny;
use serde_json::Value as Reference;

use super::*;

fn members(text: &str) -> Result<Vec<(String, Value<'_>)>, JsonError> {
    let mut members = Vec::new();
    read_members(text, |name, value| {
        members.push((name.to_owned(), value));
        Ok(())
    })?;
    Ok(members)
}

fn json() -> impl Strategy<Value = Reference> {
    let leaf = prop_oneof![
        Just(Reference::Null),
        any::<bool>().prop_map(Reference::from),
        any::<i64>().prop_map(Reference::from),
        any::<f64>().prop_map(Reference::from),
        any::<String>().prop_map(Reference::from),
    ];
    leaf.prop_recursive(6, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Reference::from),
            prop::collection::btree_map(any::<String>(), inner, 0..6)
                .prop_map(|entries| Reference::Object(entries.into_iter().collect())),
        ]
    })
}

#[test]
fn accepts_every_kind_of_value_with_space_around() {
    for text in [
        "null",
        " true\t",
        "\nfalse\r",
        "0",
        "-0",
        "-1.50e+10",
        "1E5",
        "\"\"",
        "[]",
        "{ }",
        "[1 , [ ] ]",
    ] {
        assert_eq!(validate(text), Ok(()), "{text}");
    }
}

#[test]
fn refuses_text_outside_rfc_8259() {
    for text in [
        "",
        " ",
        "nul",
        "True",
        "NaN",
        "01",
        "-",
        "1.",
        ".5",
        "1e",
        "+1",
        "0x1",
        "'a'",
        "\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\t\"",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{1:1}",
        "1 2",
        "{}{}",
        "\u{feff}{}",
        "// c\n1",
        "\u{a0}1",
        "\"\\u+123\"",
    ] {
        assert_eq!(validate(text), Err(JsonError), "{text}");
    }
}

#[test]
fn nests_no_deeper_than_the_limit() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert_eq!(validate(&nested(MAX_DEPTH)), Ok(()));
    assert_eq!(validate(&nested(MAX_DEPTH + 1)), Err(JsonError));
    assert_eq!(validate(&"[".repeat(1_000_000)), Err(JsonError));
}

#[test]
fn visits_members_in_order_including_duplicates() {
    assert_eq!(
        members(r#" {"b":"x","a":true,"a":null,"\u0063":[{"d":1}]} "#).unwrap(),
        [
            ("b".to_owned(), Value::Text("x".into())),
            ("a".to_owned(), Value::Bool(true)),
            ("a".to_owned(), Value::Null),
            ("c".to_owned(), Value::Other),
        ]
    );
    for text in ["[]", "1", "\"{}\"", "null"] {
        assert_eq!(members(text), Err(JsonError), "{text}");
    }
}

#[test]
fn resolves_every_escape() {
    let text = r#"{"x":"\"\\\/\b\f\n\r\tA\u00e9\uD83D\uDE00 é😀 \ud800 \udc00 \ud800\u0041"}"#;
    let expected = "\"\\/\u{8}\u{c}\n\r\tAé😀 é😀 \u{fffd} \u{fffd} \u{fffd}A";
    assert_eq!(
        members(text).unwrap(),
        [("x".to_owned(), Value::Text(expected.into()))]
    );
}

#[test]
fn an_error_of_the_visitor_stops_the_reader() {
    let mut seen = 0;
    let visited = read_members(r#"{"a":1,"b":2}"#, |_, _| {
        seen += 1;
        Err(JsonError)
    });
    assert_eq!((visited, seen), (Err(JsonError), 1));
}

proptest! {
    #[test]
    fn accepts_all_output_of_serde_json(value in json()) {
        prop_assert_eq!(validate(&value.to_string()), Ok(()));
        prop_assert_eq!(validate(&serde_json::to_string_pretty(&value).unwrap()), Ok(()));
    }

    #[test]
    fn reads_members_as_serde_json_does(entries in prop::collection::btree_map(any::<String>(), json(), 0..6)) {
        let text = serde_json::to_string(&entries).unwrap();
        let expected = entries.into_iter().map(|(name, value)| {
            let value = match value {
                Reference::Null => Value::Null,
                Reference::Bool(value) => Value::Bool(value),
                Reference::String(text) => Value::Text(text.into()),
                _ => Value::Other,
            };
            (name, value)
        });
        prop_assert_eq!(members(&text).unwrap(), expected.collect::<Vec<_>>());
    }

    #[test]
    fn accepts_the_same_texts_as_serde_json(text in "[\\[\\]{}:,\"\\\\ u0-9a-f.eE+\\-tr-sn\n]{0,12}") {
        prop_assert_eq!(validate(&text).is_ok(), serde_json::from_str::<IgnoredAny>(&text).is_ok());
    }

    #[test]
    fn accepts_the_same_damaged_texts_as_serde_json(value in json(), position: prop::sample::Index, with in "[\\[\\]{}:,\"\\\\0-9a-f ]?") {
        let mut characters: Vec<String> = value.to_string().chars().map(String::from).collect();
        let position = position.index(characters.len());
        if let Some(character) = characters.get_mut(position) {
            *character = with;
        }
        let text = characters.concat();
        prop_assert_eq!(validate(&text).is_ok(), serde_json::from_str::<IgnoredAny>(&text).is_ok(), "{}", text);
    }
}
