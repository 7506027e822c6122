//! Client data.

use crate::{Base64Url, ClientData, Part, WebAuthnError};

fn client_data(json: &str) -> Result<ClientData, WebAuthnError> {
    ClientData::parse(json.as_bytes())
}

#[test]
fn refuses_malformed_client_data() {
    const CHALLENGE: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let good =
        format!(r#"{{"type":"webauthn.get","challenge":"{CHALLENGE}","origin":"https://a"}}"#);
    assert!(client_data(&good).is_ok());
    let malformed = WebAuthnError::Malformed(Part::ClientData);
    for bad in [
        String::new(),
        "null".to_owned(),
        "[]".to_owned(),
        format!("\u{feff}{good}"),
        format!("{good}{good}"),
        good.replace(r#""origin""#, r#""type":"webauthn.get","origin""#),
        good.replace(CHALLENGE, &format!("{CHALLENGE}=")),
        good.replace(CHALLENGE, "AB"),
        good.replace(CHALLENGE, "++++"),
        good.replace(r#""https://a""#, "1"),
        good.replace(r#","origin":"https://a""#, ""),
        good.replace('}', r#","crossOrigin":"true"}"#),
    ] {
        assert_eq!(client_data(&bad), Err(malformed), "{bad}");
    }
    assert_eq!(
        client_data(&good.replace("webauthn.get", "payment.get")),
        Err(WebAuthnError::WrongCeremony)
    );
    let with_challenge = |bytes: &[u8]| {
        let text = Base64Url(bytes.to_vec()).to_text();
        client_data(&good.replace(CHALLENGE, &text))
    };
    let too_large = Err(WebAuthnError::TooLarge(Part::ClientData));
    assert!(with_challenge(&[1; 64]).is_ok());
    assert_eq!(with_challenge(&[1; 65]), too_large);
    assert!(client_data(&format!("{good:2048}")).is_ok());
    assert_eq!(client_data(&format!("{good:2049}")), too_large);
    // Chromium sometimes adds a member, so that parsers keep accepting unknown ones.
    assert!(client_data(&good.replace('}', r#","other_keys":{"a":[1]}}"#)).is_ok());
    let mut not_utf8 = good.into_bytes();
    not_utf8.insert(10, 0xff);
    assert_eq!(ClientData::parse(&not_utf8), Err(malformed));
}
