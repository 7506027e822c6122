#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use zeroize::Zeroizing;

use super::Exponent;
use crate::{Group, ShamirError, number_to_text};

/// Whether a power and the power of the inverse cancel, also for a base outside the subgroup.
fn cancels(group: &Group, exponent: &Exponent) -> bool {
    let inverse = exponent.inverse(group).unwrap();
    ["Ag", "Cw", "AgM"].iter().all(|text| {
        let base = group.element_from_text(text).unwrap();
        group.element_to_text(&group.power(&group.power(&base, exponent), &inverse)) == *text
    })
}

#[test]
fn short_exponents_are_odd_and_differ() {
    let (first, second) = (
        Exponent::make_short().unwrap(),
        Exponent::make_short().unwrap(),
    );
    assert_eq!(first.bytes().len(), 32);
    assert_eq!(first.bytes().last().unwrap() & 1, 1);
    assert_ne!(first.bytes(), second.bytes());
}

#[test]
fn a_full_exponent_has_an_inverse_too() {
    let group = Group::rfc3526_2048();
    let full = Exponent::make_short().unwrap().inverse(&group).unwrap();
    assert_eq!(full.bytes().len(), 256);
    assert!(cancels(&group, &full));
}

#[test]
fn refuses_exponents_without_an_inverse() {
    let group = Group::rfc3526_2048();
    let read = |bytes: &[u8]| Exponent::from_text(&group, &number_to_text(bytes)).err();
    let order = crate::halve(group.prime());
    let mut minus_one = group.prime().to_vec();
    *minus_one.last_mut().unwrap() -= 2;
    assert_eq!(read(&[3]), None);
    assert_eq!(read(&minus_one), None);
    for bytes in [
        &[1][..],
        &[2],
        &[1, 0],
        &order,
        group.prime(),
        &[&[1][..], &[1; 256]].concat(),
    ] {
        assert_eq!(read(bytes), Some(ShamirError::ExponentInvalid), "{bytes:?}");
    }
    assert_eq!(
        Exponent::from_text(&group, "").err(),
        Some(ShamirError::NumberInvalid)
    );
}

#[test]
fn an_exponent_that_shares_a_factor_with_p_minus_1_has_no_inverse() {
    let group = Group::rfc3526_2048();
    let has_inverse = |bytes: &[u8]| {
        Exponent(Zeroizing::new(bytes.to_vec()))
            .inverse(&group)
            .is_some()
    };
    assert!(has_inverse(&[3]));
    for bytes in [&[0][..], &[2], &[6], &crate::halve(group.prime())] {
        assert!(!has_inverse(bytes), "{bytes:?}");
    }
}

#[test]
fn an_exponent_survives_its_text() {
    let group = Group::rfc3526_2048();
    let exponent = Exponent::make_short().unwrap();
    let read = Exponent::from_text(&group, &exponent.to_text()).unwrap();
    assert_eq!(read.minimal_bytes(), exponent.minimal_bytes());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn an_inverse_undoes_any_odd_exponent(mut bytes in proptest::collection::vec(any::<u8>(), 1..=255)) {
        *bytes.last_mut().unwrap() |= 1;
        prop_assume!(number_to_text(&bytes) != "AQ");
        let group = Group::rfc3526_2048();
        let exponent = Exponent::from_text(&group, &number_to_text(&bytes)).unwrap();
        prop_assert!(cancels(&group, &exponent));
    }
}
