//! Checks the registration of an account's next device and records it against a deposit.
//!
//! A passkey that is made for the registration comes with its attestation. An existing one answers with an assertion;
//! the account says which public key it has.

use latchkey_intent::IntentDigest;
use latchkey_webauthn::{
    Expectations, OriginPolicy, RpId, UserVerification, WebAuthnAuthentication, WebAuthnError,
    WebAuthnRegistration, check_transports, verify_authentication, verify_registration,
};
use near_sdk::{AccountIdRef, NearToken, PublicKey, env};
use serde::{Deserialize, Serialize};

use crate::bytes::Bytes;
use crate::ceremony::Place;
use crate::dialect::{self, OriginPolicyOption};
use crate::host_verifier::HostVerifier;
use crate::record::{Account, Authenticator, MAX_AUTHENTICATOR_BYTES, MAX_NAME, link_bytes};
use crate::refusal::Refusal;
use crate::settings::VrfSettings;
use crate::storage;
use crate::vrf_data::{Intent, VrfData};

/// How the credential may be used.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuthenticatorOptions {
    /// The wallet's preference, stored for its own later ceremonies.
    #[serde(default)]
    pub user_verification: Option<UserVerification>,
    /// Which origins may use the credential.
    #[serde(default)]
    pub origin_policy: Option<OriginPolicyOption>,
}

/// The answer of a registration.
#[derive(Debug, Serialize)]
pub struct RegistrationResult {
    /// Whether the account exists and the authenticator is recorded.
    pub verified: bool,
    /// The recorded authenticator.
    pub registration_info: Option<RegistrationInfo>,
}

/// The authenticator that a registration recorded.
#[derive(Debug, Serialize)]
pub struct RegistrationInfo {
    /// The credential id, base64url text.
    pub credential_id: String,
    /// The public key, COSE, as an array of numbers.
    pub credential_public_key: Bytes,
}

impl RegistrationResult {
    /// The answer for a recorded authenticator.
    pub(crate) fn recorded(authenticator: &Authenticator) -> Self {
        let registration_info = RegistrationInfo {
            credential_id: authenticator.id_text(),
            credential_public_key: Bytes(authenticator.credential_public_key.clone()),
        };
        Self {
            verified: true,
            registration_info: Some(registration_info),
        }
    }

    /// The answer for a refusal. Logs the reason.
    pub(crate) fn refused(reason: &Refusal) -> Self {
        reason.log();
        Self {
            verified: false,
            registration_info: None,
        }
    }
}

/// A registration as sent.
pub(crate) struct Registration<'a> {
    pub(crate) vrf_data: &'a VrfData,
    pub(crate) credential: Credential<'a>,
    pub(crate) options: AuthenticatorOptions,
}

/// What the passkey of a registration sent.
#[derive(Clone, Copy)]
pub(crate) enum Credential<'a> {
    /// A new passkey's attestation.
    New(&'a WebAuthnRegistration),
    /// An existing passkey's assertion, and what only an attestation would carry.
    #[cfg_attr(
        feature = "deployed-dialect",
        expect(dead_code, reason = "the other registry has no such method")
    )]
    Existing {
        assertion: &'a WebAuthnAuthentication,
        public_key_cose: &'a [u8],
        transports: &'a [String],
    },
}

/// A registration that passed every check of its proof and its credential.
pub(crate) struct Accepted {
    credential_id: Vec<u8>,
    public_key_cose: Vec<u8>,
    transports: Vec<String>,
    rp_id: RpId,
    origin_policy: OriginPolicy,
    user_verification: UserVerification,
    bootstrap_key: [u8; 32],
}

impl Registration<'_> {
    /// Checks the proof against account and intents, then the credential against the proof's challenge.
    pub(crate) fn verify(
        &self,
        settings: &VrfSettings,
        account: &AccountIdRef,
        intents: &[IntentDigest],
    ) -> Result<Accepted, Refusal> {
        self.check_name(account)?;
        let intent = if dialect::SPOKEN {
            Intent::Any
        } else {
            Intent::OneOf(intents)
        };
        let claim = self.vrf_data.verify(settings, account.as_str(), intent)?;
        let place = Place::read(self.credential.client_data_json())?;
        let policy = self
            .options
            .origin_policy
            .clone()
            .unwrap_or_default()
            .resolve(&place.origin)?;
        let listed = place.look_up(&policy, &claim);
        let (credential_id, public_key_cose) = self
            .credential
            .verify(&listed.expectations(&policy, &claim))?;
        let is_held = |held: Account| {
            held.authenticators
                .iter()
                .any(|held| held.credential_id == credential_id)
        };
        if storage::account(account).is_some_and(is_held) {
            return Err(Refusal::CredentialTaken);
        }
        Ok(Accepted {
            credential_id,
            public_key_cose,
            transports: self.credential.transports().to_vec(),
            rp_id: claim.rp_id,
            origin_policy: policy,
            user_verification: self.options.user_verification.unwrap_or_default(),
            bootstrap_key: claim.public_key,
        })
    }

    /// A new passkey of a named account has the name in its user handle of 64 bytes. No other handle has one.
    fn check_name(&self, account: &AccountIdRef) -> Result<(), Refusal> {
        let has_name_in_handle = matches!(self.credential, Credential::New(_))
            && !account.get_account_type().is_implicit();
        if has_name_in_handle && account.len() > MAX_NAME {
            return Err(Refusal::AccountIdTooLong(MAX_NAME));
        }
        Ok(())
    }
}

impl Credential<'_> {
    fn client_data_json(&self) -> &[u8] {
        match self {
            Self::New(registration) => &registration.response.client_data_json,
            Self::Existing { assertion, .. } => &assertion.response.client_data_json,
        }
    }

    fn transports(&self) -> &[String] {
        match self {
            Self::New(registration) => registration
                .response
                .transports
                .as_deref()
                .unwrap_or_default(),
            Self::Existing { transports, .. } => transports,
        }
    }

    /// Checks the credential in full. Returns its id and its public key, COSE.
    fn verify(&self, expected: &Expectations<'_>) -> Result<(Vec<u8>, Vec<u8>), WebAuthnError> {
        match *self {
            Self::New(registration) => {
                let verified = verify_registration(registration, expected, &HostVerifier)?;
                Ok((verified.credential_id, verified.public_key_cose))
            }
            Self::Existing {
                assertion,
                public_key_cose,
                transports,
            } => {
                check_transports(transports)?;
                let verified =
                    verify_authentication(assertion, expected, public_key_cose, &HostVerifier)?;
                Ok((verified.credential_id, public_key_cose.to_vec()))
            }
        }
    }
}

impl Accepted {
    pub(crate) fn into_authenticator(
        self,
        deterministic_key: [u8; 32],
        device_number: u8,
        near_public_key: PublicKey,
    ) -> Authenticator {
        Authenticator {
            credential_id: self.credential_id,
            credential_public_key: self.public_key_cose,
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

/// Records an authenticator as the latest device of `account` and returns the storage cost, which for
/// the account's first record includes one link. `before` is the stored record; it is restored if the
/// deposit is too small.
pub(crate) fn record(
    account_id: &AccountIdRef,
    before: Option<Account>,
    mut account: Account,
    authenticator: Authenticator,
    deposit: NearToken,
) -> Result<NearToken, Refusal> {
    if authenticator.stored_bytes() > MAX_AUTHENTICATOR_BYTES {
        return Err(Refusal::RecordTooLarge(MAX_AUTHENTICATOR_BYTES));
    }
    let prepaid = match before {
        Some(_) => 0,
        None => link_bytes(account_id.len()) as u64,
    };
    let used = env::storage_usage();
    account.device_counter = authenticator.device_number;
    account.authenticators.push(authenticator);
    storage::set_account(account_id, account);

    let stored = env::storage_usage().saturating_sub(used);
    let cost = if dialect::SPOKEN {
        NearToken::ZERO
    } else {
        storage::cost(stored.saturating_add(prepaid))
    };
    if deposit < cost {
        match before {
            Some(account) => storage::set_account(account_id, account),
            None => storage::remove_account(account_id),
        }
        return Err(Refusal::DepositTooSmall {
            needed: cost.as_yoctonear(),
        });
    }
    Ok(cost)
}
