//! Credentials from other implementations: the W3C's test vectors, and node:crypto by `tests/make-vectors.mjs`.
// Specification: core 5

use serde::Deserialize;

use crate::{
    AssertionResponse, AttestationResponse, Base64Url, CosePublicKey, Expectations, NativeVerifier,
    Origin, OriginPolicy, RpId, TopOrigins, True, UserVerification, WebAuthnAuthentication,
    WebAuthnRegistration,
    signature::{sha256, verify_signature},
    verify_authentication, verify_registration,
};

#[derive(Deserialize)]
struct W3c {
    vectors: Vec<W3cVector>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct W3cVector {
    name: String,
    format: String,
    user_verified: bool,
    top_origin: Option<String>,
    registration: W3cRegistration,
    authentication: W3cAuthentication,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct W3cRegistration {
    challenge: String,
    credential_id: String,
    #[serde(rename = "clientDataJSON")]
    client_data_json: String,
    attestation_object: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct W3cAuthentication {
    challenge: String,
    authenticator_data: String,
    #[serde(rename = "clientDataJSON")]
    client_data_json: String,
    signature: String,
}

fn hex(text: &str) -> Base64Url {
    Base64Url(hex::decode(text).unwrap())
}

#[test]
fn the_w3c_test_vectors_verify() {
    let W3c { vectors } =
        serde_json::from_str(include_str!("../../../../tests/vectors/webauthn-w3c.json")).unwrap();
    assert_eq!(vectors.len(), 7);
    let rp_id = RpId::parse("example.org").unwrap();
    for vector in vectors {
        let W3cVector {
            registration,
            authentication,
            ..
        } = vector;
        let credential_id = hex(&registration.credential_id);
        let top_origins: Vec<_> = vector
            .top_origin
            .iter()
            .map(|origin| Origin::parse(origin).unwrap())
            .collect();
        let expectations = |challenge| Expectations {
            challenge,
            rp_id: &rp_id,
            origin_policy: &OriginPolicy::AllSubdomains(True),
            allowed_origins: &[],
            top_origins: TopOrigins::OneOf(&top_origins),
            user_verification: UserVerification::Preferred,
        };

        let credential = WebAuthnRegistration {
            id: credential_id.to_text(),
            raw_id: credential_id.clone(),
            kind: "public-key".to_owned(),
            authenticator_attachment: None,
            response: AttestationResponse {
                client_data_json: hex(&registration.client_data_json),
                attestation_object: hex(&registration.attestation_object),
                transports: None,
            },
        };
        let challenge = hex(&registration.challenge);
        let registered =
            verify_registration(&credential, &expectations(&challenge), &NativeVerifier)
                .unwrap_or_else(|error| panic!("{}: {error}", vector.name));
        assert_eq!(registered.attestation_format.name(), vector.format);
        assert_eq!(
            registered.ceremony.user_verified, vector.user_verified,
            "{}",
            vector.name
        );
        assert_eq!(registered.ceremony.top_origin, top_origins.first().cloned());
        assert_eq!(registered.credential_id, credential_id.0);

        let credential = WebAuthnAuthentication {
            id: credential_id.to_text(),
            raw_id: credential_id,
            kind: "public-key".to_owned(),
            authenticator_attachment: None,
            response: AssertionResponse {
                client_data_json: hex(&authentication.client_data_json),
                authenticator_data: hex(&authentication.authenticator_data),
                signature: hex(&authentication.signature),
                user_handle: None,
            },
        };
        let challenge = hex(&authentication.challenge);
        verify_authentication(
            &credential,
            &expectations(&challenge),
            &registered.public_key_cose,
            &NativeVerifier,
        )
        .unwrap_or_else(|error| panic!("{}: {error}", vector.name));
    }
}

#[derive(Deserialize)]
struct Node {
    vectors: Vec<NodeVector>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NodeVector {
    algorithm: i64,
    rp_id: String,
    challenge: Base64Url,
    registration: WebAuthnRegistration,
    authentication: WebAuthnAuthentication,
}

#[test]
fn credentials_made_with_node_crypto_verify() {
    let Node { vectors } =
        serde_json::from_str(include_str!("../../../../tests/vectors/webauthn-node.json")).unwrap();
    assert_eq!(vectors.len(), 3);
    for vector in vectors {
        let expectations = Expectations {
            challenge: &vector.challenge,
            rp_id: &RpId::parse(&vector.rp_id).unwrap(),
            origin_policy: &OriginPolicy::AllSubdomains(True),
            allowed_origins: &[],
            top_origins: TopOrigins::OneOf(&[]),
            user_verification: UserVerification::Required,
        };
        let registered =
            verify_registration(&vector.registration, &expectations, &NativeVerifier).unwrap();
        assert_eq!(
            registered.public_key.algorithm().cose_id(),
            vector.algorithm
        );
        let authenticated = verify_authentication(
            &vector.authentication,
            &expectations,
            &registered.public_key_cose,
            &NativeVerifier,
        )
        .unwrap();
        assert_eq!(
            authenticated.user_handle.as_deref(),
            Some(b"alice.testnet".as_slice())
        );
        assert_eq!(authenticated.ceremony.sign_count, 7);
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AssertionSignatures {
    authenticator_data: String,
    #[serde(rename = "clientDataJSON")]
    client_data_json: String,
    cases: Vec<SignatureCase>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SignatureCase {
    name: String,
    verifies: bool,
    cose_key: String,
    signature: String,
}

#[test]
fn verifies_keys_and_signatures_only_in_the_form_of_the_standards() {
    let AssertionSignatures {
        authenticator_data,
        client_data_json,
        cases,
    } = serde_json::from_str(include_str!(
        "../../../../tests/vectors/assertion-signatures.json"
    ))
    .unwrap();
    let signed = [
        &hex(&authenticator_data)[..],
        &sha256(&hex(&client_data_json)),
    ]
    .concat();
    for case in cases {
        let verifies = CosePublicKey::parse(&hex(&case.cose_key)).is_ok_and(|key| {
            verify_signature(&NativeVerifier, &key, &signed, &hex(&case.signature))
        });
        assert_eq!(verifies, case.verifies, "{}", case.name);
    }
}
