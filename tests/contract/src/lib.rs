//! A registry on a chain of its own, and passkeys that register there.
//!
//! The contract is the built one, `build/registry.wasm`: `scripts/build.sh contract` makes it. At protocol
//! 84 it is `build/registry-p256.wasm`: `scripts/build.sh contract-p256`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    reason = "for tests only"
)]

mod departures;
mod passkey;
mod settlers;
mod world;

pub use departures::{DEPARTURES, Departure, Method};
pub use passkey::{Claim, Edit, Passkey};
pub use settlers::Settlers;
pub use world::{Outcome, Snapshot, View, World, built_contract};

/// Makes tests of functions that take a protocol version: the lowest that the registry supports, the
/// newest, and 84, for which it is built with P-256 in WASM.
#[macro_export]
macro_rules! at_each_protocol {
    ($($test:ident),* $(,)?) => {
        $(mod $test {
            #[test]
            fn protocol_84() {
                super::$test(84);
            }

            #[test]
            fn protocol_85() {
                super::$test(85);
            }

            #[test]
            fn protocol_88() {
                super::$test(88);
            }
        })*
    };
}

/// How old a challenge may be in the tests' registries, in blocks.
pub const MAX_BLOCK_AGE: u64 = 20;

/// The account that pays for registrations.
pub const RELAYER: &str = "relayer.testnet";

/// What the tests attach to a registration, in yoctoNEAR: 0.1 NEAR.
pub const DEPOSIT: u128 = 100_000_000_000_000_000_000_000;

/// What a byte of storage costs, in yoctoNEAR.
pub const STORAGE_BYTE_COST: u128 = 10_000_000_000_000_000_000;
