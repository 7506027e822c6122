//! The on-chain registry of authenticators.
//!
//! It creates accounts (`<name>.<registry>`) together with their first passkey and stores every
//! account's authenticators. For any caller it checks an assertion: that a registered passkey, with
//! its user present and verified, approved one intent just now at an allowed origin. Source:
//! `interop.md`, section 6.
//!
//! Arguments and answers are JSON. Malformed arguments end the call with a message, and the chain
//! returns the deposit. A registration or authentication that fails a check answers `verified: false`
//! and logs why. Registrations accept a deposit; removals, linkings and every admin's change want exactly
//! 1 yoctoNEAR, so that only a full-access key can sign them. A view cannot see a deposit, so the registry
//! keeps what a transaction attaches to a view.
//!
//! The registry assigns a name once: when the account `<name>.<registry>` is deleted, its record stays,
//! and the registry does not create the account again. If an account that someone else created is
//! deleted and created again, the registry still holds the former owner's passkeys; a new owner should
//! check for them and remove them.
//!
//! Only the height window proves freshness: a contract cannot read past block hashes, so the proof
//! binds `block_hash` but nothing checks it.
#![allow(
    missing_docs,
    reason = "the SDK's macro generates undocumented public items"
)]

mod admin;
mod allow_lists;
mod authentication;
mod authenticators;
mod bytes;
mod ceremony;
mod device;
mod dialect;
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

/// The version of the stored state (`storage.rs`). [`Registry::migrate`] reads it first.
const STATE_VERSION: u8 = 3;
/// The longest greeting, in bytes.
const MAX_GREETING: usize = 280;

/// The contract's root state. Everything else has its own storage keys (`storage.rs`).
///
/// `contract_source_metadata` (NEP-330) names the interface and its version, so that a client knows which
/// registry it meets. A change that breaks a caller raises the first number.
#[cfg_attr(
    not(feature = "deployed-dialect"),
    near(
        contract_state,
        contract_metadata(standard(standard = "latchkey-registry", version = "2.1.0"))
    )
)]
#[cfg_attr(feature = "deployed-dialect", near(contract_state))]
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
    /// Sets up a newly deployed registry. Only the contract's own account may call this, best in the
    /// transaction that deploys it.
    ///
    /// `owner_id` defaults to this account. `max_block_age`, the maximum age of a challenge in blocks,
    /// defaults to 200.
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

    /// Migrates the state of an earlier version of the contract. Only admins may call this, best in the
    /// transaction that deploys the contract. Leaves state of this version as it is and refuses state of
    /// a later one.
    ///
    /// Accounts need no migration: the contract reads every version of a record and writes the newest
    /// (`storage.rs`).
    #[init(ignore_state)]
    #[payable]
    pub fn migrate() -> Self {
        let Some(state) = storage::state_bytes() else {
            env::panic_str("there is no state to migrate");
        };
        // Every version of the state starts with its version.
        require(
            matches!(state.first(), Some(1..=STATE_VERSION)),
            "the state is of a version that this contract does not know",
        );
        // The versions differ only outside the root state.
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

    /// Sets the greeting of the demo, at most 280 bytes. Anyone may call this.
    pub fn set_greeting(&mut self, greeting: String) {
        require(
            greeting.len() <= MAX_GREETING,
            "a greeting has at most 280 bytes",
        );
        self.greeting = greeting;
    }
}
