#![allow(clippy::unwrap_used)]

use num_bigint_dig::BigUint;
use proptest::{collection::vec, prelude::*};

use super::Modulus;

/// An odd modulus with its top bit set: of 8, 256, 257, 384 or 512 bytes.
fn modulus() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        vec(any::<u8>(), 8),
        vec(any::<u8>(), 256),
        vec(any::<u8>(), 257),
        vec(any::<u8>(), 384),
        vec(any::<u8>(), 512)
    ]
    .prop_map(|mut bytes| {
        *bytes.first_mut().unwrap() |= 0x80;
        *bytes.last_mut().unwrap() |= 1;
        bytes
    })
}

/// The power by another implementation.
fn oracle_power(modulus: &[u8], base: &[u8], exponent: &[u8]) -> BigUint {
    let number = BigUint::from_bytes_be;
    number(base).modpow(&number(exponent), &number(modulus))
}

fn power(modulus: &[u8], base: &[u8], exponent: &[u8]) -> BigUint {
    BigUint::from_bytes_be(&Modulus::new(modulus).unwrap().power(base, exponent))
}

#[test]
fn powers_at_the_edges() {
    let modulus = [0xff; 256];
    let minus_one = [&[0xff; 255][..], &[0xfe]].concat();
    for base in [vec![0], vec![1], vec![2], minus_one, vec![0xff; 256]] {
        for exponent in [vec![0], vec![1], vec![2], vec![0xff; 256], vec![0, 0, 0, 3]] {
            let (ours, oracle) = (
                power(&modulus, &base, &exponent),
                oracle_power(&modulus, &base, &exponent),
            );
            assert_eq!(ours, oracle, "{base:?} {exponent:?}");
        }
    }
    assert_eq!(power(&modulus, &[5], &[]), BigUint::from(1_u8));
}

#[test]
fn powers_with_the_largest_numbers_of_the_largest_group() {
    let modulus = [0xff; 512];
    let base = [&[0xff; 511][..], &[0xfd]].concat();
    for exponent in [&[0xff; 8][..], &[0xff; 512]] {
        assert_eq!(
            power(&modulus, &base, exponent),
            oracle_power(&modulus, &base, exponent)
        );
    }
}

#[test]
fn an_exponent_may_be_longer_than_the_modulus() {
    let (modulus, exponent) = ([0xff; 256], [0xa5; 512]);
    assert_eq!(
        power(&modulus, &[3], &exponent),
        oracle_power(&modulus, &[3], &exponent)
    );
}

#[test]
fn refuses_a_modulus_that_is_even_or_too_long() {
    assert!(Modulus::new(&[0xff, 0xff]).is_some());
    for bytes in [&[0][..], &[0xff, 0xfe], &[0xff; 513]] {
        assert!(Modulus::new(bytes).is_none(), "{bytes:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn powers_like_another_implementation(
        modulus in modulus(),
        base in vec(any::<u8>(), 1..=8),
        exponent in vec(any::<u8>(), 1..=40),
    ) {
        prop_assert_eq!(
            power(&modulus, &base, &exponent),
            oracle_power(&modulus, &base, &exponent)
        );
    }

    #[test]
    fn multiplies_as_powers_add(modulus in modulus(), base in vec(any::<u8>(), 8), a: u64, b: u64) {
        let modulus = Modulus::new(&modulus).unwrap();
        let to_the = |exponent: u128| modulus.power(&base, &exponent.to_be_bytes());
        let product = modulus.multiply(&to_the(a.into()), &to_the(b.into()));
        prop_assert_eq!(product, to_the(u128::from(a) + u128::from(b)));
    }
}
