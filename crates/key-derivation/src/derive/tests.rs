// Specification: core 9

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use super::*;

fn vectors(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

fn bytes(value: &serde_json::Value) -> Vec<u8> {
    hex::decode(value.as_str().unwrap()).unwrap()
}

/// `tests/vectors/key-derivation.json`: interop.md, section 3.
#[test]
fn the_table_gives_the_vectors_of_interop() {
    let file = vectors(include_str!(
        "../../../../tests/vectors/key-derivation.json"
    ));
    let account = file["accountId"].as_str().unwrap();
    let first = PrfOutput::new(bytes(&file["prfFirst"])).unwrap();
    let second = PrfOutput::new(bytes(&file["prfSecond"])).unwrap();

    let key = derive_near_key(account, &second);
    assert_eq!(
        key.signing_key().to_bytes().to_vec(),
        bytes(&file["nearSeed"])
    );
    assert_eq!(
        format!("ed25519:{}", bs58::encode(key.public_key()).into_string()),
        file["nearPublicKey"].as_str().unwrap()
    );
    assert_eq!(
        derive_near_encryption_key(account, &first)
            .as_bytes()
            .to_vec(),
        bytes(&file["nearEncryptionKey"])
    );
    assert_eq!(
        derive_vrf_seed(account, &first).to_vec(),
        bytes(&file["vrfSeed"])
    );
    assert_eq!(
        derive_vrf_encryption_key(&first).as_bytes().to_vec(),
        bytes(&file["vrfEncryptionKey"])
    );
    assert_eq!(
        derive_shamir_aead_key(&bytes(&file["shamirKek"]))
            .as_bytes()
            .to_vec(),
        bytes(&file["shamirAeadKey"])
    );
}

/// `tests/vectors/passkey-account.json`: interop.md, section 14.
#[test]
fn the_account_of_the_passkey_alone_has_the_vectors_of_interop() {
    let file = vectors(include_str!(
        "../../../../tests/vectors/passkey-account.json"
    ));
    let account = file["accountId"].as_str().unwrap();
    let first = PrfOutput::new(bytes(&file["prfFirst"])).unwrap();
    let second = PrfOutput::new(bytes(&file["prfSecond"])).unwrap();

    let key = derive_passkey_account_key(&second);
    assert_eq!(
        key.signing_key().to_bytes().to_vec(),
        bytes(&file["nearSeed"])
    );
    assert_eq!(implicit_account_id(&key.public_key()), account);
    assert_eq!(
        derive_near_key(account, &second).public_key(),
        key.public_key()
    );
    assert_eq!(
        derive_near_encryption_key(account, &first)
            .as_bytes()
            .to_vec(),
        bytes(&file["nearEncryptionKey"])
    );
    assert_eq!(
        derive_vrf_seed(account, &first).to_vec(),
        bytes(&file["vrfSeed"])
    );
}

#[test]
fn only_an_implicit_account_id_is_left_out_of_the_derivation() {
    let prf = PrfOutput::new((0..32).collect()).unwrap();
    let alone = *derive_vrf_seed(&"ab".repeat(32), &prf);
    assert_eq!(*derive_vrf_seed(&"cd".repeat(32), &prf), alone);
    for named in [
        "ab".repeat(31),
        "AB".repeat(32),
        "ag".repeat(32),
        format!("{}.near", "ab".repeat(29)),
        format!("0x{}", "ab".repeat(20)),
    ] {
        assert_ne!(*derive_vrf_seed(&named, &prf), alone, "{named}");
    }
}

/// `tests/vectors/hkdf-sha256.json`: RFC 5869, appendix A, the first 32 bytes of each output.
#[test]
fn hkdf_gives_the_vectors_of_rfc_5869() {
    let file = vectors(include_str!("../../../../tests/vectors/hkdf-sha256.json"));
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 3);
    for case in cases {
        let salt = bytes(&case["salt"]);
        let output = derive(&bytes(&case["ikm"]), Some(&salt), &bytes(&case["info"]));
        assert_eq!(
            output.as_slice(),
            &bytes(&case["okm"])[..32],
            "{}",
            case["name"]
        );
    }
}

#[test]
fn no_salt_equals_the_empty_salt() {
    assert_eq!(
        derive(b"input", None, b"info"),
        derive(b"input", Some(&[]), b"info")
    );
}

#[test]
fn every_purpose_and_account_has_its_own_key() {
    let prf = PrfOutput::new((0..32).collect()).unwrap();
    let keys = [
        *derive_near_encryption_key("alice.testnet", &prf).as_bytes(),
        *derive_near_encryption_key("bob.testnet", &prf).as_bytes(),
        derive_near_key("alice.testnet", &prf)
            .signing_key()
            .to_bytes(),
        derive_near_key("bob.testnet", &prf)
            .signing_key()
            .to_bytes(),
        *derive_vrf_seed("alice.testnet", &prf),
        *derive_vrf_seed("bob.testnet", &prf),
        *derive_vrf_encryption_key(&prf).as_bytes(),
        *derive_shamir_aead_key(prf.as_bytes()).as_bytes(),
    ];
    for (index, key) in keys.iter().enumerate() {
        assert!(!keys[index + 1..].contains(key), "{index}");
    }
}
