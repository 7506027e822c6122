#![allow(clippy::unwrap_used)]

use crypto_bigint::{
    BoxedUint, Odd,
    modular::{BoxedMontyForm, BoxedMontyParams},
};
use proptest::{collection::vec, prelude::*};

use super::{Modulus, bytes_from_limbs, limbs_from_bytes, negated_inverse};

/// An odd modulus with its top bit set: of 8, 256, 384 or 512 bytes.
fn modulus() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        vec(any::<u8>(), 8),
        vec(any::<u8>(), 256),
        vec(any::<u8>(), 384),
        vec(any::<u8>(), 512)
    ]
    .prop_map(|mut bytes| {
        *bytes.first_mut().unwrap() |= 0x80;
        *bytes.last_mut().unwrap() |= 1;
        bytes
    })
}

fn bits(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len() * 8).unwrap()
}

/// The power by another implementation.
fn oracle_power(modulus: &[u8], base: &[u8], exponent: &[u8]) -> Vec<u8> {
    let number = |bytes: &[u8]| BoxedUint::from_be_slice(bytes, bits(bytes)).unwrap();
    let odd = Odd::new(number(modulus)).unwrap();
    let base = number(base).widen(bits(modulus)).rem(odd.as_nz_ref());
    let power = BoxedMontyForm::new(base, BoxedMontyParams::new(odd)).pow(&number(exponent));
    power.retrieve().to_be_bytes().to_vec()
}

fn power(modulus: &[u8], base: &[u8], exponent: &[u8]) -> Vec<u8> {
    let modulus = Modulus::new(modulus);
    modulus
        .number(&modulus.power(&modulus.residue(base), exponent))
        .to_vec()
}

#[test]
fn inverts_odd_limbs() {
    for limb in (1..1 << 28).step_by(65_538) {
        assert_eq!(
            negated_inverse(limb).wrapping_mul(limb).wrapping_add(1) & 0x0fff_ffff,
            0
        );
    }
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
    assert!(power(&modulus, &[5], &[]).ends_with(&[0, 1]));
}

#[test]
fn sums_as_many_rows_as_the_largest_group_has() {
    // All limbs are as large as they get: here a column would overflow first.
    let modulus = [0xff; 512];
    let base = [&[0xff; 511][..], &[0xfd]].concat();
    assert_eq!(
        power(&modulus, &base, &[0xff; 8]),
        oracle_power(&modulus, &base, &[0xff; 8])
    );
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
        let modulus = Modulus::new(&modulus);
        let base = modulus.residue(&base);
        let to_the = |exponent: u128| modulus.power(&base, &exponent.to_be_bytes());
        let product = modulus.multiply(&to_the(a.into()), &to_the(b.into()));
        prop_assert!(modulus.equal(&product, &to_the(u128::from(a) + u128::from(b))));
    }

    #[test]
    fn an_inverse_undoes(number in vec(any::<u8>(), 1..=65)) {
        // A prime: 2^521 - 1.
        let modulus = Modulus::new(&[&[0x01][..], &[0xff; 65]].concat());
        prop_assume!(number.iter().any(|byte| *byte != 0));
        let (residue, inverse) =
            (modulus.residue(&number), modulus.residue(&modulus.inverse(&number)));
        prop_assert!(modulus.equal(&modulus.multiply(&residue, &inverse), &modulus.one()));
    }

    #[test]
    fn limbs_and_bytes(bytes in vec(any::<u8>(), 1..=300)) {
        let limbs = limbs_from_bytes(&bytes, (bytes.len() * 8).div_ceil(28));
        prop_assert_eq!(&*bytes_from_limbs(&limbs, bytes.len()), &bytes);
    }
}
