//! Exponents and their inverses.

use zeroize::Zeroizing;

use crate::{
    Group, ShamirError, fill_random, halve, inverse::inverse, minimal, number_from_text,
    number_to_text,
};

#[cfg(test)]
mod tests;

/// Bytes of a short exponent. In a safe-prime group an attacker needs 2^128 steps to find 256 bits.
const SHORT_LENGTH: usize = 32;

/// A secret exponent, coprime to p - 1, so that its inverse undoes its power. Zeroed when dropped.
#[derive(Clone)]
pub struct Exponent(Zeroizing<Vec<u8>>);

impl Exponent {
    /// Draws a short exponent, 256 random bits.
    ///
    /// # Errors
    /// [`ShamirError::NoRandomness`].
    pub fn make_short() -> Result<Self, ShamirError> {
        let mut bytes = Zeroizing::new(vec![0; SHORT_LENGTH]);
        loop {
            fill_random(&mut bytes)?;
            // p - 1 is 2q with a prime q far above 2^256: an odd number greater than 1 is coprime to it.
            let is_odd = bytes.last().is_some_and(|byte| byte & 1 == 1);
            if is_odd && minimal(&bytes) != [1] {
                return Ok(Self(bytes));
            }
        }
    }

    /// Reads an exponent from base64url of minimal big-endian bytes.
    ///
    /// # Errors
    /// [`ShamirError::NumberInvalid`], or [`ShamirError::ExponentInvalid`] when it is even, 1 or not below
    /// p - 1, or a multiple of (p - 1) / 2.
    pub fn from_text(group: &Group, text: &str) -> Result<Self, ShamirError> {
        let bytes = number_from_text(text)?;
        let is_odd = bytes.last().is_some_and(|byte| byte & 1 == 1);
        if is_odd && *bytes != [1] && group.is_invertible(&bytes) {
            Ok(Self(bytes))
        } else {
            Err(ShamirError::ExponentInvalid)
        }
    }

    /// Writes the exponent as base64url of minimal big-endian bytes.
    #[must_use]
    pub fn to_text(&self) -> Zeroizing<String> {
        Zeroizing::new(number_to_text(&self.0))
    }

    /// Draws a short exponent and computes its inverse, as long as p. Draws again unless the product of the
    /// two is 1 modulo p - 1.
    ///
    /// # Errors
    /// [`ShamirError::NoRandomness`].
    pub fn make_pair(group: &Group) -> Result<(Self, Self), ShamirError> {
        loop {
            let exponent = Self::make_short()?;
            if let Some(inverse) = exponent.inverse(group) {
                return Ok((exponent, inverse));
            }
        }
    }

    /// The inverse modulo p - 1, as long as p; none unless the product of the two is 1.
    ///
    /// Computes the inverse modulo q, then takes the odd one of the two candidates below p - 1 = 2q. Two odd
    /// numbers have an odd product, which is 1 modulo 2q if it is 1 modulo q.
    pub(crate) fn inverse(&self, group: &Group) -> Option<Self> {
        let inverse = inverse(&self.0, &halve(group.prime()));
        let product = group.exponents.multiply(&self.0, &inverse);
        let is_odd = self.0.last().is_some_and(|byte| byte & 1 == 1);
        (is_odd && minimal(&product) == [1]).then(|| Self(group.odd_representative(&inverse)))
    }

    /// Big-endian bytes; their length is public.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The number without leading zeros.
    pub(crate) fn minimal_bytes(&self) -> &[u8] {
        minimal(&self.0)
    }
}
