//! A registry on its own chain, and passkeys that register there.
//!
//! The tests run the built contract, `build/registry.wasm` (`scripts/build.sh contract`), and at protocol
//! 84 `build/registry-p256.wasm` (`scripts/build.sh contract-p256`). `dialect.rs` runs `build/registry-dialect.wasm`
//! (`scripts/build.sh contract-dialect`).
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
pub use world::{Outcome, Snapshot, View, WANT_ONE_YOCTO, World, built_contract};

/// Turns functions that take a protocol version into tests, at 85, the lowest version of the usual build,
/// at the newest, and at 84, whose build has P-256 in WASM.
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

/// The maximum age of a challenge in the tests' registries, in blocks.
pub const MAX_BLOCK_AGE: u64 = 20;

/// The account that pays for registrations.
pub const RELAYER: &str = "relayer.testnet";

/// The deposit that the tests attach to a registration, in yoctoNEAR: 0.1 NEAR.
pub const DEPOSIT: u128 = 100_000_000_000_000_000_000_000;

/// The cost of a byte of storage, in yoctoNEAR.
pub const STORAGE_BYTE_COST: u128 = 10_000_000_000_000_000_000;
