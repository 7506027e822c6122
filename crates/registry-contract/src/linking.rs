//! An account's own registrations: it registers another passkey or an existing one, and two devices find each other
//! by a key.
//!
//! The mapping names the account to which a device's temporary key is being added. The account removes
//! it or replaces it with the next one, or it expires: storing it creates a promise that nothing
//! resumes and that the chain ends after 200 blocks. An account has one mapping at a time and paid for
//! it with its first record (`storage.rs`).
//!
//! The first account to name a key gets it. An attacker who sees a new device's key, in its QR code or
//! in the transaction that adds it, can name it for their own account and so lead the new device
//! there; the registry then refuses the first device's mapping. The new device must not trust the
//! mapping alone: it asks the user to confirm the account's name, and checks that its key is on that
//! account before it registers there.

#[cfg(not(feature = "deployed-dialect"))]
use latchkey_intent::register_existing_digest;
use latchkey_intent::{IntentDigest, device2_register_digest};
#[cfg(not(feature = "deployed-dialect"))]
use latchkey_webauthn::WebAuthnAuthentication;
use latchkey_webauthn::WebAuthnRegistration;
use near_sdk::{AccountId, CurveType, Gas, GasWeight, NearToken, PublicKey, env, near};
use serde::Serialize;

use crate::authenticators::registered;
use crate::bytes::Bytes;
use crate::device::{self, AuthenticatorOptions, Credential, Registration, RegistrationResult};
use crate::dialect;
use crate::record::{Account, Authenticator, Link, Status};
use crate::refusal::Refusal;
use crate::require::{require, require_one_yocto};
use crate::vrf_data::{VrfData, sized};
use crate::{Registry, RegistryExt, promises, storage};

/// The lifetime of a mapping in blocks: as long as a promise may wait to be resumed.
const LINK_LIFETIME: u64 = 200;

/// The most gas that removing an expired mapping may burn.
const EXPIRY_GAS: Gas = Gas::from_tgas(5);

/// The arguments of [`Registry::on_link_expired`].
#[derive(Serialize)]
struct Expiry<'a> {
    device_public_key: &'a PublicKey,
    expires_at: u64,
}

#[near]
impl Registry {
    /// Records the caller's next device: number 1 for an account that joins, else one more than the
    /// latest. The account must call this directly; the record stores the key that signed the call.
    ///
    /// Keeps the storage cost and returns the rest of the deposit; a refused registration returns all of
    /// it. [`Self::get_registration_cost`] is always enough.
    #[payable]
    pub fn link_device_register_user(
        &mut self,
        vrf_data: VrfData,
        webauthn_registration: WebAuthnRegistration,
        deterministic_vrf_public_key: Bytes,
        authenticator_options: Option<AuthenticatorOptions>,
    ) -> RegistrationResult {
        let (caller, deposit) = (env::predecessor_account_id(), env::attached_deposit());
        require(
            !dialect::SPOKEN || deposit.is_zero(),
            "Method link_device_register_user doesn't accept deposit",
        );
        let registration = Registration {
            vrf_data: &vrf_data,
            credential: Credential::New(&webauthn_registration),
            options: authenticator_options.unwrap_or_default(),
        };
        self.add_device(
            &caller,
            device2_register_digest,
            &registration,
            &deterministic_vrf_public_key,
            deposit,
        )
    }

    /// Maps `device_public_key` to the caller, a registered account. Replaces the account's previous
    /// mapping. Needs 1 yoctoNEAR.
    #[payable]
    pub fn store_device_linking_mapping(
        &mut self,
        device_public_key: PublicKey,
        target_account_id: AccountId,
    ) {
        require_one_yocto();
        require(
            env::predecessor_account_id() == target_account_id,
            "target_account_id must be the caller",
        );
        require(
            registered(&target_account_id).is_some(),
            "the account has no registered device",
        );
        require(
            device_public_key.curve_type() == CurveType::ED25519,
            "device_public_key must be an ed25519 key",
        );
        if let Some(link) = storage::link(&device_public_key) {
            require(
                link.account == target_account_id || !link.holds(),
                "the key is being linked to another account",
            );
            remove_link(&link, &device_public_key);
        }
        if let Some(previous) = storage::linking_key(&target_account_id) {
            storage::remove_link(&previous);
        }
        storage::set_linking_key(&target_account_id, &device_public_key);

        let expires_at = env::block_height().saturating_add(LINK_LIFETIME);
        let expiry = promises::json(&Expiry {
            device_public_key: &device_public_key,
            expires_at,
        });
        let link = Link {
            account: target_account_id,
            expires_at,
        };
        storage::set_link(&device_public_key, &link);
        let _never_resumed =
            env::promise_yield_create_id("on_link_expired", expiry, EXPIRY_GAS, GasWeight(0));
    }

    /// The chain's own call when a mapping expires.
    #[private]
    pub fn on_link_expired(&mut self, device_public_key: PublicKey, expires_at: u64) {
        // A newer mapping of the same key has its own expiry.
        if let Some(link) = storage::link(&device_public_key)
            && link.expires_at == expires_at
        {
            remove_link(&link, &device_public_key);
        }
    }

    /// The account to which `device_public_key` is being linked, with its device counter.
    pub fn get_device_linking_account(
        &self,
        device_public_key: PublicKey,
    ) -> Option<(AccountId, u8)> {
        let link = storage::link(&device_public_key).filter(Link::holds)?;
        let counter = registered(&link.account).map_or(0, |account| account.device_counter);
        Some((link.account, counter))
    }

    /// Removes a mapping; `false` if there is none. Only for the account that it names.
    pub fn cleanup_device_linking(&mut self, device_public_key: PublicKey) -> bool {
        let Some(link) = storage::link(&device_public_key) else {
            return false;
        };
        require(
            dialect::SPOKEN || env::predecessor_account_id() == link.account,
            "only the linked account may remove its mapping",
        );
        remove_link(&link, &device_public_key);
        true
    }
}

#[cfg(not(feature = "deployed-dialect"))]
#[near]
impl Registry {
    /// Records a passkey that the caller already has as its next device: number 1 for an account without a record, else
    /// one more than the latest. The account must call this directly; the record stores the key that signed the call.
    ///
    /// `webauthn_authentication` is an assertion of the passkey, and `credential_public_key` its public key, COSE, which
    /// an assertion does not carry: the signature must be that key's. It cannot show that the passkey has this
    /// credential id and no other key, so the caller vouches for its own record. `transports` are at most 8.
    ///
    /// Needs at least 1 yoctoNEAR, so that no function-call key can sign it. Keeps the storage cost and returns the rest
    /// of the deposit; a refused registration returns all of it. [`Self::get_registration_cost`] is always enough.
    #[payable]
    pub fn register_existing_passkey(
        &mut self,
        vrf_data: VrfData,
        webauthn_authentication: WebAuthnAuthentication,
        credential_public_key: Bytes,
        transports: Option<Vec<String>>,
        deterministic_vrf_public_key: Bytes,
        authenticator_options: Option<AuthenticatorOptions>,
    ) -> RegistrationResult {
        let (caller, deposit) = (env::predecessor_account_id(), env::attached_deposit());
        require(
            !deposit.is_zero(),
            "Requires an attached deposit of at least 1 yoctoNEAR",
        );
        let registration = Registration {
            vrf_data: &vrf_data,
            credential: Credential::Existing {
                assertion: &webauthn_authentication,
                public_key_cose: &credential_public_key,
                transports: transports.as_deref().unwrap_or_default(),
            },
            options: authenticator_options.unwrap_or_default(),
        };
        self.add_device(
            &caller,
            register_existing_digest,
            &registration,
            &deterministic_vrf_public_key,
            deposit,
        )
    }
}

impl Registry {
    /// Records the caller's next device, keeps the storage cost and returns the rest of the deposit. A refusal returns
    /// all of it.
    fn add_device(
        &self,
        caller: &AccountId,
        intent: fn(&str, u8) -> IntentDigest,
        registration: &Registration<'_>,
        deterministic_key: &Bytes,
        deposit: NearToken,
    ) -> RegistrationResult {
        match self.try_add_device(caller, intent, registration, deterministic_key, deposit) {
            Ok((authenticator, cost)) => {
                promises::send(caller, deposit.saturating_sub(cost));
                RegistrationResult::recorded(&authenticator)
            }
            Err(refusal) => {
                promises::refund(caller, deposit);
                RegistrationResult::refused(&refusal)
            }
        }
    }

    fn try_add_device(
        &self,
        account: &AccountId,
        intent: fn(&str, u8) -> IntentDigest,
        registration: &Registration<'_>,
        deterministic_key: &Bytes,
        deposit: NearToken,
    ) -> Result<(Authenticator, NearToken), Refusal> {
        // In a call through another contract, the signer's key belongs to another account.
        if env::signer_account_id() != *account {
            return Err(Refusal::NotCalledDirectly);
        }
        let near_public_key = env::signer_account_pk();
        if near_public_key.curve_type() == CurveType::MLDSA65 {
            return Err(Refusal::KeyTooLarge);
        }
        let before = storage::account(account);
        let record = before
            .clone()
            .unwrap_or_else(|| Account::new(Status::Registered));
        let number = record.next_device_number(&self.vrf_settings)?;
        let derived_key = sized("deterministic_vrf_public_key", deterministic_key)?;
        let intent = intent(account.as_str(), number);
        let accepted = registration.verify(&self.vrf_settings, account, &[intent])?;
        let authenticator = accepted.into_authenticator(derived_key, number, near_public_key);
        let cost = device::record(account, before, record, authenticator.clone(), deposit)?;
        Ok((authenticator, cost))
    }
}

/// Removes the mapping of `key` and its account's note of it.
fn remove_link(link: &Link, key: &PublicKey) {
    storage::remove_link(key);
    // Version 1 stored no note with a mapping, so the account's note may be of another one.
    if storage::linking_key(&link.account).as_ref() == Some(key) {
        storage::remove_linking_key(&link.account);
    }
}
