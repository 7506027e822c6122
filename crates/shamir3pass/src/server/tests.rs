#![allow(clippy::unwrap_used)]

use sha2::{Digest, Sha256};

use super::{KEY_ID_LENGTH, ServerKey};
use crate::{Exponent, Group};

#[test]
fn removes_its_own_lock() {
    let group = Group::rfc3526_2048();
    let key = ServerKey::make(&group).unwrap();
    let base = group.element_from_text("AgM").unwrap();
    let locked = group.power(&base, &key.e);
    assert_ne!(group.element_to_text(&locked), "AgM");
    assert_eq!(group.element_to_text(&group.power(&locked, &key.d)), "AgM");
}

#[test]
fn two_parties_remove_their_locks_in_any_order() {
    let group = Group::rfc3526_2048();
    let (ours, theirs) = (
        ServerKey::make(&group).unwrap(),
        ServerKey::make(&group).unwrap(),
    );
    let locked = [&ours.e, &theirs.e, &ours.d, &theirs.d]
        .into_iter()
        .fold(group.element_from_text("Cw").unwrap(), |value, exponent| {
            group.power(&value, exponent)
        });
    assert_eq!(group.element_to_text(&locked), "Cw");
}

#[test]
fn the_id_hashes_prime_and_exponent_without_leading_zeros() {
    let group = Group::rfc3526_2048();
    let e = Exponent::from_text(&group, "AQAB").unwrap();
    let key = ServerKey {
        d: e.inverse(&group).unwrap(),
        e,
    };
    let hash = Sha256::new()
        .chain_update(b"shamir3pass-key-id-v1")
        .chain_update(group.prime())
        .chain_update([1, 0, 1])
        .finalize();
    let expected = crate::number_to_text(hash.get(..KEY_ID_LENGTH).unwrap());
    assert_eq!(key.id(&group), expected);
    assert_eq!(key.id(&group).len(), 22);
}
