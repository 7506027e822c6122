//! Tests whether a number is a safe prime.
//!
//! Hand-written: Miller-Rabin is thirty lines over [`Modulus`], and only a prime that an operator configures needs
//! it; a crate of prime tests enlarges every user's bundle.

use std::sync::{Mutex, PoisonError};

use crate::{ShamirError, fill_random, halve, minimal, modulus::Modulus};

#[cfg(test)]
mod tests;

/// Rounds of the Miller-Rabin test: a composite passes with a chance of at most 4^-40.
const ROUNDS: usize = 40;
/// How many primes the process remembers.
const MEMORY: usize = 16;

/// Fingerprints of the primes that passed in this process.
static PASSED: Mutex<Vec<[u8; 32]>> = Mutex::new(Vec::new());

/// Tests p and q = (p - 1) / 2, unless p has passed before. `modulo_p` and `modulo_q` compute modulo them.
pub(crate) fn check_safe_prime(
    prime: &[u8],
    modulo_p: &Modulus,
    modulo_q: &Modulus,
    fingerprint: &[u8; 32],
) -> Result<(), ShamirError> {
    let passed = || PASSED.lock().unwrap_or_else(PoisonError::into_inner);
    if passed().contains(fingerprint) {
        return Ok(());
    }
    // A composite most likely fails its first round, so both numbers get one round before the rest.
    for rounds in [1, ROUNDS] {
        if !is_prime(modulo_p, prime, rounds)? || !is_prime(modulo_q, &halve(prime), rounds)? {
            return Err(ShamirError::PrimeNotSafe);
        }
    }
    let mut passed = passed();
    if passed.len() < MEMORY {
        passed.push(*fingerprint);
    }
    Ok(())
}

/// The Miller-Rabin test with random bases (FIPS 186-5, appendix B.3.1) of `number`, which is odd and large:
/// `modulus` computes modulo this number.
fn is_prime(modulus: &Modulus, number: &[u8], rounds: usize) -> Result<bool, ShamirError> {
    let mut minus_one = number.to_vec();
    minus_one.last_mut().into_iter().for_each(|byte| *byte ^= 1);
    let minus_one = minimal(&minus_one);
    // m - 1 = 2^twos * odd
    let (twos, odd) = split_off_twos(minus_one);
    for _ in 0..rounds {
        let mut bytes = vec![0; minimal(number).len()];
        fill_random(&mut bytes)?;
        let mut power = modulus.power(&bytes, &odd);
        let mut passes = minimal(&power) == [1];
        for _ in 0..twos {
            passes |= minimal(&power) == minus_one;
            power = modulus.multiply(&power, &power);
        }
        if !passes {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The number of trailing zero bits of a number, and the number without them; big-endian.
fn split_off_twos(number: &[u8]) -> (usize, Vec<u8>) {
    let (mut twos, mut odd) = (0, number.to_vec());
    while odd.last().is_some_and(|byte| byte & 1 == 0) {
        (twos, odd) = (twos + 1, halve(&odd));
    }
    (twos, odd)
}
