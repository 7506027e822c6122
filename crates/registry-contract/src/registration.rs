//! Registration: a new account with its first authenticator, all or nothing.
//!
//! 1. The call checks everything, **reserves** account and credential by storing the whole record, and sends the
//!    new account's receipt: create, transfer, add the key. What the record's storage cost is kept of the deposit.
//! 2. The callback **confirms** the record when the account was created. If not, it **releases** the reservation
//!    and sends the deposit back.
//!
//! Two registrations in flight for one account or one credential: the second finds the reservation and is refused.
//! A refusal answers `verified: false`, logs its reason and sends the deposit back to the caller.
//!
//! The chain returns what it does not give to a new account to the registry, and the callback may run before that
//! refund arrives: the registry's account should hold at least one registration's deposit above its storage.

use latchkey_intent::{IntentDigest, device2_register_digest, register_digest};
use latchkey_webauthn::{
    OriginPolicy, OriginPolicyOption, RpId, UserVerification, VerifiedRegistration,
    WebAuthnRegistration, verify_registration,
};
use near_sdk::{
    AccountId, AccountIdRef, CurveType, Gas, NearToken, PromiseIndex, PublicKey, env, near,
    serde_json,
};
use serde::{Deserialize, Serialize};

use crate::admin::VrfSettings;
use crate::bytes::Bytes;
use crate::ceremony::Place;
use crate::host_verifier::HostVerifier;
use crate::record::{Account, Authenticator, MAX_AUTHENTICATOR_BYTES, Status, largest_record_cost};
use crate::refusal::Refusal;
use crate::vrf_data::{Intent, VrfData, sized};
use crate::{Registry, RegistryExt, storage};

/// The longest account id that registers, in bytes: with a device's ` (255)` behind it, it still fits into the
/// passkey's user handle of 64.
pub(crate) const MAX_ACCOUNT_ID: usize = 58;

/// What the callback may burn; it needs about a fifth.
const CALLBACK_GAS: Gas = Gas::from_tgas(10);

/// How a registration wants its credential to be used.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuthenticatorOptions {
    /// The wallet's preference, kept for its own later ceremonies.
    #[serde(default)]
    pub user_verification: Option<UserVerification>,
    /// Which origins may use the credential.
    #[serde(default)]
    pub origin_policy: Option<OriginPolicyOption>,
}

/// The answer of a registration.
#[derive(Debug, Serialize)]
pub(crate) struct RegistrationResult {
    /// Whether the account exists now and the authenticator is recorded.
    pub verified: bool,
    /// What was recorded.
    pub registration_info: Option<RegistrationInfo>,
}

/// What a registration recorded.
#[derive(Debug, Serialize)]
pub(crate) struct RegistrationInfo {
    /// The credential id, base64url text.
    pub credential_id: String,
    /// The public key, COSE, as an array of numbers.
    pub credential_public_key: Bytes,
}

/// The answer of [`Registry::check_can_register_user`].
#[derive(Debug, Serialize)]
pub struct CheckResult {
    /// Whether the credential would be accepted.
    pub verified: bool,
    /// Whether the account is registered already.
    pub user_exists: bool,
}

#[near]
impl Registry {
    /// Creates `new_account_id` with `new_public_key` as its one full-access key, gives it the deposit less the
    /// storage cost of its record, and records the authenticator as device 1.
    ///
    /// Answers a [`RegistrationResult`]. A refused registration costs gas only: the deposit goes back.
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
            credential: &webauthn_registration,
            options: authenticator_options.unwrap_or_default(),
        };
        let reserved = check_new_account(&new_account_id, &new_public_key).and_then(|()| {
            let deterministic_key = sized(
                "deterministic_vrf_public_key",
                &deterministic_vrf_public_key,
            )?;
            let intent = register_digest(new_account_id.as_str());
            let accepted = registration.verify(&self.vrf_settings, &new_account_id, &[intent])?;
            reserve(
                &new_account_id,
                accepted.into_authenticator(deterministic_key, 1, new_public_key.clone()),
                deposit,
            )
        });
        match reserved {
            Ok(cost) => {
                let creation = create_account(
                    &new_account_id,
                    deposit.saturating_sub(cost),
                    &new_public_key,
                );
                call_back(
                    creation,
                    &Callback {
                        new_account_id,
                        caller,
                        deposit,
                    },
                );
            }
            Err(refusal) => {
                refusal.log();
                send(&caller, deposit);
                answer(None);
            }
        }
    }

    /// The callback of [`Self::create_account_and_register_user`]: confirms or releases the reservation.
    #[private]
    pub fn on_account_created(
        &mut self,
        new_account_id: AccountId,
        caller: AccountId,
        deposit: NearToken,
    ) {
        let Some(mut account) = storage::account(&new_account_id) else {
            env::panic_str("no reservation");
        };
        // An account's creation answers nothing.
        if env::promise_result_checked(0, 0).is_ok() {
            account.status = Status::Registered;
            storage::set_account(&new_account_id, account.clone());
            answer(account.authenticators.first());
        } else {
            Refusal::AccountNotCreated.log();
            for authenticator in &account.authenticators {
                release(&new_account_id, &authenticator.credential_id);
            }
            send(&caller, deposit);
            answer(None);
        }
    }

    /// Checks a registration without making it: the one of a new account, or the next device of one that exists.
    ///
    /// The reason of `verified: false` is in the log.
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
            credential: &webauthn_registration,
            options: authenticator_options.unwrap_or_default(),
        };
        let checked = account.ok_or(Refusal::NotAnAccountId).and_then(|account| {
            registration.check_next_device(&self.vrf_settings, &account, record)
        });
        if let Err(refusal) = &checked {
            refusal.log();
        }
        CheckResult {
            verified: checked.is_ok(),
            user_exists,
        }
    }

    /// The cost of the largest record that a registration may store, in yoctoNEAR: what to attach on top of the
    /// balance that the new account shall have at least. What is not needed goes to the account.
    pub fn get_registration_cost(&self) -> NearToken {
        largest_record_cost()
    }
}

/// A registration as it was sent.
struct Registration<'a> {
    vrf_data: &'a VrfData,
    credential: &'a WebAuthnRegistration,
    options: AuthenticatorOptions,
}

/// A registration that passed every check of its proof and its credential.
struct Accepted {
    credential: VerifiedRegistration,
    transports: Vec<String>,
    rp_id: RpId,
    origin_policy: OriginPolicy,
    user_verification: UserVerification,
    bootstrap_key: [u8; 32],
}

impl Registration<'_> {
    /// Checks the proof against account and intents, then the credential against the proof's challenge.
    fn verify(
        &self,
        settings: &VrfSettings,
        account: &AccountIdRef,
        intents: &[IntentDigest],
    ) -> Result<Accepted, Refusal> {
        let claim = self
            .vrf_data
            .verify(settings, account.as_str(), Intent::OneOf(intents))?;
        let place = Place::read(&self.credential.response.client_data_json)?;
        let policy = self
            .options
            .origin_policy
            .clone()
            .unwrap_or_default()
            .resolve(&place.origin)?;
        let listed = place.look_up(&policy, &claim);
        let credential = verify_registration(
            self.credential,
            &listed.expectations(&policy, &claim),
            &HostVerifier,
        )?;
        if storage::credential_owner(&credential.credential_id).is_some() {
            return Err(Refusal::CredentialTaken);
        }
        Ok(Accepted {
            credential,
            transports: self
                .credential
                .response
                .transports
                .clone()
                .unwrap_or_default(),
            rp_id: claim.rp_id,
            origin_policy: policy,
            user_verification: self.options.user_verification.unwrap_or_default(),
            bootstrap_key: claim.public_key,
        })
    }

    /// Checks the registration as the account's next device: the first by the relay or by an account that joins,
    /// later ones by the account itself.
    fn check_next_device(
        &self,
        settings: &VrfSettings,
        account: &AccountIdRef,
        record: Option<Account>,
    ) -> Result<(), Refusal> {
        if account.len() > MAX_ACCOUNT_ID {
            return Err(Refusal::AccountIdTooLong(MAX_ACCOUNT_ID));
        }
        let next_device = match &record {
            None => 1,
            Some(record) => record.next_device_number(settings)?,
        };
        let intents = [
            register_digest(account.as_str()),
            device2_register_digest(account.as_str(), next_device),
        ];
        self.verify(settings, account, &intents).map(drop)
    }
}

impl Accepted {
    fn into_authenticator(
        self,
        deterministic_key: [u8; 32],
        device_number: u8,
        near_public_key: PublicKey,
    ) -> Authenticator {
        Authenticator {
            credential_id: self.credential.credential_id,
            credential_public_key: self.credential.public_key_cose,
            transports: self.transports,
            registered_ms: env::block_timestamp_ms(),
            rp_id: self.rp_id.as_str().to_owned(),
            origin_policy: self.origin_policy,
            user_verification: self.user_verification,
            vrf_public_keys: [self.bootstrap_key, deterministic_key],
            device_number,
            near_public_key,
        }
    }
}

/// The arguments of [`Registry::on_account_created`].
#[derive(Serialize)]
struct Callback {
    new_account_id: AccountId,
    caller: AccountId,
    deposit: NearToken,
}

/// What must hold of a new account whatever its credential is.
fn check_new_account(account: &AccountIdRef, key: &PublicKey) -> Result<(), Refusal> {
    if account.len() > MAX_ACCOUNT_ID {
        Err(Refusal::AccountIdTooLong(MAX_ACCOUNT_ID))
    } else if !account.is_sub_account_of(&env::current_account_id()) {
        Err(Refusal::NotASubAccount)
    } else if key.curve_type() != CurveType::ED25519 {
        Err(Refusal::NotAnEd25519Key)
    } else if storage::account(account).is_some() {
        Err(Refusal::AccountTaken)
    } else {
        Ok(())
    }
}

/// Stores the record as reserved and tells what its storage costs. Stores nothing when that is refused.
fn reserve(
    account: &AccountIdRef,
    authenticator: Authenticator,
    deposit: NearToken,
) -> Result<NearToken, Refusal> {
    if authenticator.stored_bytes() > MAX_AUTHENTICATOR_BYTES {
        return Err(Refusal::RecordTooLarge(MAX_AUTHENTICATOR_BYTES));
    }
    let before = env::storage_usage();
    let credential_id = authenticator.credential_id.clone();
    storage::set_credential_owner(&credential_id, account);
    let record = Account {
        status: Status::Reserved,
        device_counter: 1,
        authenticators: vec![authenticator],
    };
    storage::set_account(account, record);
    let added = u128::from(env::storage_usage().saturating_sub(before));
    let cost = env::storage_byte_cost().saturating_mul(added);
    if deposit < cost {
        release(account, &credential_id);
        return Err(Refusal::DepositTooSmall {
            needed: cost.as_yoctonear(),
        });
    }
    Ok(cost)
}

fn release(account: &AccountIdRef, credential_id: &[u8]) {
    storage::remove_account(account);
    storage::remove_credential(credential_id);
}

// Promises are made by `env` alone: the SDK's builder imports every batch action there is, and a network that
// knows one of them not would refuse every call of this contract.

fn create_account(account: &AccountId, balance: NearToken, key: &PublicKey) -> PromiseIndex {
    let promise = env::promise_batch_create(account);
    env::promise_batch_action_create_account(promise);
    env::promise_batch_action_transfer(promise, balance);
    env::promise_batch_action_add_key_with_full_access(promise, key, 0);
    promise
}

/// Lets the callback follow `promise`, and its answer be the answer of this call.
fn call_back(promise: PromiseIndex, arguments: &Callback) {
    let arguments = json(arguments);
    let callback = env::promise_batch_then(promise, &env::current_account_id());
    let method = "on_account_created";
    env::promise_batch_action_function_call(
        callback,
        method,
        &arguments,
        NearToken::ZERO,
        CALLBACK_GAS,
    );
    env::promise_return(callback);
}

fn send(receiver: &AccountId, amount: NearToken) {
    if !amount.is_zero() {
        env::promise_batch_action_transfer(env::promise_batch_create(receiver), amount);
    }
}

/// Answers what was recorded, or that the registration was refused.
fn answer(recorded: Option<&Authenticator>) {
    env::value_return(json(&RegistrationResult {
        verified: recorded.is_some(),
        registration_info: recorded.map(|authenticator| RegistrationInfo {
            credential_id: authenticator.id_text(),
            credential_public_key: Bytes(authenticator.credential_public_key.clone()),
        }),
    }));
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_else(|_| env::panic_str("Failed to serialize to JSON."))
}
