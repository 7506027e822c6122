//! Inverses modulo an odd number, in constant time.
//!
//! Hand-written: the inverse of `crypto-bigint` (safegcd) makes an unwrap 13 ms longer. The caller multiplies the two
//! numbers to check each inverse. Branches and addresses depend on lengths only, never on limbs.

use zeroize::Zeroizing;

#[cfg(test)]
mod tests;

const LIMB_BITS: usize = 28;
const LIMB_MASK: u32 = (1 << LIMB_BITS) - 1;

type Limbs = Zeroizing<Vec<u32>>;

/// The inverse of a number coprime to an odd modulus; all big-endian, the inverse as long as the modulus.
/// The result is meaningless for any other number: the caller multiplies the two to check.
///
/// The binary extended Euclidean algorithm with a fixed number of steps, each of the same work for all bits.
pub(crate) fn inverse(number: &[u8], modulus: &[u8]) -> Zeroizing<Vec<u8>> {
    // Room for the number, and for a sum of two numbers below the modulus.
    let count = (number.len().max(modulus.len()) * 8 + 1).div_ceil(LIMB_BITS);
    let modulus_limbs = limbs_from_bytes(modulus, count);
    // Throughout: left = left_factor * number and right = right_factor * number, modulo m.
    let mut left = limbs_from_bytes(number, count);
    let mut right = modulus_limbs.clone();
    let mut left_factor = limbs_from_bytes(&[1], count);
    let mut right_factor = limbs_from_bytes(&[], count);
    // Each step takes a bit off left or right, until left is 0 and right is 1.
    for _ in 0..(number.len() + modulus.len()) * 8 {
        let is_odd = mask_if_odd(&left);
        let swap = is_odd & mask_of(borrow_of(&left, &right));
        swap_if(&mut left, &mut right, swap);
        swap_if(&mut left_factor, &mut right_factor, swap);
        subtract_if(&mut left, &right, is_odd);
        let wrapped = subtract_if(&mut left_factor, &right_factor, is_odd);
        add_if(&mut left_factor, &modulus_limbs, mask_of(wrapped));
        halve(&mut left);
        let is_odd = mask_if_odd(&left_factor);
        add_if(&mut left_factor, &modulus_limbs, is_odd);
        halve(&mut left_factor);
    }
    bytes_from_limbs(&right_factor, modulus.len())
}

/// 1 where `left` is below `right`, else 0.
fn borrow_of(left: &[u32], right: &[u32]) -> u32 {
    let step =
        |borrow, (left, right): (&u32, &u32)| left.wrapping_sub(*right).wrapping_sub(borrow) >> 31;
    left.iter().zip(right).fold(0, step)
}

/// Exchanges two numbers where the mask is all ones.
fn swap_if(left: &mut [u32], right: &mut [u32], mask: u32) {
    for (left, right) in left.iter_mut().zip(right) {
        let difference = (*left ^ *right) & mask;
        *left ^= difference;
        *right ^= difference;
    }
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

/// All ones for an odd number, zero for an even one.
fn mask_if_odd(number: &[u32]) -> u32 {
    mask_of(number.first().map_or(0, |limb| limb & 1))
}

/// All ones where `bit` is 1, zero where it is 0. The barrier keeps the optimiser from making a branch.
fn mask_of(bit: u32) -> u32 {
    core::hint::black_box(bit).wrapping_neg()
}

#[allow(clippy::cast_possible_truncation, reason = "keeps the low limb")]
const fn low_limb(column: u64) -> u32 {
    (column as u32) & LIMB_MASK
}

/// Big-endian bytes as `count` limbs, least significant first.
fn limbs_from_bytes(bytes: &[u8], count: usize) -> Limbs {
    let mut limbs = Zeroizing::new(Vec::with_capacity(count));
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
