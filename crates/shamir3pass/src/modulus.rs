//! Powers and products modulo an odd number, by `crypto-bigint`.
//!
//! Two widths serve every group: 2048 bits, and 4096 bits for all larger primes, padded with zeros. The time of a
//! power depends on the width and on the exponent's length alone.
//!
//! `crypto-bigint` leaves copies of a power's exponent and result, and the table of the base's powers, on the stack.
//! Every base has crossed the network or lies in the clear in storage, but an exponent is a secret, and the result
//! may be the KEK. [`wiped`] therefore overwrites that part of the stack; a test searches the WASM memory.

use crypto_bigint::{
    Limb, Odd, U2048, U4096, Uint, Word,
    modular::{MontyForm, MontyParams},
};
use zeroize::{Zeroize, Zeroizing};

#[cfg(test)]
mod tests;

/// The part of the stack to wipe, in words of 8 bytes: 128 KB. A 4096-bit power uses 46 KB in WASM.
const STACK_WORDS: usize = 16_384;

/// An odd modulus of up to 4096 bits with its Montgomery parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Modulus {
    Short(Box<MontyParams<{ U2048::LIMBS }>>),
    Long(Box<MontyParams<{ U4096::LIMBS }>>),
}

impl Modulus {
    /// The modulus of big-endian bytes; none unless it is odd and has at most 4096 bits. The time depends on
    /// the modulus, which is public.
    pub(crate) fn new(bytes: &[u8]) -> Option<Self> {
        match bytes.len() {
            ..=256 => params(bytes).map(Self::Short),
            257..=512 => params(bytes).map(Self::Long),
            _ => None,
        }
    }

    /// The modulus of an odd number of 2048 bits.
    pub(crate) fn of_2048_bits(number: Odd<U2048>) -> Self {
        Self::Short(Box::new(MontyParams::new_vartime(number)))
    }

    /// `base` to the power of `exponent`. All numbers are big-endian; the result is as long as the width, the base
    /// no longer than it, the exponent no longer than 4096 bits.
    pub(crate) fn power(&self, base: &[u8], exponent: &[u8]) -> Zeroizing<Vec<u8>> {
        match self {
            Self::Short(params) => wiped(|| power(params, base, exponent)),
            Self::Long(params) => wiped(|| power(params, base, exponent)),
        }
    }

    /// The product of two numbers; big-endian, the result as long as the width, the factors no longer than it.
    pub(crate) fn multiply(&self, left: &[u8], right: &[u8]) -> Zeroizing<Vec<u8>> {
        match self {
            Self::Short(params) => wiped(|| multiply(params, left, right)),
            Self::Long(params) => wiped(|| multiply(params, left, right)),
        }
    }
}

fn params<const LIMBS: usize>(bytes: &[u8]) -> Option<Box<MontyParams<LIMBS>>> {
    let odd: Option<Odd<Uint<LIMBS>>> = Odd::new(*integer(bytes)).into();
    odd.map(|odd| Box::new(MontyParams::new_vartime(odd)))
}

#[inline(never)] // its frame begins where that of `wipe_stack` does
fn power<const LIMBS: usize>(
    params: &MontyParams<LIMBS>,
    base: &[u8],
    exponent: &[u8],
) -> Zeroizing<Vec<u8>> {
    let bits = u32::try_from(exponent.len() * 8).map_or(U4096::BITS, |bits| bits.min(U4096::BITS));
    let exponent: Zeroizing<U4096> = integer(exponent);
    let power = MontyForm::new(&integer(base), *params).pow_bounded_exp(&exponent, bits);
    bytes(&Zeroizing::new(power.retrieve()))
}

#[inline(never)] // its frame begins where that of `wipe_stack` does
fn multiply<const LIMBS: usize>(
    params: &MontyParams<LIMBS>,
    left: &[u8],
    right: &[u8],
) -> Zeroizing<Vec<u8>> {
    let [left, right] = [left, right].map(|factor| MontyForm::new(&integer(factor), *params));
    bytes(&Zeroizing::new(left.mul(&right).retrieve()))
}

/// The result of `compute`, with the part of the stack overwritten that `compute` used.
#[inline(never)]
fn wiped(compute: impl FnOnce() -> Zeroizing<Vec<u8>>) -> Zeroizing<Vec<u8>> {
    let result = compute();
    wipe_stack();
    result
}

#[inline(never)]
fn wipe_stack() {
    [u64::MAX; STACK_WORDS].zeroize();
}

/// Big-endian bytes, no more than fit, as an integer.
fn integer<const LIMBS: usize>(bytes: &[u8]) -> Zeroizing<Uint<LIMBS>> {
    let mut integer = Zeroizing::new(Uint::ZERO);
    let limbs = integer.as_limbs_mut().iter_mut();
    for (limb, bytes) in limbs.zip(bytes.rchunks(Limb::BYTES)) {
        let digit = |word, byte: &u8| (word << 8) | Word::from(*byte);
        *limb = Limb(bytes.iter().fold(0, digit));
    }
    integer
}

/// An integer as big-endian bytes of its width.
fn bytes<const LIMBS: usize>(integer: &Uint<LIMBS>) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(vec![0; LIMBS * Limb::BYTES]);
    for (chunk, limb) in bytes.rchunks_mut(Limb::BYTES).zip(integer.as_limbs()) {
        chunk.copy_from_slice(&limb.0.to_be_bytes());
    }
    bytes
}
