//! Why a registration or an authentication was refused.

use latchkey_vrf::ClaimError;
use latchkey_webauthn::WebAuthnError;
use near_sdk::env;

/// A reason to answer `verified: false`. The contract logs its text for relay and operator.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("verification is switched off")]
    SwitchedOff,
    #[error("{field} must have {bytes} bytes")]
    WrongSize { field: &'static str, bytes: usize },
    #[error("vrf_data.intent_digest_32 is missing")]
    IntentMissing,
    #[error("the intent digest is not the one of this operation")]
    OtherIntent,
    #[error("vrf_data.user_id is not the account")]
    OtherUser,
    #[error("vrf_data.rp_id is not the one of the registered credential")]
    OtherRpId,
    #[error("vrf_data.block_height is too old: {height}, the chain is at {current}")]
    BlockTooOld { height: u64, current: u64 },
    #[error("vrf_data.block_height is in the future: {height}, the chain is at {current}")]
    BlockInFuture { height: u64, current: u64 },
    #[error(transparent)]
    Challenge(#[from] ClaimError),
    #[error("the VRF key is not registered with this credential")]
    UnknownVrfKey,
    #[error("the credential: {0}")]
    Credential(#[from] WebAuthnError),
    #[error("the credential is not registered for this account")]
    UnknownCredential,
    #[error("the credential is already registered")]
    CredentialTaken,
    #[error("vrf_data.user_id is not an account id")]
    NotAnAccountId,
    #[error("account ids must have at most {0} characters")]
    AccountIdTooLong(usize),
    #[error("the account must be a direct sub-account of this registry")]
    NotASubAccount,
    #[error("the account is already registered, or its registration is under way")]
    AccountTaken,
    #[error("the account holds the most authenticators allowed")]
    TooManyAuthenticators,
    #[error("the account has used up its 255 device numbers")]
    NoDeviceNumberLeft,
    #[error("new_public_key must be an ed25519 key")]
    NotAnEd25519Key,
    #[error("the account itself must sign the call to the registry")]
    NotCalledDirectly,
    #[error("the signer's key must be an ed25519 or secp256k1 key")]
    KeyTooLarge,
    #[error("the record is larger than {0} bytes")]
    RecordTooLarge(usize),
    #[error("the deposit does not cover the storage: {needed} yoctoNEAR needed")]
    DepositTooSmall { needed: u128 },
    #[error("the chain did not create the account")]
    AccountNotCreated,
}

impl Refusal {
    /// Logs the reason.
    pub(crate) fn log(&self) {
        env::log_str(&format!("refused: {self}"));
    }
}
