//! Origins, rpIds and policies.
// Specification: core 5

use proptest::prelude::*;
use serde::Deserialize;

use crate::{Origin, OriginPolicy, OriginPolicyOption, Part, RpId, True, WebAuthnError};

fn origin(text: &str) -> Origin {
    Origin::parse(text).unwrap()
}

fn rp_id(text: &str) -> RpId {
    RpId::parse(text).unwrap()
}

#[derive(Deserialize)]
struct Origins {
    accepted: Vec<Accepted>,
    refused: Vec<Refused>,
}

#[derive(Deserialize)]
struct Accepted {
    text: String,
    canonical: String,
}

#[derive(Deserialize)]
struct Refused {
    text: String,
    why: String,
}

fn vectors() -> Origins {
    serde_json::from_str(include_str!("../../../../tests/vectors/origins.json")).unwrap()
}

#[test]
fn stores_origins_in_canonical_form() {
    for Accepted { text, canonical } in vectors().accepted {
        assert_eq!(
            Origin::parse(&text).as_ref().map(Origin::as_str),
            Ok(&*canonical),
            "{text}"
        );
    }
}

#[test]
fn an_origin_has_at_most_255_bytes() {
    let of_length = |length: usize| {
        let label = "a".repeat(63);
        let known = format!("https://{label}.{label}.{label}.");
        let text = known.clone() + &"b".repeat(length - known.len());
        Origin::parse(&text).map(|origin| origin.as_str().len())
    };
    assert_eq!(of_length(255), Ok(255));
    assert_eq!(of_length(256), Err(WebAuthnError::OriginInvalid));
}

#[test]
fn refuses_untrustworthy_or_malformed_origins() {
    for Refused { text, why } in vectors().refused {
        assert_eq!(
            Origin::parse(&text),
            Err(WebAuthnError::OriginInvalid),
            "{text:?}: {why}"
        );
    }
}

#[test]
fn matches_the_rp_id_at_dots_only() {
    for (host, rp, within) in [
        ("https://example.com", "example.com", true),
        ("https://example.com:8443", "example.com", true),
        ("https://a.b.example.com", "example.com", true),
        ("https://example.com", "EXAMPLE.com", true),
        ("https://notexample.com", "example.com", false),
        ("https://example.com", "a.example.com", false),
        ("https://example.com.evil.net", "example.com", false),
        ("http://app.localhost:5173", "localhost", true),
        ("http://app.localhost:5173", "wallet.localhost", false),
    ] {
        assert_eq!(origin(host).is_within(&rp_id(rp)), within, "{host} {rp}");
    }
}

#[test]
fn refuses_malformed_rp_ids() {
    for text in [
        "",
        ".",
        "a.",
        ".a",
        "1.2.3.4",
        "4",
        "0x1f",
        "a.0x",
        "a b",
        "https://a",
        "a:1",
        "a/b",
        "ä.de",
    ] {
        assert_eq!(
            RpId::parse(text),
            Err(WebAuthnError::RpIdInvalid),
            "{text:?}"
        );
    }
    assert_eq!(
        RpId::parse(&"a".repeat(254)),
        Err(WebAuthnError::RpIdInvalid)
    );
}

#[test]
fn the_allowed_list_widens_only_all_subdomains() {
    let (app, friend) = (
        origin("https://app.example.com"),
        origin("https://friend.net"),
    );
    let rp = rp_id("example.com");
    let allowed = [friend.clone()];
    assert!(OriginPolicy::AllSubdomains(True).admits(&app, &rp, &[]));
    assert!(!OriginPolicy::AllSubdomains(True).admits(&friend, &rp, &[]));
    assert!(OriginPolicy::AllSubdomains(True).admits(&friend, &rp, &allowed));
    assert!(!OriginPolicy::Single(app.clone()).admits(&friend, &rp, &allowed));
    assert!(OriginPolicy::Single(app.clone()).admits(&app, &rp, &[]));
    assert!(!OriginPolicy::Single(app.clone()).admits(&origin("https://example.com"), &rp, &[]));
    assert!(!OriginPolicy::Multiple(vec![app]).admits(&friend, &rp, &allowed));
}

#[test]
fn an_address_may_embed_but_not_run_a_ceremony() {
    let address = origin("http://127.0.0.1:3030");
    assert!(!address.can_use_passkeys());
    let policy = OriginPolicy::Multiple(vec![address.clone()]);
    assert!(!policy.admits(&address, &rp_id("localhost"), &[]));
}

#[test]
fn accepts_exactly_one_policy() {
    let read = |json: &str| serde_json::from_str::<OriginPolicyOption>(json).ok();
    assert_eq!(
        read(r#"{"single":true}"#),
        Some(OriginPolicyOption::Single(True))
    );
    assert_eq!(
        read(r#"{"all_subdomains":true}"#),
        Some(OriginPolicyOption::AllSubdomains(True))
    );
    assert_eq!(
        read(r#"{"allSubdomains":true}"#),
        Some(OriginPolicyOption::AllSubdomains(True)),
        "the spelling of the other registry on testnet"
    );
    assert_eq!(
        read(r#"{"multiple":["https://a.example"]}"#),
        Some(OriginPolicyOption::Multiple(vec![origin(
            "https://a.example"
        )]))
    );
    for json in [
        "{}",
        "null",
        "true",
        r#"{"single":false}"#,
        r#"{"all_subdomains":false}"#,
        r#"{"allSubdomains":false}"#,
        r#"{"single":true,"all_subdomains":true}"#,
        r#"{"multiple":"https://a.example"}"#,
        r#"{"multiple":["http://a.example"]}"#,
        r#"{"other":true}"#,
        r#"{"single":1}"#,
    ] {
        assert_eq!(read(json), None, "{json}");
    }
    let resolve = |count| {
        OriginPolicyOption::Multiple(vec![origin("https://a.example"); count])
            .resolve(&origin("https://a.example"))
    };
    assert_eq!(
        resolve(0),
        Err(WebAuthnError::Malformed(Part::OriginPolicy))
    );
    assert!(resolve(16).is_ok());
    assert_eq!(
        resolve(17),
        Err(WebAuthnError::TooLarge(Part::OriginPolicy))
    );
    assert_eq!(
        OriginPolicyOption::default(),
        OriginPolicyOption::AllSubdomains(True)
    );
}

proptest! {
    #[test]
    fn a_canonical_origin_keeps_its_text(
        host in "[a-z][a-z0-9]{0,9}(\\.[a-z][a-z0-9]{0,9}){0,3}",
        port in proptest::option::of(1_u16..),
    ) {
        let text = match port {
            Some(port) if port != 443 => format!("https://{host}:{port}"),
            _ => format!("https://{host}"),
        };
        let parsed = Origin::parse(&text).unwrap();
        prop_assert_eq!(parsed.as_str(), &text);
        prop_assert_eq!(parsed.host(), &host);
        let json = serde_json::to_string(&parsed).unwrap();
        prop_assert_eq!(serde_json::from_str::<Origin>(&json).unwrap(), parsed);
    }

    #[test]
    fn no_text_makes_parsing_panic_or_changes_a_canonical_origin(text: String) {
        if let Ok(origin) = Origin::parse(&text) {
            prop_assert_eq!(Origin::parse(origin.as_str()), Ok(origin));
        }
    }
}
