#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use ed25519_dalek::Signature;
use proptest::prelude::*;
use serde_json::Value;

use super::*;

fn vectors() -> Value {
    serde_json::from_str(include_str!("../../../tests/vectors/nep413.json")).unwrap()
}

fn payload(case: &Value) -> Payload {
    let text = |name: &str| case[name].as_str().unwrap().to_owned();
    let nonce = Base64::decode_vec(&text("nonce")).unwrap();
    Payload::new(
        text("message"),
        &nonce,
        text("recipient"),
        case["callbackUrl"].as_str().map(str::to_owned),
    )
    .unwrap()
}

fn signing_key(file: &Value) -> SigningKey {
    let text = file["privateKey"]
        .as_str()
        .unwrap()
        .strip_prefix("ed25519:")
        .unwrap();
    let bytes: [u8; 64] = bs58::decode(text).into_vec().unwrap().try_into().unwrap();
    SigningKey::from_keypair_bytes(&bytes).unwrap()
}

/// `tests/vectors/nep413.json`: the signatures published with near-api-js and near-api-rs.
#[test]
fn signs_the_published_messages() {
    let file = vectors();
    let key = signing_key(&file);
    for case in file["cases"].as_array().unwrap() {
        let payload = payload(case);
        assert_eq!(payload.nonce_text(), case["nonce"].as_str().unwrap());
        let signature = payload.sign(&key).unwrap();
        assert_eq!(
            signature_text(&signature),
            case["signature"].as_str().unwrap(),
            "{}",
            case["name"]
        );
    }
}

#[test]
fn hashes_the_published_message() {
    let case = &vectors()["hash"];
    assert_eq!(
        hex::encode(payload(case).hash().unwrap()),
        case["sha256"].as_str().unwrap()
    );
}

#[test]
fn the_tag_comes_first_in_little_endian() {
    let payload = Payload::new("m".into(), &[0; 32], "r".into(), None).unwrap();
    assert_eq!(
        payload.to_bytes().unwrap()[..4],
        (2_u32.pow(31) + 413).to_le_bytes()
    );
}

#[test]
fn rejects_a_nonce_of_another_length_and_an_empty_recipient() {
    for length in [0, 31, 33, 64] {
        let nonce = vec![0; length];
        assert_eq!(
            Payload::new("m".into(), &nonce, "r".into(), None),
            Err(Nep413Error::InvalidNonce)
        );
    }
    assert_eq!(
        Payload::new("m".into(), &[0; 32], String::new(), None),
        Err(Nep413Error::MissingRecipient)
    );
}

proptest! {
    #[test]
    fn any_payload_comes_back(message: String, nonce: [u8; 32], recipient: String, callback_url: Option<String>) {
        let payload = Payload { message, nonce, recipient, callback_url };
        let bytes = payload.to_bytes().unwrap();
        prop_assert_eq!(Payload::from_bytes(&bytes).unwrap(), payload);
        prop_assert_eq!(Payload::from_bytes(&[bytes.as_slice(), &[0]].concat()), Err(Nep413Error::UndecodableMessage));
    }

    #[test]
    fn no_bytes_make_the_decoder_panic(bytes: Vec<u8>) {
        prop_assert!(Payload::from_bytes(&bytes).is_err() || bytes.starts_with(&TAG.to_le_bytes()));
    }

    #[test]
    fn a_signature_is_of_this_payload_only(seed: [u8; 32], message: String, other: String) {
        prop_assume!(message != other);
        let key = SigningKey::from_bytes(&seed);
        let payload = |message| Payload { message, nonce: [1; 32], recipient: "r".into(), callback_url: None };
        let (payload, other) = (payload(message), payload(other));
        let signature = Signature::from_bytes(&payload.sign(&key).unwrap());
        let verifying_key = key.verifying_key();
        prop_assert!(verifying_key.verify_strict(&payload.hash().unwrap(), &signature).is_ok());
        prop_assert!(verifying_key.verify_strict(&other.hash().unwrap(), &signature).is_err());
    }
}
