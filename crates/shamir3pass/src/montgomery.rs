//! Powers modulo an odd number, in constant time.
//!
//! Numbers are in Montgomery form over limbs of 28 bits. A product of two limbs leaves 8 of its 64 bits
//! spare, so the loop sums rows of products with no carry between columns. The compiler turns that loop into
//! SIMD; WASM, without a 64-by-64 multiplication and a carry flag, gains most from it.
//! A radix R of more than four times the modulus keeps every intermediate below twice the modulus with no
//! subtraction at all (C. D. Walter, "Montgomery exponentiation needs no final subtractions", 1999).
//!
//! Branches and addresses depend on lengths only, never on limbs.
//!
//! Hand-written, as `crypto-bigint` misses the bundle's budget of 80 KB. Measured in WASM on Node, in CPU time of a
//! full 2048-bit power: ours takes 12.6 ms in a bundle of 77.1 KB. `BoxedMontyForm` of `crypto-bigint` 0.6.1 takes
//! 30.3 ms in a bundle of 82.5 KB, although the inverse stays ours; a login would take 21 ms longer. Version 0.7.10
//! with 32-bit words adds 17 KB, with its inverse. `MontyForm<64>` of 0.6.1 takes 16 to 21 ms and is as large as the boxed form
//! (10.6 to 15.8 KB as a module of its own, against 12.6), but serves 2048 bits alone: primes of up to 4096 bits
//! add 1.8 KB. The tests compare ours with `crypto-bigint`.

use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

#[cfg(test)]
mod tests;

const LIMB_BITS: usize = 28;
const LIMB_MASK: u32 = (1 << LIMB_BITS) - 1;
/// A column sums this many rows before a carry: each adds less than 2^57.
const ROWS_BEFORE_CARRY: usize = 120;
const TABLE_SIZE: usize = 16;

/// An odd modulus with its precomputed constants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Modulus {
    limbs: Vec<u32>,
    /// -1/m modulo 2^28.
    negated_inverse: u32,
    /// R mod m: one, in Montgomery form.
    one: Vec<u32>,
    /// R^2 mod m: brings a number into Montgomery form.
    r_squared: Vec<u32>,
}

/// A number modulo a [`Modulus`], in Montgomery form and below twice the modulus. Zeroed when dropped.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub(crate) struct Residue(Vec<u32>);

impl Modulus {
    /// The modulus of big-endian bytes, which must be odd and greater than 2.
    pub(crate) fn new(bytes: &[u8]) -> Self {
        let bits = bytes.len() * 8;
        let limbs = limbs_from_bytes(bytes, (bits + 2).div_ceil(LIMB_BITS));
        let lowest = limbs.first().copied().unwrap_or(1);
        let mut modulus = Self {
            negated_inverse: negated_inverse(lowest),
            one: Vec::new(),
            r_squared: Vec::new(),
            limbs,
        };
        let mut power_of_two = vec![0; modulus.limbs.len()];
        power_of_two.iter_mut().take(1).for_each(|limb| *limb = 1);
        let r_bits = modulus.limbs.len() * LIMB_BITS;
        (0..r_bits).for_each(|_| modulus.double(&mut power_of_two));
        modulus.one = power_of_two.clone();
        (0..r_bits).for_each(|_| modulus.double(&mut power_of_two));
        modulus.r_squared = power_of_two;
        modulus
    }

    /// Doubles a number below the modulus.
    fn double(&self, number: &mut [u32]) {
        let mut carry = 0;
        for limb in number.iter_mut() {
            let doubled = (*limb << 1) | carry;
            carry = doubled >> LIMB_BITS;
            *limb = doubled & LIMB_MASK;
        }
        self.reduce_once(number);
    }

    /// Subtracts the modulus from a number below twice the modulus, if it is not below the modulus.
    fn reduce_once(&self, number: &mut [u32]) {
        let is_not_below = borrow_of(number, &self.limbs) ^ 1;
        subtract_if(number, &self.limbs, mask_of(is_not_below));
    }

    /// The residue of big-endian bytes, a number below R.
    pub(crate) fn residue(&self, bytes: &[u8]) -> Residue {
        let mut scratch = Scratch::new(self.limbs.len());
        let mut residue = Residue(limbs_from_bytes(bytes, self.limbs.len()));
        self.multiply_by(&mut residue, &self.r_squared, &mut scratch);
        residue
    }

    /// The number of a residue, big-endian and as long as the modulus.
    pub(crate) fn number(&self, residue: &Residue) -> Zeroizing<Vec<u8>> {
        let mut scratch = Scratch::new(self.limbs.len());
        let mut plain = residue.clone();
        let mut one = vec![0; self.limbs.len()];
        one.iter_mut().take(1).for_each(|limb| *limb = 1);
        self.multiply_by(&mut plain, &one, &mut scratch);
        // The product is at most the modulus itself.
        self.reduce_once(&mut plain.0);
        bytes_from_limbs(&plain.0, self.byte_length())
    }

    /// The length of the modulus in bytes.
    pub(crate) fn byte_length(&self) -> usize {
        let bits = self
            .limbs
            .iter()
            .enumerate()
            .fold(0, |bits, (index, limb)| {
                if *limb == 0 {
                    bits
                } else {
                    index * LIMB_BITS + (32 - limb.leading_zeros()) as usize
                }
            });
        bits.div_ceil(8)
    }

    /// The inverse of a number coprime to the modulus; both big-endian, the inverse as long as the modulus.
    /// The result is meaningless for any other number: the caller multiplies the two to check.
    ///
    /// The binary extended Euclidean algorithm with a fixed number of steps, each of the same work for all
    /// bits. Hand-written: the inverse of `crypto-bigint` (safegcd) makes an unwrap 13 ms longer.
    pub(crate) fn inverse(&self, number: &[u8]) -> Zeroizing<Vec<u8>> {
        let count = self.limbs.len();
        // Throughout: left = left_factor * number and right = right_factor * number, modulo m.
        let mut left = Residue(limbs_from_bytes(number, count));
        let mut right = Residue(self.limbs.clone());
        let mut left_factor = Residue(limbs_from_bytes(&[1], count));
        let mut right_factor = Residue(vec![0; count]);
        // Each step takes a bit off left or right, until left is 0 and right is 1.
        for _ in 0..(number.len() + self.byte_length()) * 8 {
            let is_odd = mask_of(left.lowest() & 1);
            let swap = is_odd & mask_of(borrow_of(&left.0, &right.0));
            left.swap_if(&mut right, swap);
            left_factor.swap_if(&mut right_factor, swap);
            subtract_if(&mut left.0, &right.0, is_odd);
            let wrapped = subtract_if(&mut left_factor.0, &right_factor.0, is_odd);
            add_if(&mut left_factor.0, &self.limbs, mask_of(wrapped));
            halve(&mut left.0);
            let is_odd = mask_of(left_factor.lowest() & 1);
            add_if(&mut left_factor.0, &self.limbs, is_odd);
            halve(&mut left_factor.0);
        }
        bytes_from_limbs(&right_factor.0, self.byte_length())
    }

    /// One.
    pub(crate) fn one(&self) -> Residue {
        Residue(self.one.clone())
    }

    /// The modulus less one.
    pub(crate) fn minus_one(&self) -> Residue {
        let mut bytes = bytes_from_limbs(&self.limbs, self.byte_length());
        bytes.last_mut().into_iter().for_each(|byte| *byte ^= 1);
        self.residue(&bytes)
    }

    /// Whether two residues are the same number. Not in constant time.
    pub(crate) fn equal(&self, left: &Residue, right: &Residue) -> bool {
        self.number(left) == self.number(right)
    }

    /// The product of two residues.
    pub(crate) fn multiply(&self, left: &Residue, right: &Residue) -> Residue {
        let mut product = left.clone();
        self.multiply_by(&mut product, &right.0, &mut Scratch::new(self.limbs.len()));
        product
    }

    /// `base` to the power of `exponent`, big-endian bytes. Takes the same time for every exponent of one
    /// length: windows of four bits, each looked up by reading the whole table.
    pub(crate) fn power(&self, base: &Residue, exponent: &[u8]) -> Residue {
        let mut scratch = Scratch::new(self.limbs.len());
        let table = self.table(base, &mut scratch);
        let mut windows = exponent.iter().flat_map(|byte| [byte >> 4, byte & 0x0f]);
        let mut result = Residue(self.one.clone());
        if let Some(window) = windows.next() {
            result.select(&table, window);
        }
        let mut factor = result.clone();
        for window in windows {
            for _ in 0..4 {
                self.square(&mut result, &mut scratch);
            }
            factor.select(&table, window);
            self.multiply_by(&mut result, &factor.0, &mut scratch);
        }
        result
    }

    /// The powers 0 to 15 of `base`.
    fn table(&self, base: &Residue, scratch: &mut Scratch) -> Vec<Residue> {
        let mut power = Residue(self.one.clone());
        let mut table = Vec::with_capacity(TABLE_SIZE);
        for _ in 0..TABLE_SIZE {
            table.push(power.clone());
            self.multiply_by(&mut power, &base.0, scratch);
        }
        table
    }

    fn square(&self, residue: &mut Residue, scratch: &mut Scratch) {
        self.product(&residue.0, &residue.0, scratch);
        scratch.carry_into(&mut residue.0);
    }

    fn multiply_by(&self, residue: &mut Residue, factor: &[u32], scratch: &mut Scratch) {
        self.product(&residue.0, factor, scratch);
        scratch.carry_into(&mut residue.0);
    }

    /// left * right / R, as columns before the carry (Montgomery 1985; the interleaved
    /// operand scanning of Koc, Acar and Kaliski, 1996, but with the carries deferred).
    #[inline(never)] // its unrolled loop at four call sites adds 0.6 KB to the bundle and saves no time
    fn product(&self, left: &[u32], right: &[u32], scratch: &mut Scratch) {
        let (Some((right_0, right)), Some((modulus_0, modulus))) =
            (right.split_first(), self.limbs.split_first())
        else {
            return;
        };
        scratch.columns.fill(0);
        let mut columns = scratch.columns.as_mut_slice();
        for (row, digit) in left.iter().enumerate() {
            let Some((column_0, rest)) = columns.split_first_mut() else {
                return;
            };
            let sum = *column_0 + u64::from(*digit) * u64::from(*right_0);
            // The multiple of the modulus that clears the lowest limb.
            let quotient = low_limb(sum).wrapping_mul(self.negated_inverse) & LIMB_MASK;
            let carry = (sum + u64::from(quotient) * u64::from(*modulus_0)) >> LIMB_BITS;
            add_row(rest, *digit, right, quotient, modulus);
            if let Some(column_1) = rest.first_mut() {
                *column_1 += carry;
            }
            if row % ROWS_BEFORE_CARRY == ROWS_BEFORE_CARRY - 1 {
                carry_columns(rest);
            }
            columns = rest;
        }
    }
}

/// columns += digit * right + quotient * modulus, limb by limb: the hot loop.
#[inline]
fn add_row(columns: &mut [u64], digit: u32, right: &[u32], quotient: u32, modulus: &[u32]) {
    let (digit, quotient) = (u64::from(digit), u64::from(quotient));
    for ((column, right), modulus) in columns.iter_mut().zip(right).zip(modulus) {
        *column += digit * u64::from(*right) + quotient * u64::from(*modulus);
    }
}

/// Brings every column but the last below 2^28.
fn carry_columns(columns: &mut [u64]) {
    let mut carry = 0;
    for column in columns {
        let sum = *column + carry;
        *column = sum & u64::from(LIMB_MASK);
        carry = sum >> LIMB_BITS;
    }
}

/// The columns of one product, zeroed when dropped.
#[derive(Zeroize, ZeroizeOnDrop)]
struct Scratch {
    columns: Vec<u64>,
}

impl Scratch {
    fn new(limbs: usize) -> Self {
        Self {
            columns: vec![0; 2 * limbs],
        }
    }

    /// Writes the product, the upper half of the columns, as limbs.
    fn carry_into(&self, limbs: &mut [u32]) {
        let mut carry = 0;
        for (limb, column) in limbs
            .iter_mut()
            .zip(self.columns.iter().skip(self.columns.len() / 2))
        {
            let sum = column + carry;
            *limb = low_limb(sum);
            carry = sum >> LIMB_BITS;
        }
    }
}

impl Residue {
    fn lowest(&self) -> u32 {
        self.0.first().copied().unwrap_or(0)
    }

    /// Changes places with `other` where the mask is all ones.
    fn swap_if(&mut self, other: &mut Self, mask: u32) {
        for (left, right) in self.0.iter_mut().zip(&mut other.0) {
            let difference = (*left ^ *right) & mask;
            *left ^= difference;
            *right ^= difference;
        }
    }

    /// Becomes `table[index]`; every entry is read.
    fn select(&mut self, table: &[Residue], index: u8) {
        self.0.fill(0);
        for (position, entry) in (0_u32..).zip(table) {
            let mask = mask_if_equal(position, u32::from(index));
            for (limb, candidate) in self.0.iter_mut().zip(&entry.0) {
                *limb |= candidate & mask;
            }
        }
    }
}

/// 1 where `left` is below `right`, else 0.
fn borrow_of(left: &[u32], right: &[u32]) -> u32 {
    let step =
        |borrow, (left, right): (&u32, &u32)| left.wrapping_sub(*right).wrapping_sub(borrow) >> 31;
    left.iter().zip(right).fold(0, step)
}

/// left -= right where the mask is all ones, modulo 2^(28 n); 1 where that wraps around.
fn subtract_if(left: &mut [u32], right: &[u32], mask: u32) -> u32 {
    let mut borrow = 0;
    for (left, right) in left.iter_mut().zip(right) {
        let difference = left.wrapping_sub(right & mask).wrapping_sub(borrow);
        borrow = difference >> 31;
        *left = difference & LIMB_MASK;
    }
    borrow
}

/// left += right where the mask is all ones, modulo 2^(28 n).
fn add_if(left: &mut [u32], right: &[u32], mask: u32) {
    let mut carry = 0;
    for (left, right) in left.iter_mut().zip(right) {
        let sum = *left + (right & mask) + carry;
        carry = sum >> LIMB_BITS;
        *left = sum & LIMB_MASK;
    }
}

/// Shifts an even number right by one bit.
fn halve(number: &mut [u32]) {
    let mut carry = 0;
    for limb in number.iter_mut().rev() {
        let shifted = (*limb >> 1) | carry;
        carry = (*limb << (LIMB_BITS - 1)) & LIMB_MASK;
        *limb = shifted;
    }
}

/// All ones where `bit` is 1, zero where it is 0. The barrier keeps the optimiser from making a branch.
fn mask_of(bit: u32) -> u32 {
    core::hint::black_box(bit).wrapping_neg()
}

/// All ones where two numbers below 2^31 are equal, else zero.
fn mask_if_equal(left: u32, right: u32) -> u32 {
    mask_of((left ^ right).wrapping_sub(1) >> 31)
}

#[allow(clippy::cast_possible_truncation, reason = "keeps the low limb")]
const fn low_limb(column: u64) -> u32 {
    (column as u32) & LIMB_MASK
}

/// -1/m modulo 2^28 for an odd m, by Newton's iteration: each step doubles the correct bits.
fn negated_inverse(lowest_limb: u32) -> u32 {
    let mut inverse = lowest_limb; // correct to 3 bits
    for _ in 0..4 {
        inverse = inverse.wrapping_mul(2_u32.wrapping_sub(lowest_limb.wrapping_mul(inverse)));
    }
    inverse.wrapping_neg() & LIMB_MASK
}

/// Big-endian bytes as `count` limbs, least significant first.
fn limbs_from_bytes(bytes: &[u8], count: usize) -> Vec<u32> {
    let mut limbs = Vec::with_capacity(count);
    let (mut buffer, mut buffered) = (0_u64, 0);
    let mut bytes = bytes.iter().rev();
    for _ in 0..count {
        while buffered < LIMB_BITS {
            buffer |= u64::from(bytes.next().copied().unwrap_or(0)) << buffered;
            buffered += 8;
        }
        limbs.push(low_limb(buffer));
        buffer >>= LIMB_BITS;
        buffered -= LIMB_BITS;
    }
    limbs
}

/// Limbs as `length` big-endian bytes.
fn bytes_from_limbs(limbs: &[u32], length: usize) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(vec![0; length]);
    let (mut buffer, mut buffered) = (0_u64, 0);
    let mut limbs = limbs.iter();
    for byte in bytes.iter_mut().rev() {
        if buffered < 8 {
            buffer |= u64::from(limbs.next().copied().unwrap_or(0)) << buffered;
            buffered += LIMB_BITS;
        }
        *byte = (buffer & 0xff) as u8;
        buffer >>= 8;
        buffered -= 8;
    }
    bytes
}
