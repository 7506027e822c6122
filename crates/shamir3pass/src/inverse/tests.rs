#![allow(clippy::unwrap_used)]

use num_bigint_dig::BigUint;
use proptest::{collection::vec, prelude::*};

use super::{bytes_from_limbs, inverse, limbs_from_bytes};

/// Whether a number times its inverse is 1 modulo the prime.
fn is_undone(number: &[u8], prime: &[u8]) -> bool {
    let big = BigUint::from_bytes_be;
    big(number) * big(&inverse(number, prime)) % big(prime) == BigUint::from(1_u8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn an_inverse_undoes(number in vec(any::<u8>(), 1..=65)) {
        // A prime: 2^521 - 1.
        let prime = [&[0x01][..], &[0xff; 65]].concat();
        prop_assume!(number.iter().any(|byte| *byte != 0));
        prop_assert!(is_undone(&number, &prime));
    }

    #[test]
    fn an_inverse_undoes_where_the_modulus_fills_its_limbs(number in vec(any::<u8>(), 7)) {
        // A prime: 2^56 - 5.
        let prime = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfb];
        prop_assume!(number.iter().any(|byte| *byte != 0));
        prop_assert!(is_undone(&number, &prime));
    }

    #[test]
    fn limbs_and_bytes(bytes in vec(any::<u8>(), 1..=300)) {
        let limbs = limbs_from_bytes(&bytes, (bytes.len() * 8).div_ceil(28));
        prop_assert_eq!(&*bytes_from_limbs(&limbs, bytes.len()), &bytes);
    }
}
