#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use proptest::prelude::*;

use super::*;

fn key(byte: u8) -> EncryptionKey {
    EncryptionKey::new(Zeroizing::new([byte; 32]))
}

proptest! {
    #[test]
    fn opening_returns_any_sealed_plaintext(plaintext: Vec<u8>) {
        let sealed = key(1).seal(&plaintext).unwrap();
        prop_assert_eq!(sealed.ciphertext.len(), plaintext.len() + TAG_LENGTH);
        prop_assert_eq!(&*key(1).open(&sealed).unwrap(), &plaintext);
    }

    #[test]
    fn rejects_any_altered_bit(plaintext: Vec<u8>, position: prop::sample::Index, bit in 0..8u8) {
        let mut sealed = key(1).seal(&plaintext).unwrap();
        let position = position.index(sealed.ciphertext.len() + NONCE_LENGTH);
        match position.checked_sub(NONCE_LENGTH) {
            Some(position) => sealed.ciphertext[position] ^= 1u8 << bit,
            None => sealed.nonce[position] ^= 1u8 << bit,
        }
        prop_assert_eq!(key(1).open(&sealed), Err(SealError::DecryptionFailed));
    }

    #[test]
    fn no_stored_text_makes_opening_panic(encrypted_data: String, iv: String) {
        let stored = EncryptedPrivateKey { encrypted_data, iv };
        prop_assert!(key(1).open_private_key(&stored).is_err());
    }
}

#[test]
fn a_private_key_opens_only_under_the_same_key_s38() {
    let private_key = PrivateKey::from_seed(&[9; 32]);
    let encrypted = key(1).seal_private_key(&private_key).unwrap();
    assert_eq!(
        key(1).open_private_key(&encrypted).unwrap().public_key(),
        private_key.public_key()
    );
    assert_eq!(
        key(2).open_private_key(&encrypted).err(),
        Some(SealError::DecryptionFailed)
    );
}

#[test]
fn every_sealing_uses_a_fresh_nonce() {
    let (first, second) = (key(1).seal(b"same").unwrap(), key(1).seal(b"same").unwrap());
    assert_ne!(first.nonce, second.nonce);
    assert_ne!(first.ciphertext, second.ciphertext);
}

#[test]
fn rejects_a_malformed_stored_key() {
    let good = key(1)
        .seal_private_key(&PrivateKey::from_seed(&[9; 32]))
        .unwrap();
    let with_iv = |iv: &str| EncryptedPrivateKey {
        iv: iv.into(),
        ..good.clone()
    };
    let with_data = |data: String| EncryptedPrivateKey {
        encrypted_data: data,
        ..good.clone()
    };
    for malformed in [
        with_iv(""),
        with_iv("AAAA"),
        with_iv("not base64!!!!!!"),
        with_data("====".into()),
    ] {
        assert_eq!(
            key(1).open_private_key(&malformed).err(),
            Some(SealError::MalformedCiphertext)
        );
    }
    let short = with_data(String::new());
    assert_eq!(
        key(1).open_private_key(&short).err(),
        Some(SealError::DecryptionFailed)
    );
}

#[test]
fn rejects_a_plaintext_that_is_not_a_private_key() {
    let sealed = key(1).seal(b"ed25519:hello").unwrap();
    let stored = EncryptedPrivateKey {
        encrypted_data: Base64UrlUnpadded::encode_string(&sealed.ciphertext),
        iv: Base64UrlUnpadded::encode_string(&sealed.nonce),
    };
    assert_eq!(
        key(1).open_private_key(&stored).err(),
        Some(SealError::PrivateKey(PrivateKeyError::InvalidPrivateKey))
    );
}

/// `tests/vectors/chacha20-poly1305.json`: RFC 8439, section 2.8.2. The vector has associated data, which sealing
/// never uses, but it pins the cipher.
#[test]
fn the_cipher_gives_the_vector_of_rfc_8439() {
    let vector: serde_json::Value = serde_json::from_str(include_str!(
        "../../../../tests/vectors/chacha20-poly1305.json"
    ))
    .unwrap();
    let bytes = |field: &str| hex::decode(vector[field].as_str().unwrap()).unwrap();
    let key = EncryptionKey::new(Zeroizing::new(bytes("key").try_into().unwrap()));
    let nonce: [u8; NONCE_LENGTH] = bytes("nonce").try_into().unwrap();
    let mut buffer = bytes("plaintext");
    key.cipher()
        .encrypt_in_place(&nonce.into(), &bytes("aad"), &mut buffer)
        .unwrap();
    assert_eq!(buffer, [bytes("ciphertext"), bytes("tag")].concat());

    // The keystream does not depend on associated data, so sealing gives the same ciphertext with another tag.
    let sealed = key.seal_with_nonce(&bytes("plaintext"), nonce).unwrap();
    assert_eq!(
        sealed.ciphertext[..bytes("ciphertext").len()],
        bytes("ciphertext")
    );
    assert_eq!(&*key.open(&sealed).unwrap(), &bytes("plaintext"));
}
