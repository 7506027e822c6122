//! Whether two coordinates are a point of the curve P-256 (SEC 2, section 2.4.2; NIST SP 800-186, section 3.2.1.3).
//!
//! Our own: the p256 crate brings scalars and signatures, too large for the signer's bundle. Public keys are no secret, so
//! the time of these functions may depend on them.

/// A number below 2^256 in 32-bit limbs, the lowest first.
type Number = [u32; 8];

/// p = 2^256 - 2^224 + 2^192 + 2^96 - 1. The lowest limb is -1 modulo 2^32, which [`product`] uses.
const P: Number = [
    0xffff_ffff,
    0xffff_ffff,
    0xffff_ffff,
    0,
    0,
    0,
    1,
    0xffff_ffff,
];

/// The constant term of the curve's equation.
const B: Number = [
    0x27d2_604b,
    0x3bce_3c3e,
    0xcc53_b0f6,
    0x651d_06b0,
    0x7698_86bc,
    0xb3eb_bd55,
    0xaa3a_93e7,
    0x5ac6_35d8,
];

/// 2^512 modulo p. A product with it brings a number into Montgomery form.
const R_SQUARED: Number = [
    3,
    0,
    0xffff_ffff,
    0xffff_fffb,
    0xffff_fffe,
    0xffff_ffff,
    0xffff_fffd,
    4,
];

/// Whether both coordinates, big-endian, are below p and y² = x³ - 3x + b modulo p.
pub(crate) fn is_point(x: &[u8; 32], y: &[u8; 32]) -> bool {
    let (x, y) = (number(x), number(y));
    if is_too_large(&x) || is_too_large(&y) {
        return false;
    }
    let [x, y, b] = [x, y, B].map(|number| product(&number, &R_SQUARED));
    let square = product(&y, &y);
    let cube = product(&product(&x, &x), &x);
    let three_x = sum(&sum(&x, &x), &x);
    // The sign changes sides, so that no difference is needed.
    sum(&square, &three_x) == sum(&cube, &b)
}

fn number(bytes: &[u8; 32]) -> Number {
    let mut number = [0; 8];
    for (limb, bytes) in number.iter_mut().rev().zip(bytes.chunks_exact(4)) {
        *limb = bytes
            .iter()
            .fold(0, |limb, byte| limb << 8 | u32::from(*byte));
    }
    number
}

/// Whether a number is p or larger.
fn is_too_large(number: &Number) -> bool {
    number.iter().rev().ge(P.iter().rev())
}

/// a + b modulo p, of two numbers below p.
fn sum(a: &Number, b: &Number) -> Number {
    let mut sum = *a;
    let carry = add_multiple(&mut sum, 1, b);
    reduced(sum, carry)
}

/// a · b / 2^256 modulo p, of two numbers below p: Montgomery's multiplication, limb by limb.
fn product(a: &Number, b: &Number) -> Number {
    let mut total = [0; 8];
    let mut carry = 0;
    for digit in a {
        carry += add_multiple(&mut total, *digit, b);
        // The lowest limb times p cancels that limb, because p is -1 modulo 2^32.
        let [lowest, ..] = total;
        carry += add_multiple(&mut total, lowest, &P);
        total.rotate_left(1);
        let [.., highest] = &mut total;
        (*highest, carry) = split(carry);
    }
    reduced(total, carry)
}

/// Adds `factor` · `number` to `total` and returns the carry, below 2^32.
fn add_multiple(total: &mut Number, factor: u32, number: &Number) -> u64 {
    let mut carry = 0;
    for (limb, digit) in total.iter_mut().zip(number) {
        (*limb, carry) = split(u64::from(*limb) + u64::from(factor) * u64::from(*digit) + carry);
    }
    carry
}

/// The low and the high 32 bits.
const fn split(number: u64) -> (u32, u64) {
    (number as u32, number >> 32)
}

/// `total` + 2^256 · `carry`, less p if that is p or more. The number must be below 2p.
fn reduced(mut total: Number, carry: u64) -> Number {
    if carry != 0 || is_too_large(&total) {
        let mut borrow = 0;
        for (limb, digit) in total.iter_mut().zip(&P) {
            let (difference, first) = limb.overflowing_sub(*digit);
            let (difference, second) = difference.overflowing_sub(borrow);
            *limb = difference;
            borrow = u32::from(first || second);
        }
    }
    total
}
