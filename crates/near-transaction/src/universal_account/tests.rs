#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use serde_json::Value;

use super::*;

/// `tests/vectors/universal-accounts.json`: near-primitives-core and near-primitives.
fn vectors() -> Value {
    serde_json::from_str(include_str!(
        "../../../../tests/vectors/universal-accounts.json"
    ))
    .unwrap()
}

#[test]
fn writes_the_known_ids_of_hashes() {
    let hashes: [[u8; 32]; 4] = [
        [0; 32],
        [0xff; 32],
        std::array::from_fn(|index| index as u8),
        std::array::from_fn(|index| (index * 7) as u8),
    ];
    let ids = vectors()["ids"].as_array().unwrap().clone();
    assert_eq!(ids.len(), hashes.len());
    for (hash, id) in hashes.iter().zip(ids) {
        assert_eq!(id_of(hash), id.as_str().unwrap());
    }
}

#[test]
fn derives_the_known_accounts_of_first_states() {
    let key_only = UniversalStateInit::V1(UniversalStateInitV1 {
        code: None,
        data: Vec::new(),
        access_keys: vec![PublicKeyHandle::MlDsa65([0x11; 32])],
    });
    let contract = UniversalStateInit::V1(UniversalStateInitV1 {
        code: Some(GlobalContractIdentifier::CodeHash(crate::CryptoHash(
            [0x22; 32],
        ))),
        data: vec![StateEntry {
            key: b"key".to_vec(),
            value: b"value".to_vec(),
        }],
        access_keys: Vec::new(),
    });
    let derived = &vectors()["derived"];
    for (state, name) in [(key_only, "keyOnly"), (contract, "contract")] {
        let id = state.account_id().unwrap();
        assert_eq!(id.as_str(), derived[name].as_str().unwrap());
    }
}

#[test]
fn reads_only_the_one_encoding_of_a_state() {
    let handle = |byte| PublicKeyHandle::Ed25519([byte; 32]);
    let entry = |key: &[u8]| StateEntry {
        key: key.to_vec(),
        value: Vec::new(),
    };
    let raw = |data: Vec<StateEntry>, keys: Vec<PublicKeyHandle>, tail: &[u8]| {
        let code: Option<GlobalContractIdentifier> = None;
        let mut bytes = borsh::to_vec(&(0_u8, code, data, keys)).unwrap();
        bytes.extend(tail);
        UniversalStateInit::try_from_slice(&borsh::to_vec(&bytes).unwrap())
    };
    assert!(
        raw(
            vec![entry(b"a"), entry(b"b")],
            vec![handle(1), handle(2)],
            &[]
        )
        .is_ok()
    );
    assert!(raw(vec![entry(b"b"), entry(b"a")], Vec::new(), &[]).is_err());
    assert!(raw(vec![entry(b"a"), entry(b"a")], Vec::new(), &[]).is_err());
    assert!(raw(Vec::new(), vec![handle(2), handle(1)], &[]).is_err());
    assert!(raw(Vec::new(), vec![handle(1), handle(1)], &[]).is_err());
    assert!(raw(Vec::new(), vec![handle(1)], &[0]).is_err());
}
