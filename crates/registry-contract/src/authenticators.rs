//! Lists and removes an account's authenticators. Reservations are not listed.

use latchkey_webauthn::Base64Url;
use near_sdk::{AccountId, AccountIdRef, env, near};

use crate::record::{Account, Authenticator, Status, StoredAuthenticator};
use crate::require::{require, require_one_yocto};
use crate::{Registry, RegistryExt, promises, storage};

#[near]
impl Registry {
    /// The account's authenticators by credential id (base64url text), oldest first.
    pub fn get_authenticators_by_user(
        &self,
        user_id: AccountId,
    ) -> Vec<(String, StoredAuthenticator)> {
        all(&user_id)
            .into_iter()
            .map(|authenticator| (authenticator.id_text(), authenticator.into()))
            .collect()
    }

    /// One of the account's authenticators, by credential id (base64url text).
    pub fn get_authenticator(
        &self,
        user_id: AccountId,
        credential_id: String,
    ) -> Option<StoredAuthenticator> {
        find(&user_id, &Base64Url::from_text(&credential_id)?).map(StoredAuthenticator::from)
    }

    /// The account's credential ids (base64url text), oldest first.
    pub fn get_credential_ids_by_account(&self, account_id: AccountId) -> Vec<String> {
        all(&account_id)
            .iter()
            .map(Authenticator::id_text)
            .collect()
    }

    /// The number of the account's newest device; 0 for an account that is not registered.
    pub fn get_device_counter(&self, account_id: AccountId) -> u8 {
        registered(&account_id).map_or(0, |account| account.device_counter)
    }

    /// Removes one of the caller's authenticators, given its credential id (base64url text); `false` if
    /// the caller has no such authenticator. The last one cannot be removed. Refunds its storage cost
    /// to the account. Needs 1 yoctoNEAR.
    #[payable]
    pub fn remove_authenticator(&mut self, credential_id: String) -> bool {
        require_one_yocto();
        let id = env::predecessor_account_id();
        let Some((mut account, credential_id)) =
            registered(&id).zip(Base64Url::from_text(&credential_id))
        else {
            return false;
        };
        let count = account.authenticators.len();
        account
            .authenticators
            .retain(|held| held.credential_id != *credential_id);
        if account.authenticators.len() == count {
            return false;
        }
        require(
            !account.authenticators.is_empty(),
            "the last authenticator cannot be removed",
        );
        let used = env::storage_usage();
        storage::set_account(&id, account);
        storage::remove_old_credential(&credential_id, &id);
        promises::send(
            &id,
            storage::cost(used.saturating_sub(env::storage_usage())),
        );
        true
    }
}

/// The authenticator of a registered account with this credential id.
pub(crate) fn find(account: &AccountIdRef, credential_id: &[u8]) -> Option<Authenticator> {
    all(account)
        .into_iter()
        .find(|authenticator| authenticator.credential_id == credential_id)
}

fn all(account: &AccountIdRef) -> Vec<Authenticator> {
    registered(account)
        .map(|account| account.authenticators)
        .unwrap_or_default()
}

/// The record of a registered account; reservations are left out.
pub(crate) fn registered(account: &AccountIdRef) -> Option<Account> {
    storage::account(account).filter(|account| account.status == Status::Registered)
}
