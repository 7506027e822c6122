//! A registry on a chain of its own, and passkeys that register there.
//!
//! The contract is the built one, `build/registry.wasm`: `scripts/build.sh contract` makes it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    reason = "for tests only"
)]

mod passkey;
mod world;

pub use passkey::{Claim, Edit, Passkey};
pub use world::{Outcome, Snapshot, View, World};

/// The protocol versions that the registry is tested at: the lowest it supports, and the newest.
pub const PROTOCOL_VERSIONS: [u32; 2] = [85, near_primitives::version::PROTOCOL_VERSION];

/// How old a challenge may be in the tests' registries, in blocks.
pub const MAX_BLOCK_AGE: u64 = 20;

/// The account that pays for registrations.
pub const RELAYER: &str = "relayer.testnet";

/// What the tests attach to a registration, in yoctoNEAR: 0.1 NEAR.
pub const DEPOSIT: u128 = 100_000_000_000_000_000_000_000;

/// What a byte of storage costs, in yoctoNEAR.
pub const STORAGE_BYTE_COST: u128 = 10_000_000_000_000_000_000;
