//! Registration: a new account with its first authenticator, all or nothing.
//!
//! 1. The call checks everything, **reserves** the account by storing the whole record, and sends the new
//!    account's receipt: create, transfer, add the key. It keeps the record's storage cost from the deposit.
//! 2. The callback **confirms** the record if the account was created. If not, it **releases** the
//!    reservation and returns the deposit.
//!
//! Of two registrations in flight for one account, the second finds the reservation and is refused. A
//! refusal answers `verified: false`, logs its reason and returns the deposit to the caller.
//!
//! The chain refunds a failed creation to the registry before the callback runs, so the registry needs
//! no tokens of its own to return a deposit. If the caller's account has been deleted meanwhile, the
//! deposit stays with the registry.
//!
//! The first receipt reserves the callback's gas and fails as a whole without enough of it, so no
//! amount of attached gas leaves a reservation or a deposit behind.
//!
//! The passkey approves the account's name, not its access key or its derived VRF key. An attacker who
//! sees a registration before it runs can send it with other keys, so the wallet must compare the
//! account's key and the record with its own.

use latchkey_intent::{device2_register_digest, register_digest};
use latchkey_webauthn::WebAuthnRegistration;
use near_sdk::{
    AccountId, AccountIdRef, CurveType, Gas, NearToken, PromiseIndex, PublicKey, env, near,
};
use serde::Serialize;

use crate::bytes::Bytes;
use crate::device::{self, AuthenticatorOptions, Credential, Registration, RegistrationResult};
#[cfg(not(feature = "deployed-dialect"))]
use crate::record::largest_record_bytes;
use crate::record::{Account, Status};
use crate::refusal::Refusal;
use crate::vrf_data::{VrfData, sized};
use crate::{Registry, RegistryExt, promises, storage};

/// The most gas that the callback may burn. It needs about a fifth.
const CALLBACK_GAS: Gas = Gas::from_tgas(10);

/// The answer of [`Registry::check_can_register_user`].
#[derive(Debug, Serialize)]
pub struct CheckResult {
    /// Whether the registry would accept the credential.
    pub verified: bool,
    /// Whether the account is registered already.
    pub user_exists: bool,
}

#[near]
impl Registry {
    /// Creates `new_account_id` with `new_public_key` as its one full-access key, gives it the deposit
    /// less the storage cost of its record, and records the authenticator as device 1.
    ///
    /// Answers a [`RegistrationResult`]. A refused registration costs gas only and returns the deposit.
    #[payable]
    pub fn create_account_and_register_user(
        &mut self,
        new_account_id: AccountId,
        new_public_key: PublicKey,
        vrf_data: VrfData,
        webauthn_registration: WebAuthnRegistration,
        deterministic_vrf_public_key: Bytes,
        authenticator_options: Option<AuthenticatorOptions>,
    ) {
        let (caller, deposit) = (env::predecessor_account_id(), env::attached_deposit());
        let registration = Registration {
            vrf_data: &vrf_data,
            credential: Credential::New(&webauthn_registration),
            options: authenticator_options.unwrap_or_default(),
        };
        let reserved = check_new_account(&new_account_id, &new_public_key).and_then(|()| {
            let derived_key = sized(
                "deterministic_vrf_public_key",
                &deterministic_vrf_public_key,
            )?;
            let intent = register_digest(new_account_id.as_str());
            let accepted = registration.verify(&self.vrf_settings, &new_account_id, &[intent])?;
            let authenticator = accepted.into_authenticator(derived_key, 1, new_public_key.clone());
            device::record(
                &new_account_id,
                None,
                Account::new(Status::Reserved),
                authenticator,
                deposit,
            )
        });
        match reserved {
            Ok(cost) => {
                let balance = deposit.saturating_sub(cost);
                let creation = create_account(&new_account_id, balance, &new_public_key);
                let callback = Callback {
                    new_account_id,
                    caller,
                    deposit,
                };
                promises::call_back(creation, "on_account_created", &callback, CALLBACK_GAS);
            }
            Err(refusal) => {
                promises::refund(&caller, deposit);
                promises::answer(&RegistrationResult::refused(&refusal));
            }
        }
    }

    /// The callback of [`Self::create_account_and_register_user`]. Confirms or releases the reservation.
    #[private]
    pub fn on_account_created(
        &mut self,
        new_account_id: AccountId,
        caller: AccountId,
        deposit: NearToken,
    ) -> RegistrationResult {
        let Some(mut account) = storage::account(&new_account_id) else {
            env::panic_str("no reservation");
        };
        // A successful creation returns an empty value.
        if env::promise_result_checked(0, 0).is_err() {
            storage::remove_account(&new_account_id);
            for authenticator in &account.authenticators {
                storage::remove_old_credential(&authenticator.credential_id, &new_account_id);
            }
            promises::refund(&caller, deposit);
            return RegistrationResult::refused(&Refusal::AccountNotCreated);
        }
        let Some(authenticator) = account.authenticators.first() else {
            env::panic_str("an empty reservation");
        };
        let result = RegistrationResult::recorded(authenticator);
        account.status = Status::Registered;
        storage::set_account(&new_account_id, account);
        result
    }

    /// Checks a registration without recording it: that of a new account, or of an existing account's
    /// next device.
    ///
    /// Logs the reason of `verified: false`. Cannot check what only the call carries: its sender, the new
    /// account's id and key, the derived VRF key, the size of the record, the deposit.
    pub fn check_can_register_user(
        &self,
        vrf_data: VrfData,
        webauthn_registration: WebAuthnRegistration,
        authenticator_options: Option<AuthenticatorOptions>,
    ) -> CheckResult {
        let account: Option<AccountId> = vrf_data.user_id.parse().ok();
        let record = account.as_deref().and_then(storage::account);
        let user_exists = record.is_some();
        let registration = Registration {
            vrf_data: &vrf_data,
            credential: Credential::New(&webauthn_registration),
            options: authenticator_options.unwrap_or_default(),
        };
        let checked = account
            .ok_or(Refusal::NotAnAccountId)
            .and_then(|account| self.check_next_device(&account, record, &registration));
        if let Err(refusal) = &checked {
            refusal.log();
        }
        CheckResult {
            verified: checked.is_ok(),
            user_exists,
        }
    }
}

#[cfg(not(feature = "deployed-dialect"))]
#[near]
impl Registry {
    /// The cost of the largest record that a registration may store, in yoctoNEAR. Attach this in
    /// addition to the new account's minimum balance; the account gets what the record does not need.
    pub fn get_registration_cost(&self) -> NearToken {
        storage::cost(largest_record_bytes() as u64)
    }
}

impl Registry {
    /// Checks a registration as the account's next device. The relay or a joining account registers the
    /// first, the account itself the later ones.
    fn check_next_device(
        &self,
        account: &AccountIdRef,
        record: Option<Account>,
        registration: &Registration<'_>,
    ) -> Result<(), Refusal> {
        let number = match record {
            None => 1,
            Some(record) => record.next_device_number(&self.vrf_settings)?,
        };
        let id = account.as_str();
        let intents = [register_digest(id), device2_register_digest(id, number)];
        registration
            .verify(&self.vrf_settings, account, &intents)
            .map(drop)
    }
}

/// The arguments of [`Registry::on_account_created`].
#[derive(Serialize)]
struct Callback {
    new_account_id: AccountId,
    caller: AccountId,
    deposit: NearToken,
}

/// Checks a new account's id and key, apart from its credential.
fn check_new_account(account: &AccountIdRef, key: &PublicKey) -> Result<(), Refusal> {
    if !account.is_sub_account_of(env::current_account_id()) {
        Err(Refusal::NotASubAccount)
    } else if key.curve_type() != CurveType::ED25519 {
        Err(Refusal::NotAnEd25519Key)
    } else if storage::account(account).is_some() {
        Err(Refusal::AccountTaken)
    } else {
        Ok(())
    }
}

fn create_account(account: &AccountId, balance: NearToken, key: &PublicKey) -> PromiseIndex {
    let promise = env::promise_batch_create(account);
    env::promise_batch_action_create_account(promise);
    env::promise_batch_action_transfer(promise, balance);
    env::promise_batch_action_add_key_with_full_access(promise, key, 0);
    promise
}
