#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use serde::Deserialize;

use super::Group;
use crate::{ShamirError, halve, minimal, modulus::Modulus, number_from_text, number_to_text};

#[derive(Deserialize)]
struct Rfc3526 {
    p_hex: String,
    p_b64u: String,
}

#[derive(Deserialize)]
pub(crate) struct Prime {
    pub(crate) p_b64u: String,
}

#[derive(Deserialize)]
pub(crate) struct Primes {
    pub(crate) standard: Vec<Prime>,
    pub(crate) safe2048: Prime,
    pub(crate) unsafe2048: Prime,
    pub(crate) safe1024: Prime,
    pub(crate) safe6144: Prime,
}

pub(crate) fn primes() -> Primes {
    let vectors = include_str!("../../../../tests/vectors/shamir-primes.json");
    serde_json::from_str(vectors).unwrap()
}

#[test]
fn the_default_group_is_group_14_of_rfc_3526() {
    let vector: Rfc3526 =
        serde_json::from_str(include_str!("../../../../tests/vectors/rfc3526.json")).unwrap();
    let group = Group::rfc3526_2048();
    assert_eq!(hex::encode(group.prime()), vector.p_hex);
    assert_eq!(Group::from_text(&vector.p_b64u).unwrap(), group);
    // RFC 3526, section 3: 2^2048 - 2^1984 - 1 + 2^64 * ([2^1918 pi] + 124476).
    let (head, tail) = (
        "ffffffffffffffffc90fdaa22168c234",
        "15728e5a8aacaa68ffffffffffffffff",
    );
    assert!(vector.p_hex.starts_with(head) && vector.p_hex.ends_with(tail));
}

#[test]
fn recognises_the_standard_groups() {
    let primes = primes();
    assert_eq!(primes.standard.len(), 6);
    for prime in primes.standard {
        let group = Group::from_text(&prime.p_b64u).unwrap();
        assert_eq!(number_to_text(group.prime()), prime.p_b64u);
    }
}

#[test]
fn refuses_a_group_that_is_too_small_too_large_or_not_safe() {
    let primes = primes();
    let refusal = |text: &str| Group::from_text(text).err();
    assert_eq!(
        refusal(&primes.safe1024.p_b64u),
        Some(ShamirError::PrimeTooSmall)
    );
    assert_eq!(
        refusal(&primes.safe6144.p_b64u),
        Some(ShamirError::PrimeTooLarge)
    );
    assert_eq!(
        refusal(&primes.unsafe2048.p_b64u),
        Some(ShamirError::PrimeNotSafe)
    );
    assert_eq!(refusal("Ag"), Some(ShamirError::PrimeTooSmall));
    assert_eq!(refusal(""), Some(ShamirError::NumberInvalid));
    let mut number = Group::rfc3526_2048().prime().to_vec();
    *number.last_mut().unwrap() -= 2; // 1 modulo 4
    assert_eq!(Group::new(&number).err(), Some(ShamirError::PrimeNotSafe));
    *number.last_mut().unwrap() -= 2; // 3 modulo 4, and composite
    assert_eq!(Group::new(&number).err(), Some(ShamirError::PrimeNotSafe));
    let just_too_small = halve(Group::rfc3526_2048().prime());
    assert_eq!(
        Group::new(&just_too_small).err(),
        Some(ShamirError::PrimeTooSmall)
    );
    let too_large = [&[1][..], &[0xff; 512]].concat();
    assert_eq!(
        Group::new(&too_large).err(),
        Some(ShamirError::PrimeTooLarge)
    );
}

#[test]
fn elements_lie_between_two_and_p_minus_two() {
    let group = Group::rfc3526_2048();
    let offset = |subtract: u8| {
        let mut bytes = group.prime().to_vec();
        *bytes.last_mut().unwrap() -= subtract;
        number_to_text(&bytes)
    };
    let read = |text: &str| {
        group
            .element_from_text(text)
            .map(|element| group.element_to_text(&element))
    };
    for text in ["Ag", "AQA", "AgM", &offset(2), &offset(3)] {
        assert_eq!(read(text).as_deref(), Ok(text));
    }
    let above = number_to_text(&[&[1][..], &[0; 256]].concat());
    for text in ["AQ", &offset(1), &offset(0), &above] {
        assert_eq!(read(text), Err(ShamirError::ElementOutOfRange));
    }
    for text in ["", "AA", "AAI", "Ag==", "A", "AB", "+/+/", "Ag\n"] {
        assert_eq!(read(text), Err(ShamirError::NumberInvalid), "{text:?}");
    }
}

#[test]
fn every_element_is_drawn_and_nothing_else() {
    // 3 of its 8 bits are no part of the prime.
    let group = Group {
        prime: vec![23],
        elements: Modulus::new(&[23]).unwrap(),
        exponents: Modulus::new(&[11]).unwrap(),
    };
    let draw = |_| *group.make_element().unwrap().bytes().first().unwrap();
    let drawn: BTreeSet<u8> = (0..2_000).map(draw).collect();
    assert_eq!(drawn, (2..=21).collect());
}

#[test]
fn drawn_squares_are_in_the_subgroup_of_prime_order() {
    let group = Group::rfc3526_2048();
    let order = halve(group.prime());
    let (first, second) = (group.make_square().unwrap(), group.make_square().unwrap());
    for square in [&first, &second] {
        assert_eq!(minimal(&group.elements.power(square.bytes(), &order)), [1]);
    }
    assert_ne!(first.bytes(), second.bytes());
    // 11 is no square here, so that the test above can fail.
    assert_ne!(minimal(&group.elements.power(&[11], &order)), [1]);
}

#[test]
fn numbers_have_one_text() {
    assert_eq!(number_to_text(&[0, 0, 1, 0]), "AQA");
    assert_eq!(*number_from_text("AQA").unwrap(), [1, 0]);
}
