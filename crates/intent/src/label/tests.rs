#![allow(clippy::unwrap_used)]

use sha2::{Digest, Sha256};

use super::*;

#[test]
fn each_label_is_the_digest_of_its_text() {
    let sha256 = |text: &str| <[u8; 32]>::from(Sha256::digest(text));
    assert_eq!(
        register_digest("alice.testnet"),
        sha256("register:alice.testnet:1")
    );
    assert_eq!(
        device2_register_digest("alice.testnet", 1),
        sha256("device2-register:alice.testnet:1")
    );
    assert_eq!(
        device2_register_digest("alice.testnet", 12),
        sha256("device2-register:alice.testnet:12")
    );
    assert_eq!(
        register_existing_digest("alice.testnet", 12),
        sha256("register-existing:alice.testnet:12")
    );
    assert_eq!(
        link_device_digest("alice.testnet", 2),
        sha256("linkdevice:alice.testnet:2")
    );
    assert_eq!(
        login_session_digest("alice.testnet", "wallet.example"),
        sha256(
            r#"{"kind":"login_session","nearAccountId":"alice.testnet","rpId":"wallet.example"}"#
        )
    );
}

#[test]
fn no_two_labels_of_one_account_are_equal() {
    let digests = [
        register_digest("alice.testnet"),
        device2_register_digest("alice.testnet", 1),
        device2_register_digest("alice.testnet", 2),
        register_existing_digest("alice.testnet", 1),
        link_device_digest("alice.testnet", 1),
        login_session_digest("alice.testnet", "alice.testnet"),
    ];
    for (index, digest) in digests.iter().enumerate() {
        assert!(!digests.iter().skip(index + 1).any(|other| other == digest));
    }
}
