//! The on-chain registry of authenticators.
//!
//! It creates accounts (`<name>.<registry>`) together with their first passkey, keeps every
//! account's authenticators, and checks an assertion for whoever asks: that a registered passkey,
//! its user present and verified, agreed to one intent just now, at an allowed origin. Source:
//! `interop.md`, section 6.
//!
//! Arguments and answers are JSON. Malformed arguments end the call with a message, and the chain
//! returns the deposit; a registration or authentication that does not hold answers `verified:
//! false` and logs why. No other method takes a deposit, but the chain forbids a view to look at one:
//! what a transaction attaches to a view stays with the registry.
//!
//! A name is given once: when the account `<name>.<registry>` is deleted, its record stays, and
//! the registry does not make it again. An account of another making that is deleted and made again
//! finds the passkeys of its former owner in the registry: those who take over a name should look,
//! and remove them.
//!
//! Freshness is the height window alone: a contract cannot read past block hashes, so `block_hash`
//! is bound by the proof but not checked.
#![allow(
    missing_docs,
    reason = "the SDK's macro makes public items without any"
)]

mod admin;
mod allow_lists;
mod authentication;
mod authenticators;
mod bytes;
mod ceremony;
mod device;
mod host_verifier;
mod linking;
mod promises;
mod record;
mod refusal;
mod registration;
mod require;
mod settings;
mod storage;
mod vrf_data;

use near_sdk::{AccountId, PanicOnDefault, env, near};

use crate::require::require;
use crate::settings::VrfSettings;

/// The version of the stored state, which [`Registry::migrate`] reads first (`storage.rs`).
const STATE_VERSION: u8 = 2;
/// The longest greeting, in bytes.
const MAX_GREETING: usize = 280;

/// The contract's root state; the rest lies under keys of its own (`storage.rs`).
#[near(contract_state)]
#[derive(PanicOnDefault)]
pub struct Registry {
    /// Always the first byte of `STATE`.
    state_version: u8,
    owner: AccountId,
    vrf_settings: VrfSettings,
    greeting: String,
}

#[near]
impl Registry {
    /// Sets up a newly deployed registry. For the contract's own account, best in the transaction
    /// that deploys it.
    ///
    /// `owner_id`: the owner, by default this account. `max_block_age`: how many blocks a challenge
    /// may be old, by default 200.
    #[init]
    #[private]
    pub fn init(owner_id: Option<AccountId>, max_block_age: Option<u64>) -> Self {
        let defaults = VrfSettings::default();
        let vrf_settings = VrfSettings {
            max_block_age: max_block_age.unwrap_or(defaults.max_block_age),
            ..defaults
        };
        vrf_settings.assert_valid();
        Self {
            state_version: STATE_VERSION,
            owner: owner_id.unwrap_or_else(env::current_account_id),
            vrf_settings,
            greeting: "Hello".to_owned(),
        }
    }

    /// Brings what an earlier version of the contract stored to this version. For admins, best in the
    /// transaction that deploys it; state of this version stays as it is, and that of a later one is
    /// refused.
    ///
    /// Accounts are not touched, nor do they have to be: every version of a record is read, and
    /// written in the newest (`storage.rs`).
    #[init(ignore_state)]
    pub fn migrate() -> Self {
        let Some(state) = storage::state_bytes() else {
            env::panic_str("there is no state to migrate");
        };
        // The version comes first in every version's state, whatever follows.
        require(
            matches!(state.first(), Some(1..=STATE_VERSION)),
            "the state is of a version that this contract does not know",
        );
        // Versions 1 and 2 differ in what lies beside the state.
        let registry: Self = storage::decode(&state);
        registry.assert_admin();
        Self {
            state_version: STATE_VERSION,
            ..registry
        }
    }

    /// The greeting of the demo.
    pub fn get_greeting(&self) -> &str {
        &self.greeting
    }

    /// Sets the greeting of the demo: anyone may, with at most 280 bytes.
    pub fn set_greeting(&mut self, greeting: String) {
        require(
            greeting.len() <= MAX_GREETING,
            "a greeting has at most 280 bytes",
        );
        self.greeting = greeting;
    }
}
