//! Every written value parses back to itself.

use proptest::{collection::vec, option, prelude::*};

use crate::{
    AssertionResponse, AttestationResponse, AttestedCredential, AuthenticatorData, Base64Url,
    CosePublicKey, Flags, OriginPolicy, OriginPolicyOption, True, WebAuthnAuthentication,
    WebAuthnRegistration, ecdsa_signature_from_der, testing::SoftAuthenticator,
};

fn public_key() -> impl Strategy<Value = CosePublicKey> {
    prop_oneof![
        any::<[u8; 32]>().prop_map(|seed| SoftAuthenticator::es256(&seed).public_key()),
        any::<[u8; 32]>().prop_map(|x| CosePublicKey::EdDsa { x }),
        (vec(any::<u8>(), 256..=512), 1_u32..0x7fff_ffff).prop_map(|(mut n, e)| {
            n[0] |= if n.len() == 256 { 0x80 } else { 1 };
            *n.last_mut().unwrap() |= 1;
            let e = (2 * e + 1).to_be_bytes();
            let start = e.iter().position(|byte| *byte != 0).unwrap();
            CosePublicKey::Rs256 {
                n,
                e: e[start..].to_vec(),
            }
        }),
    ]
}

fn bytes(length: impl Into<proptest::collection::SizeRange>) -> impl Strategy<Value = Base64Url> {
    vec(any::<u8>(), length).prop_map(Base64Url)
}

#[test]
fn a_value_that_is_no_text_is_told_what_base64url_is() {
    let refusal = serde_json::from_str::<Base64Url>("5").unwrap_err();
    assert!(
        refusal
            .to_string()
            .contains("expected base64url text without padding"),
        "{refusal}"
    );
}

proptest! {
    #[test]
    fn cose_keys(key in public_key()) {
        prop_assert_eq!(CosePublicKey::parse(&key.to_cbor()), Ok(key));
    }

    #[test]
    fn authenticator_data(
        rp_id_hash: [u8; 32],
        sign_count: u32,
        flags in any::<u8>().prop_filter("BS needs BE", |flags| flags & 0x18 != 0x10),
        credential in option::of((any::<[u8; 16]>(), vec(any::<u8>(), 1..=1023), public_key())),
        extensions in option::of(Just(b"\xa1\x6bhmac-secret\xf5".to_vec())),
    ) {
        let attested_credential = credential.map(|(aaguid, credential_id, public_key)| {
            AttestedCredential { aaguid, credential_id, public_key_cose: public_key.to_cbor(), public_key }
        });
        let mut written = flags & !(Flags::ATTESTED_CREDENTIAL | Flags::EXTENSIONS);
        if attested_credential.is_some() {
            written |= Flags::ATTESTED_CREDENTIAL;
        }
        if extensions.is_some() {
            written |= Flags::EXTENSIONS;
        }
        let flags = Flags(flags);
        let data = AuthenticatorData { rp_id_hash, flags, sign_count, attested_credential, extensions };
        let read = AuthenticatorData { flags: Flags(written), ..data.clone() };
        prop_assert_eq!(AuthenticatorData::parse(&data.to_bytes()), Ok(read));
    }

    #[test]
    fn base64url(value in bytes(0..100)) {
        prop_assert_eq!(Base64Url::from_text(&value.to_text()), Some(value.clone()));
        let json = serde_json::to_string(&value).unwrap();
        prop_assert_eq!(serde_json::from_str::<Base64Url>(&json).unwrap(), value);
    }

    #[test]
    fn base64url_has_one_text(text in "[A-Za-z0-9_-]{0,20}") {
        if let Some(value) = Base64Url::from_text(&text) {
            prop_assert_eq!(value.to_text(), text);
        }
    }

    #[test]
    fn credentials_as_json(
        raw_id in bytes(1..64),
        client_data_json in bytes(0..64),
        other in bytes(0..64),
        signature in bytes(0..64),
        user_handle in option::of(bytes(0..64)),
        transports in option::of(vec("[a-z]{1,8}", 0..4)),
        authenticator_attachment in option::of("[a-z]{1,8}"),
    ) {
        let (id, kind) = (raw_id.to_text(), "public-key".to_owned());
        let registration = WebAuthnRegistration {
            id: id.clone(),
            raw_id: raw_id.clone(),
            kind: kind.clone(),
            authenticator_attachment: authenticator_attachment.clone(),
            response: AttestationResponse {
                client_data_json: client_data_json.clone(),
                attestation_object: other.clone(),
                transports,
            },
        };
        let json = serde_json::to_string(&registration).unwrap();
        prop_assert_eq!(serde_json::from_str::<WebAuthnRegistration>(&json).unwrap(), registration);
        let authentication = WebAuthnAuthentication {
            id,
            raw_id,
            kind,
            authenticator_attachment,
            response: AssertionResponse {
                client_data_json,
                authenticator_data: other,
                signature,
                user_handle,
            },
        };
        let json = serde_json::to_string(&authentication).unwrap();
        prop_assert_eq!(serde_json::from_str::<WebAuthnAuthentication>(&json).unwrap(), authentication);
    }

    #[test]
    fn ecdsa_signatures(r in 1_u128.., s in 1_u128..) {
        let mut raw = [0; 64];
        raw[16..32].copy_from_slice(&r.to_be_bytes());
        raw[48..].copy_from_slice(&s.to_be_bytes());
        let signature = p256::ecdsa::Signature::from_slice(&raw).unwrap();
        prop_assert_eq!(ecdsa_signature_from_der(signature.to_der().as_bytes()), Ok(raw));
    }
}

#[test]
fn the_wire_names_are_those_of_the_browser() {
    let json = r#"{"id":"AQ","rawId":"AQ","type":"public-key","authenticatorAttachment":"platform","response":{"clientDataJSON":"AA","attestationObject":"AA","transports":["internal"]}}"#;
    let read: WebAuthnRegistration = serde_json::from_str(json).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), json);
    let json = r#"{"id":"AQ","rawId":"AQ","type":"public-key","response":{"clientDataJSON":"AA","authenticatorData":"AA","signature":"AA","userHandle":"AA"}}"#;
    let read: WebAuthnAuthentication = serde_json::from_str(json).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), json);
}

#[test]
fn policies_as_json() {
    for json in [
        r#"{"single":"https://a.example"}"#,
        r#"{"all_subdomains":true}"#,
        r#"{"multiple":["https://a.example"]}"#,
    ] {
        let policy: OriginPolicy = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&policy).unwrap(), json);
    }
    let option = OriginPolicyOption::Single(True);
    assert_eq!(
        serde_json::to_string(&option).unwrap(),
        r#"{"single":true}"#
    );
}
