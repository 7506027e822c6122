#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;

fn text_of(bytes: &[u8]) -> String {
    format!("ed25519:{}", bs58::encode(bytes).into_string())
}

proptest! {
    #[test]
    fn any_key_parses_back_from_its_text(seed: [u8; 32]) {
        let key = PrivateKey::from_seed(&seed);
        let text = key.to_text();
        prop_assert_eq!(text.as_str(), text_of(&key.signing_key().to_keypair_bytes()));
        let read = PrivateKey::from_text(text.as_bytes()).unwrap();
        prop_assert_eq!(read.signing_key().to_bytes(), seed);
        prop_assert_eq!(read.public_key(), key.public_key());
    }

    #[test]
    fn no_text_makes_parsing_panic(text: Vec<u8>) {
        let _ = PrivateKey::from_text(&text);
        let _ = PrivateKey::from_text(&[b"ed25519:", text.as_slice()].concat());
    }
}

#[test]
fn rejects_other_forms() {
    let key = PrivateKey::from_seed(&[7; 32]).to_text();
    let secp = key.replace("ed25519:", "secp256k1:");
    let no_prefix = key.strip_prefix("ed25519:").unwrap().to_owned();
    let short = text_of(&[7; 63]);
    let long = text_of(&[7; 65]);
    let seed_only = text_of(&[7; 32]);
    let padded = format!("{} ", key.as_str());
    for text in [
        "",
        "ed25519:",
        "ed25519:0OIl",
        &secp,
        &no_prefix,
        &short,
        &long,
        &seed_only,
        &padded,
    ] {
        assert_eq!(
            PrivateKey::from_text(text.as_bytes()).err(),
            Some(PrivateKeyError::InvalidPrivateKey),
            "{text}"
        );
    }
}

#[test]
fn rejects_the_public_half_of_another_key() {
    let mut bytes = PrivateKey::from_seed(&[7; 32])
        .signing_key()
        .to_keypair_bytes();
    let other = PrivateKey::from_seed(&[8; 32]).public_key();
    bytes.get_mut(32..).unwrap().copy_from_slice(&other);
    assert_eq!(
        PrivateKey::from_text(text_of(&bytes).as_bytes()).err(),
        Some(PrivateKeyError::PrivateKeyMismatch)
    );
}

#[test]
fn debug_output_holds_no_key_s3() {
    assert_eq!(
        format!("{:?}", PrivateKey::from_seed(&[7; 32])),
        "PrivateKey(..)"
    );
}
