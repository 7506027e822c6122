//! Every failure of the signer, and how it is thrown.

use latchkey_intent::approval::ApprovalError;
use latchkey_js_values::{Mismatch, Unwritable, thrown};
use latchkey_key_derivation::{PrfError, PrivateKeyError, SealError};
use latchkey_near_transaction::TransactionError;
use latchkey_nep413::Nep413Error;
use latchkey_vrf::ChallengeError;
use latchkey_webauthn::WebAuthnError;
use wasm_bindgen::JsValue;

/// Every failure of the signer.
#[derive(Debug, thiserror::Error)]
pub enum SignerError {
    /// An argument or one of its fields has the wrong shape.
    #[error(transparent)]
    InvalidInput(#[from] Mismatch),
    /// There is not one height for each delegate.
    #[error("delegateMaxHeights must be one height for each transaction")]
    HeightCount,
    /// A PRF output is missing or weak.
    #[error(transparent)]
    Prf(#[from] PrfError),
    /// A key cannot be encrypted or decrypted.
    #[error("Private key decryption failed: {0}")]
    Seal(#[from] SealError),
    /// A private key is not valid.
    #[error(transparent)]
    PrivateKey(#[from] PrivateKeyError),
    /// A transaction is not valid.
    #[error(transparent)]
    Transaction(#[from] TransactionError),
    /// A message is not valid.
    #[error(transparent)]
    Message(#[from] Nep413Error),
    /// The approval was made for something else.
    #[error(transparent)]
    Approval(#[from] ApprovalError),
    /// A VRF challenge is malformed.
    #[error("VRF challenge: {0}")]
    Challenge(#[from] ChallengeError),
    /// A credential is not valid.
    #[error(transparent)]
    WebAuthn(#[from] WebAuthnError),
    /// The decrypted private key is not the one of the public key.
    #[error("the decrypted private key does not belong to this public key")]
    KeyMismatch,
    /// Nothing of this kind was prepared under this handle, or it was released.
    #[error("unknown handle: call prepareTransactions or prepareNep413 first")]
    UnknownHandle,
    /// An account without a name is approved only with the authenticator's data.
    #[error("answered must be given for an account without a name")]
    NothingAnswered,
    /// Nothing was approved under this handle.
    #[error("not approved yet: call approve first")]
    NotApproved,
    /// A handle can be approved only once.
    #[error("approved already")]
    AlreadyApproved,
    /// A result cannot become a JavaScript value.
    #[error(transparent)]
    Unwritable(#[from] Unwritable),
}

impl SignerError {
    /// The code that TypeScript matches on.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidInput(_) | Self::HeightCount | Self::NothingAnswered => "INVALID_INPUT",
            Self::Prf(PrfError::InvalidPrfLength) => "INVALID_PRF_LENGTH",
            Self::Prf(PrfError::WeakPrfOutput) => "WEAK_PRF_OUTPUT",
            Self::Seal(SealError::NoRandomness) => "NO_RANDOMNESS",
            Self::Seal(SealError::EncryptionFailed) => "ENCRYPTION_FAILED",
            Self::Seal(SealError::DecryptionFailed) => "DECRYPTION_FAILED",
            Self::Seal(SealError::MalformedCiphertext) => "MALFORMED_CIPHERTEXT",
            Self::Seal(SealError::PrivateKey(error)) | Self::PrivateKey(error) => match error {
                PrivateKeyError::InvalidPrivateKey => "INVALID_PRIVATE_KEY",
                PrivateKeyError::PrivateKeyMismatch => "PRIVATE_KEY_MISMATCH",
            },
            Self::Transaction(error) => match error {
                TransactionError::MissingField { .. } => "MISSING_FIELD",
                TransactionError::InvalidArgs => "INVALID_ARGS",
                TransactionError::UnsupportedActionType => "UNSUPPORTED_ACTION_TYPE",
                TransactionError::NoTransactions => "NO_TRANSACTIONS",
                TransactionError::MissingReceiver => "MISSING_RECEIVER",
                TransactionError::InvalidNumber { .. } => "INVALID_NUMBER",
                TransactionError::InvalidPublicKey | TransactionError::InvalidHandle => {
                    "INVALID_PUBLIC_KEY"
                }
                TransactionError::InvalidAccountId { .. } => "INVALID_ACCOUNT_ID",
                TransactionError::InvalidBlockHash => "INVALID_BLOCK_HASH",
                TransactionError::InvalidCodeHash => "INVALID_CODE_HASH",
                TransactionError::UnsortedState | TransactionError::UnsortedKeys => {
                    "UNSORTED_STATE"
                }
                TransactionError::StateWithKeys => "INVALID_INPUT",
                TransactionError::InvalidLaneCount => "INVALID_LANE_COUNT",
                TransactionError::GasKeyAllowance => "GAS_KEY_ALLOWANCE",
                TransactionError::DelegateVersion => "DELEGATE_VERSION",
                TransactionError::NonceCount => "NONCE_COUNT",
                TransactionError::KeyMismatch => "KEY_MISMATCH",
                TransactionError::Unencodable => "UNENCODABLE",
                TransactionError::Undecodable => "UNDECODABLE",
            },
            Self::Message(error) => match error {
                Nep413Error::InvalidNonce => "INVALID_NONCE",
                Nep413Error::MissingRecipient => "MISSING_RECIPIENT",
                Nep413Error::UnencodableMessage => "UNENCODABLE_MESSAGE",
                Nep413Error::UndecodableMessage => "UNDECODABLE_MESSAGE",
            },
            Self::Approval(ApprovalError::IntentDigestMismatch(_)) => "INTENT_DIGEST_MISMATCH",
            Self::Approval(ApprovalError::Challenge(_)) | Self::Challenge(_) => "INVALID_CHALLENGE",
            Self::Approval(ApprovalError::ClientData(_)) => "INVALID_CLIENT_DATA",
            Self::Approval(ApprovalError::AuthenticatorData(_)) => "INVALID_AUTHENTICATOR_DATA",
            Self::WebAuthn(_) => "INVALID_CREDENTIAL",
            Self::KeyMismatch => "KEY_MISMATCH",
            Self::UnknownHandle => "UNKNOWN_HANDLE",
            Self::NotApproved => "NOT_APPROVED",
            Self::AlreadyApproved => "ALREADY_APPROVED",
            Self::Unwritable(_) => "UNWRITABLE",
        }
    }
}

impl From<SignerError> for JsValue {
    fn from(error: SignerError) -> Self {
        thrown(&error, error.code())
    }
}
