#![allow(clippy::unwrap_used)]

use super::*;

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
