#![allow(clippy::unwrap_used)]

use super::{PASSED, is_prime, split_off_twos};
use crate::{Group, group::tests::primes, modulus::Modulus};

#[test]
fn tells_primes_from_composites() {
    let test = |number: u32| {
        let bytes = number.to_be_bytes();
        is_prime(&Modulus::new(&bytes).unwrap(), &bytes, 20).unwrap()
    };
    // Large ones: a random base that is a multiple of the modulus would fail it.
    for prime in [2_147_483_647, 4_294_967_279, 4_294_967_291] {
        assert!(test(prime), "{prime}");
    }
    // Carmichael numbers, a square, strong pseudoprimes to small bases, a product of two large primes.
    for composite in [
        9,
        561,
        41_041,
        825_265,
        321_197_185,
        25,
        2_047,
        3_215_031_751,
        4_294_049_777,
    ] {
        assert!(!test(composite), "{composite}");
    }
}

#[test]
fn accepts_another_safe_prime_and_remembers_it() {
    let prime = primes().safe2048.p_b64u;
    let group = Group::from_text(&prime).unwrap();
    let remembered = PASSED.lock().unwrap().len();
    assert!(remembered >= 1);
    assert_eq!(Group::from_text(&prime).unwrap(), group);
    assert_eq!(PASSED.lock().unwrap().len(), remembered);
}

#[test]
fn splits_off_the_twos() {
    assert_eq!(split_off_twos(&[1]), (0, vec![1]));
    assert_eq!(split_off_twos(&[0, 12]), (2, vec![0, 3]));
    assert_eq!(split_off_twos(&[1, 0]), (8, vec![0, 1]));
}
