//! Who may change what: the owner, the admins and the verification settings.

use near_sdk::{AccountId, AccountIdRef, env, near};
use serde::{Deserialize, Serialize};

use crate::storage::{self, List};
use crate::{Registry, RegistryExt};

/// How many admins there may be.
const MAX_ADMINS: usize = 100;

/// How verification works, for every account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[near(serializers = [borsh])]
#[serde(deny_unknown_fields)]
pub struct VrfSettings {
    /// How many blocks a challenge may be old.
    pub max_block_age: u64,
    /// Whether anything is verified at all; if not, every verification answers `false`.
    pub enabled: bool,
    /// How many authenticators one account may hold, at least 1.
    pub max_authenticators_per_account: u8,
}

impl Default for VrfSettings {
    fn default() -> Self {
        Self {
            max_block_age: 200,
            enabled: true,
            max_authenticators_per_account: 10,
        }
    }
}

impl VrfSettings {
    /// Panics with the broken rule.
    pub(crate) fn assert_valid(&self) {
        require(self.max_block_age > 0, "max_block_age must be above 0");
        require(
            self.max_authenticators_per_account > 0,
            "max_authenticators_per_account must be above 0",
        );
    }
}

#[near]
impl Registry {
    /// The owner: an admin who also names the admins and the next owner.
    pub fn get_owner(&self) -> &AccountId {
        &self.owner
    }

    /// The admins besides the owner, sorted.
    pub fn get_admins(&self) -> Vec<String> {
        storage::list(List::Admins)
    }

    /// Whether the account is the owner or an admin.
    pub fn is_admin(&self, account_id: AccountId) -> bool {
        self.has_admin_rights(&account_id)
    }

    /// Makes an account an admin; `false` if it was one. For the owner.
    pub fn add_admin(&mut self, account_id: AccountId) -> bool {
        self.assert_owner();
        let full = "there are 100 admins already";
        storage::add_to_list(List::Admins, account_id.into(), MAX_ADMINS, full)
    }

    /// Takes an account's admin rights; `false` if it had none. For the owner, whose own rights
    /// stay.
    pub fn remove_admin(&mut self, account_id: AccountId) -> bool {
        self.assert_owner();
        storage::remove_from_list(List::Admins, account_id.as_str())
    }

    /// Makes another account the owner. The former owner keeps no rights, unless listed as an
    /// admin.
    pub fn transfer_ownership(&mut self, new_owner: AccountId) {
        self.assert_owner();
        self.owner = new_owner;
    }

    /// The verification settings.
    pub fn get_vrf_settings(&self) -> &VrfSettings {
        &self.vrf_settings
    }

    /// Replaces the verification settings. For admins.
    pub fn set_vrf_settings(&mut self, settings: VrfSettings) {
        self.assert_admin();
        settings.assert_valid();
        self.vrf_settings = settings;
    }
}

impl Registry {
    pub(crate) fn assert_owner(&self) {
        require(
            env::predecessor_account_id() == self.owner,
            "only the owner may do this",
        );
    }

    pub(crate) fn assert_admin(&self) {
        require(
            self.has_admin_rights(&env::predecessor_account_id()),
            "only an admin may do this",
        );
    }

    fn has_admin_rights(&self, account: &AccountIdRef) -> bool {
        *account == *self.owner || storage::list_contains(List::Admins, account.as_str())
    }
}

/// Ends the call with `message` unless `condition` holds.
pub(crate) fn require(condition: bool, message: &str) {
    if !condition {
        env::panic_str(message);
    }
}
