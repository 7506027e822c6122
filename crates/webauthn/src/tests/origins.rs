//! Origins, rpIds and policies.

use proptest::prelude::*;

use crate::{Origin, OriginPolicy, OriginPolicyOption, Part, RpId, True, WebAuthnError};

fn origin(text: &str) -> Origin {
    Origin::parse(text).unwrap()
}

fn rp_id(text: &str) -> RpId {
    RpId::parse(text).unwrap()
}

#[test]
fn stores_origins_in_canonical_form() {
    for (text, canonical) in [
        ("https://example.com", "https://example.com"),
        ("HTTPS://Example.COM", "https://example.com"),
        ("https://example.com:443", "https://example.com"),
        ("https://example.com:8443", "https://example.com:8443"),
        ("http://localhost:80", "http://localhost"),
        ("http://localhost:5173", "http://localhost:5173"),
        (
            "http://wallet.localhost:5174",
            "http://wallet.localhost:5174",
        ),
        ("http://127.0.0.1:3030", "http://127.0.0.1:3030"),
        (
            "https://xn--bcher-kva.example",
            "https://xn--bcher-kva.example",
        ),
        ("https://my_app.example.com", "https://my_app.example.com"),
    ] {
        assert_eq!(origin(text).as_str(), canonical);
    }
}

#[test]
fn refuses_untrustworthy_or_malformed_origins() {
    for text in [
        "",
        "https://",
        "example.com",
        "null",
        "http://example.com",
        "ftp://example.com",
        "https://example.com/",
        "https://example.com/path",
        "https://example.com?q",
        "https://example.com#f",
        "https://user@example.com",
        "https://example.com:",
        "https://a:0",
        "https://a:65536",
        "https://a:-1",
        "https://a:+1",
        "https://a:080",
        "https://a:1:2",
        "https://.example.com",
        "https://example.com.",
        "https://a..b",
        "https://-a.example",
        "https://exämple.com",
        "https://192.168.0.1",
        "https://1.2.3.4",
        "https://[::1]",
        "http://notlocalhost",
        "http://localhost.example.com",
        "http://localhost.",
        "https://a b.example",
        "https://a\0.example",
        " https://example.com",
        "https://example.com\n",
        "android:apk-key-hash:abc",
        "chrome-extension://abc",
    ] {
        assert_eq!(
            Origin::parse(text),
            Err(WebAuthnError::OriginInvalid),
            "{text:?}"
        );
    }
    let long = format!("https://{}.example", ["a"; 150].join("."));
    assert_eq!(Origin::parse(&long), Err(WebAuthnError::OriginInvalid));
    let long_label = format!("https://{}.example", "a".repeat(64));
    assert_eq!(
        Origin::parse(&long_label),
        Err(WebAuthnError::OriginInvalid)
    );
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
