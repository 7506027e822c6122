//! Amounts, gas and nonces: whole numbers that cross to JavaScript as decimal strings.

use std::fmt::{self, Display, Formatter};

use borsh::{BorshDeserialize, BorshSerialize};

use crate::TransactionError;

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
                let canonical = digits == "0"
                    || (!digits.starts_with('0') && digits.bytes().all(|digit| digit.is_ascii_digit()));
                match digits.parse() {
                    Ok(number) if canonical => Ok(Self(number)),
                    _ => Err(TransactionError::InvalidNumber { field }),
                }
            }
        }

        impl Display for $name {
            fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
                self.0.fmt(out)
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
