//! Safe-prime groups and their elements.

use core::cmp::Ordering;

use crypto_bigint::{Odd, U2048};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::{
    Exponent, ShamirError, fill_random, halve, minimal, modulus::Modulus, number_from_text,
    number_to_text, prime::check_safe_prime,
};

#[cfg(test)]
pub(crate) mod tests;

/// Bits of the smallest and largest group.
const SMALLEST: usize = 2048;
const LARGEST: usize = 4096;

/// SHA-256 of the primes of RFC 3526 (groups 14, 15, 16) and RFC 7919 (ffdhe2048, 3072, 4096). Hand-written:
/// no crate has these primes, and as hashes they take 192 bytes instead of 2.3 KB.
const STANDARD_PRIMES: [[u8; 32]; 6] = [
    [
        0xd6, 0x64, 0x36, 0xf7, 0x9b, 0xbd, 0x6b, 0x2e, 0x38, 0xc0, 0xff, 0xbd, 0x07, 0x9b, 0xe9,
        0x04, 0xd2, 0x64, 0x14, 0x15, 0xe2, 0xe6, 0x71, 0x40, 0xe0, 0x94, 0x48, 0xbe, 0x9a, 0x60,
        0x89, 0x0e,
    ],
    [
        0x48, 0xcf, 0x8b, 0x09, 0x2f, 0xbc, 0xe4, 0x35, 0x9d, 0x98, 0x71, 0xab, 0xf7, 0x4f, 0x98,
        0xe2, 0x5b, 0x61, 0x63, 0x37, 0x9e, 0xaa, 0x15, 0xcd, 0x90, 0x87, 0xe8, 0x00, 0xc6, 0xd1,
        0xc5, 0x5c,
    ],
    [
        0x4e, 0xe9, 0x51, 0x87, 0x68, 0x2b, 0xcb, 0x23, 0x0a, 0xd2, 0x6a, 0x95, 0x20, 0x5f, 0x69,
        0x20, 0xe8, 0x47, 0x08, 0xf6, 0x25, 0x1b, 0x38, 0x94, 0x32, 0x9b, 0x09, 0xec, 0x23, 0x91,
        0x9e, 0x33,
    ],
    [
        0x9c, 0xd3, 0xb7, 0xf3, 0x36, 0x87, 0x2f, 0x46, 0xc0, 0x94, 0x28, 0xd1, 0xbb, 0xc1, 0x98,
        0x77, 0xa4, 0xd4, 0x40, 0x51, 0x2c, 0xda, 0x8d, 0x1c, 0x1c, 0xf0, 0xcd, 0x6e, 0x33, 0x69,
        0x89, 0x66,
    ],
    [
        0x0e, 0xaf, 0x67, 0xdb, 0x3a, 0x83, 0x91, 0x56, 0xd5, 0x01, 0x34, 0x94, 0xa5, 0x31, 0x8a,
        0x77, 0x2b, 0x56, 0x97, 0xd2, 0x70, 0xd7, 0x21, 0xf3, 0x7f, 0x09, 0x2e, 0xfc, 0x69, 0xea,
        0x5a, 0x17,
    ],
    [
        0x46, 0x48, 0x41, 0x42, 0x24, 0xac, 0x88, 0x1b, 0x3d, 0x0d, 0xc5, 0x9b, 0x46, 0x6f, 0x96,
        0xd0, 0x6a, 0x55, 0x82, 0x78, 0x77, 0x68, 0x07, 0x79, 0x7e, 0xcf, 0x1f, 0x66, 0xff, 0x39,
        0x7b, 0x3e,
    ],
];

/// The 2048-bit MODP group of RFC 3526, section 3 (group 14), big-endian.
const RFC3526_2048: [u8; 256] = [
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xc9, 0x0f, 0xda, 0xa2, 0x21, 0x68, 0xc2, 0x34,
    0xc4, 0xc6, 0x62, 0x8b, 0x80, 0xdc, 0x1c, 0xd1, 0x29, 0x02, 0x4e, 0x08, 0x8a, 0x67, 0xcc, 0x74,
    0x02, 0x0b, 0xbe, 0xa6, 0x3b, 0x13, 0x9b, 0x22, 0x51, 0x4a, 0x08, 0x79, 0x8e, 0x34, 0x04, 0xdd,
    0xef, 0x95, 0x19, 0xb3, 0xcd, 0x3a, 0x43, 0x1b, 0x30, 0x2b, 0x0a, 0x6d, 0xf2, 0x5f, 0x14, 0x37,
    0x4f, 0xe1, 0x35, 0x6d, 0x6d, 0x51, 0xc2, 0x45, 0xe4, 0x85, 0xb5, 0x76, 0x62, 0x5e, 0x7e, 0xc6,
    0xf4, 0x4c, 0x42, 0xe9, 0xa6, 0x37, 0xed, 0x6b, 0x0b, 0xff, 0x5c, 0xb6, 0xf4, 0x06, 0xb7, 0xed,
    0xee, 0x38, 0x6b, 0xfb, 0x5a, 0x89, 0x9f, 0xa5, 0xae, 0x9f, 0x24, 0x11, 0x7c, 0x4b, 0x1f, 0xe6,
    0x49, 0x28, 0x66, 0x51, 0xec, 0xe4, 0x5b, 0x3d, 0xc2, 0x00, 0x7c, 0xb8, 0xa1, 0x63, 0xbf, 0x05,
    0x98, 0xda, 0x48, 0x36, 0x1c, 0x55, 0xd3, 0x9a, 0x69, 0x16, 0x3f, 0xa8, 0xfd, 0x24, 0xcf, 0x5f,
    0x83, 0x65, 0x5d, 0x23, 0xdc, 0xa3, 0xad, 0x96, 0x1c, 0x62, 0xf3, 0x56, 0x20, 0x85, 0x52, 0xbb,
    0x9e, 0xd5, 0x29, 0x07, 0x70, 0x96, 0x96, 0x6d, 0x67, 0x0c, 0x35, 0x4e, 0x4a, 0xbc, 0x98, 0x04,
    0xf1, 0x74, 0x6c, 0x08, 0xca, 0x18, 0x21, 0x7c, 0x32, 0x90, 0x5e, 0x46, 0x2e, 0x36, 0xce, 0x3b,
    0xe3, 0x9e, 0x77, 0x2c, 0x18, 0x0e, 0x86, 0x03, 0x9b, 0x27, 0x83, 0xa2, 0xec, 0x07, 0xa2, 0x8f,
    0xb5, 0xc5, 0x5d, 0xf0, 0x6f, 0x4c, 0x52, 0xc9, 0xde, 0x2b, 0xcb, 0xf6, 0x95, 0x58, 0x17, 0x18,
    0x39, 0x95, 0x49, 0x7c, 0xea, 0x95, 0x6a, 0xe5, 0x15, 0xd2, 0x26, 0x18, 0x98, 0xfa, 0x05, 0x10,
    0x15, 0x72, 0x8e, 0x5a, 0x8a, 0xac, 0xaa, 0x68, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
];

/// The integers modulo a safe prime `p = 2q + 1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// p, minimal big-endian.
    prime: Vec<u8>,
    /// Arithmetic on elements, modulo p.
    pub(crate) elements: Modulus,
    /// Arithmetic on exponents, modulo q.
    pub(crate) exponents: Modulus,
}

/// A member of a group, 2 to p - 2, as minimal big-endian bytes. Zeroed when dropped: it may be a key.
#[derive(Clone)]
pub struct Element(Zeroizing<Vec<u8>>);

impl Group {
    /// The group of a prime given as minimal big-endian bytes.
    ///
    /// Recognises the primes of RFC 3526 and RFC 7919. Tests any other prime, which takes some seconds the
    /// first time, and remembers it.
    ///
    /// # Errors
    /// [`ShamirError::PrimeTooSmall`] below 2048 bits, [`ShamirError::PrimeTooLarge`] above 4096,
    /// [`ShamirError::PrimeNotSafe`] unless both p and (p - 1) / 2 are prime.
    pub fn new(prime: &[u8]) -> Result<Self, ShamirError> {
        let prime = minimal(prime);
        let leading_zeros = prime
            .first()
            .map_or(0, |byte| byte.leading_zeros() as usize);
        match prime.len() * 8 - leading_zeros {
            ..SMALLEST => return Err(ShamirError::PrimeTooSmall),
            SMALLEST..=LARGEST => {}
            _ => return Err(ShamirError::PrimeTooLarge),
        }
        // p = 2q + 1 with an odd q: the two lowest bits are set.
        if prime.last().is_none_or(|byte| byte & 3 != 3) {
            return Err(ShamirError::PrimeNotSafe);
        }
        let modulus = |number: &[u8]| Modulus::new(number).ok_or(ShamirError::PrimeNotSafe);
        let group = Self {
            prime: prime.to_vec(),
            elements: modulus(prime)?,
            exponents: modulus(minimal(&halve(prime)))?,
        };
        let fingerprint: [u8; 32] = Sha256::digest(prime).into();
        if !STANDARD_PRIMES.contains(&fingerprint) {
            check_safe_prime(prime, &group.elements, &group.exponents, &fingerprint)?;
        }
        Ok(group)
    }

    /// The group of a prime in base64url.
    ///
    /// # Errors
    /// As [`Group::new`], and [`ShamirError::NumberInvalid`].
    pub fn from_text(prime: &str) -> Result<Self, ShamirError> {
        Self::new(&number_from_text(prime)?)
    }

    /// The default: the 2048-bit MODP group of RFC 3526 (group 14).
    #[must_use]
    pub fn rfc3526_2048() -> Self {
        const P: U2048 = U2048::from_be_slice(&RFC3526_2048);
        const Q: Odd<U2048> = P.shr_vartime(1).to_odd().expect("q is odd");
        Self {
            prime: RFC3526_2048.to_vec(),
            elements: Modulus::of_2048_bits(const { P.to_odd().expect("p is odd") }),
            exponents: Modulus::of_2048_bits(Q),
        }
    }

    /// The prime, minimal big-endian bytes.
    #[must_use]
    pub fn prime(&self) -> &[u8] {
        &self.prime
    }

    /// Reads an element from base64url of minimal big-endian bytes.
    ///
    /// # Errors
    /// [`ShamirError::NumberInvalid`], or [`ShamirError::ElementOutOfRange`] unless it lies in 2..p-2.
    pub fn element_from_text(&self, text: &str) -> Result<Element, ShamirError> {
        self.element(&number_from_text(text)?)
            .ok_or(ShamirError::ElementOutOfRange)
    }

    /// Reads the server's answer to `sent`.
    ///
    /// A server that does nothing answers with `sent` itself. That, its negative and the inverses of both are
    /// answers that anyone makes without an exponent, and undoes.
    ///
    /// # Errors
    /// As [`Group::element_from_text`], and [`ShamirError::LockMissing`] for these four.
    pub(crate) fn answer_from_text(
        &self,
        text: &str,
        sent: &Element,
    ) -> Result<Element, ShamirError> {
        let answer = self.element_from_text(text)?;
        let is_one = |number: &[u8]| minimal(number) == [1];
        let square = |element: &Element| self.elements.multiply(&element.0, &element.0);
        // Modulo a prime, equal squares are those of a number and its negative.
        let (answered, asked) = (square(&answer), square(sent));
        let is_same = minimal(&answered) == minimal(&asked);
        if is_same || is_one(&self.elements.multiply(&answered, &asked)) {
            Err(ShamirError::LockMissing)
        } else {
            Ok(answer)
        }
    }

    /// Writes an element as base64url of minimal big-endian bytes.
    #[must_use]
    pub fn element_to_text(&self, element: &Element) -> String {
        number_to_text(element.bytes())
    }

    /// Draws a random square other than 1: a generator of the subgroup of prime order q.
    pub(crate) fn make_square(&self) -> Result<Element, ShamirError> {
        let root = self.make_element()?;
        // The square roots of 1 are 1 and p - 1, and an element is neither.
        Ok(Element::new(&self.elements.multiply(&root.0, &root.0)))
    }

    /// Draws an element, uniform in 2..p-2.
    fn make_element(&self) -> Result<Element, ShamirError> {
        let mut bytes = Zeroizing::new(vec![0; self.prime.len()]);
        let leading_zeros = self.prime.first().map_or(0, |byte| byte.leading_zeros());
        loop {
            fill_random(&mut bytes)?;
            bytes
                .iter_mut()
                .take(1)
                .for_each(|byte| *byte &= 0xff >> leading_zeros);
            if let Some(element) = self.element(&bytes) {
                return Ok(element);
            }
        }
    }

    /// The element of big-endian bytes, if it lies in 2..p-2.
    fn element(&self, bytes: &[u8]) -> Option<Element> {
        let bytes = minimal(bytes);
        let is_above_one = bytes.len() > 1 || bytes.first().is_some_and(|byte| *byte > 1);
        // p is odd: p - 1 differs from it only in the lowest bit.
        let mut greatest = self.prime.clone();
        greatest.last_mut().into_iter().for_each(|byte| *byte ^= 1);
        let is_below = compare(bytes, &greatest) == Ordering::Less;
        (is_above_one && is_below).then(|| Element::new(bytes))
    }

    /// Whether an odd number is below p - 1 and no multiple of q, so that it is coprime to p - 1 = 2q.
    pub(crate) fn is_invertible(&self, bytes: &[u8]) -> bool {
        let is_order = compare(bytes, minimal(&halve(&self.prime))) == Ordering::Equal;
        compare(bytes, &self.prime) == Ordering::Less && !is_order
    }

    /// The odd one of a number below q and that number plus q; as long as p.
    pub(crate) fn odd_representative(&self, number: &[u8]) -> Zeroizing<Vec<u8>> {
        let mut odd = Zeroizing::new(halve(&self.prime));
        let is_even = number.last().map_or(0, |byte| (byte & 1) ^ 1);
        let mask = core::hint::black_box(is_even).wrapping_neg();
        let mut carry = 0;
        for (byte, summand) in odd
            .iter_mut()
            .rev()
            .zip(number.iter().rev().chain(core::iter::repeat(&0)))
        {
            let sum = u16::from(*byte & mask) + u16::from(*summand) + carry;
            (*byte, carry) = ((sum & 0xff) as u8, sum >> 8);
        }
        odd
    }

    /// `base` to the power of `exponent`. Takes the same time for all exponents of one length.
    #[must_use]
    pub fn power(&self, base: &Element, exponent: &Exponent) -> Element {
        Element::new(&self.elements.power(&base.0, exponent.bytes()))
    }
}

impl Element {
    fn new(bytes: &[u8]) -> Self {
        Self(Zeroizing::new(minimal(bytes).to_vec()))
    }

    /// Minimal big-endian bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Compares two numbers, minimal big-endian.
fn compare(left: &[u8], right: &[u8]) -> Ordering {
    left.len().cmp(&right.len()).then_with(|| left.cmp(right))
}
