//! The owner, the admins and the verification settings, and the rights to change them.
//!
//! Every change needs 1 yoctoNEAR (`require.rs`), so that no app key of an admin can make it.

use near_sdk::{AccountId, AccountIdRef, env, near};

use crate::require::{require, require_one_yocto};
use crate::settings::VrfSettings;
use crate::storage::{self, List};
use crate::{Registry, RegistryExt};

/// The maximum number of admins.
const MAX_ADMINS: usize = 100;

#[near]
impl Registry {
    /// The owner: an admin who also appoints the admins and the next owner.
    pub fn get_owner(&self) -> &AccountId {
        &self.owner
    }

    /// The admins, without the owner, sorted.
    pub fn get_admins(&self) -> Vec<String> {
        storage::list(List::Admins)
    }

    /// Whether the account is the owner or an admin.
    pub fn is_admin(&self, account_id: AccountId) -> bool {
        self.has_admin_rights(&account_id)
    }

    /// Revokes an account's admin rights; `false` if it has none. Owner only; cannot revoke the owner's
    /// own rights.
    #[payable]
    pub fn remove_admin(&mut self, account_id: AccountId) -> bool {
        self.assert_owner();
        storage::remove_from_list(List::Admins, account_id.as_str())
    }

    /// Makes another account the owner. The former owner keeps no rights unless listed as an admin.
    #[payable]
    pub fn transfer_ownership(&mut self, new_owner: AccountId) {
        self.assert_owner();
        self.owner = new_owner;
    }

    /// The verification settings.
    pub fn get_vrf_settings(&self) -> &VrfSettings {
        &self.vrf_settings
    }
}

#[cfg(not(feature = "deployed-dialect"))]
#[near]
impl Registry {
    /// Makes an account an admin; `false` if it already is. Owner only.
    #[payable]
    pub fn add_admin(&mut self, account_id: AccountId) -> bool {
        self.appoint(account_id)
    }

    /// Replaces the verification settings. Admins only.
    #[payable]
    pub fn set_vrf_settings(&mut self, settings: VrfSettings) {
        self.replace_settings(settings);
    }
}

#[cfg(feature = "deployed-dialect")]
#[near]
impl Registry {
    /// Makes an account an admin; `false` if it already is. Owner only.
    #[payable]
    pub fn add_admin(&mut self, admin_id: AccountId) -> bool {
        self.appoint(admin_id)
    }

    /// Replaces the verification settings. Admins only.
    #[payable]
    pub fn set_vrf_settings(&mut self, vrf_settings: VrfSettings) {
        self.replace_settings(vrf_settings);
    }
}

impl Registry {
    fn appoint(&self, account_id: AccountId) -> bool {
        self.assert_owner();
        let full = "there are 100 admins already";
        storage::add_to_list(List::Admins, account_id.into(), MAX_ADMINS, full)
    }

    fn replace_settings(&mut self, settings: VrfSettings) {
        self.assert_admin();
        settings.assert_valid();
        self.vrf_settings = settings;
    }

    pub(crate) fn assert_owner(&self) {
        require_one_yocto();
        require(
            env::predecessor_account_id() == self.owner,
            "only the owner may do this",
        );
    }

    pub(crate) fn assert_admin(&self) {
        require_one_yocto();
        require(
            self.has_admin_rights(&env::predecessor_account_id()),
            "only an admin may do this",
        );
    }

    fn has_admin_rights(&self, account: &AccountIdRef) -> bool {
        *account == *self.owner || storage::list_contains(List::Admins, account.as_str())
    }
}
