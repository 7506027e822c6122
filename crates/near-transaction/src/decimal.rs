//! Amounts, gas and nonces: whole numbers that cross to JavaScript as decimal strings.

use std::fmt::{self, Display, Formatter};

use borsh::{BorshDeserialize, BorshSerialize};

use crate::TransactionError;

/// Of 2^128 - 1.
const MAX_DIGITS: usize = 39;

/// Defines a number type that is read strictly from decimal digits and written as them.
macro_rules! decimal {
    ($(#[$doc:meta])* $name:ident($number:ty)) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, BorshSerialize, BorshDeserialize)]
        pub struct $name(pub $number);

        impl $name {
            /// Reads decimal digits: no sign, no leading zero, no space, no exponent.
            ///
            /// # Errors
            /// [`TransactionError::InvalidNumber`], naming `field`.
            pub fn parse(digits: &str, field: &'static str) -> Result<Self, TransactionError> {
                read(digits)
                    .and_then(|number| number.try_into().ok())
                    .map(Self)
                    .ok_or(TransactionError::InvalidNumber { field })
            }
        }

        impl Display for $name {
            fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
                write(self.0.into(), out)
            }
        }
    };
}

decimal! {
    /// An amount of NEAR tokens in yoctoNEAR (10^-24 NEAR), 128 bits.
    Balance(u128)
}
decimal! {
    /// An amount of gas, 64 bits.
    Gas(u64)
}
decimal! {
    /// An access key's nonce, 64 bits.
    Nonce(u64)
}

/// The number that canonical decimal digits name.
fn read(digits: &str) -> Option<u128> {
    if digits.is_empty() || (digits.starts_with('0') && digits != "0") {
        return None;
    }
    digits.bytes().try_fold(0_u128, |number, digit| {
        let digit = digit.is_ascii_digit().then_some(digit & 0x0f)?;
        number.checked_mul(10)?.checked_add(digit.into())
    })
}

/// Writes a number as decimal digits: long division by ten of 32-bit limbs.
///
/// The standard library's is for speed, and brings a 128-bit division: half a KB of WASM more (`docs/maintainers/performance.md`).
fn write(number: u128, out: &mut Formatter<'_>) -> fmt::Result {
    let mut limbs = [
        (number >> 96) as u32,
        (number >> 64) as u32,
        (number >> 32) as u32,
        number as u32,
    ];
    let mut digits = [b'0'; MAX_DIGITS];
    let mut first = MAX_DIGITS;
    for digit in digits.iter_mut().rev() {
        let mut rest = 0;
        for limb in &mut limbs {
            let part = (rest << 32) | u64::from(*limb);
            *limb = (part / 10) as u32;
            rest = part % 10;
        }
        *digit |= rest as u8;
        first -= 1;
        if limbs == [0; 4] {
            break;
        }
    }
    let digits = digits.get(first..).unwrap_or_default();
    out.write_str(str::from_utf8(digits).map_err(|_| fmt::Error)?)
}
