//! Every failure of the VRF worker as a JavaScript error.

use latchkey_js_values::{Mismatch, Unwritable, thrown};
use latchkey_key_derivation::{PrfError, SealError};
use latchkey_shamir3pass::ShamirError;
use latchkey_vrf::{ChallengeError, VrfError};
use wasm_bindgen::JsValue;

/// Every failure of the VRF worker.
#[derive(Debug, thiserror::Error)]
pub enum VrfWorkerError {
    /// An argument or one of its fields has the wrong shape.
    #[error(transparent)]
    InvalidInput(#[from] Mismatch),
    /// An account id is empty.
    #[error("accountId is empty")]
    AccountIdMissing,
    /// A PRF output is missing or weak.
    #[error(transparent)]
    Prf(#[from] PrfError),
    /// The keypair cannot be encrypted or decrypted.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// A key, or a request for a challenge, is malformed.
    #[error(transparent)]
    Vrf(#[from] VrfError),
    /// The server lock failed.
    #[error(transparent)]
    Shamir(#[from] ShamirError),
    /// The bytes of a stored keypair are not base64url or have the wrong length.
    #[error("the encrypted VRF keypair is malformed")]
    MalformedCiphertext,
    /// A wrap without a keypair in memory.
    #[error("No VRF keypair in memory - please generate keypair first")]
    NoKeypair,
    /// A proof without a keypair in memory.
    #[error("VRF keypair not unlocked - please login first")]
    NotUnlocked,
    /// The server did not name the key it locked with.
    #[error("Server did not return keyId from apply-server-lock")]
    KeyIdMissing,
    /// The second half of a lock operation came without the first.
    #[error("no lock operation is under way: call lockWrapStart or lockUnwrapStart first")]
    NotStarted,
    /// A result cannot become a JavaScript value.
    #[error(transparent)]
    Unwritable(#[from] Unwritable),
    /// Making a challenge failed.
    #[error("VRF challenge generation failed: {0}")]
    Challenge(#[source] Box<Self>),
    /// Making the bootstrap keypair failed.
    #[error("VRF bootstrap keypair generation failed: {0}")]
    Bootstrap(#[source] Box<Self>),
    /// Deriving the keypair failed.
    #[error("VRF keypair derivation failed: {0}")]
    Derivation(#[source] Box<Self>),
    /// Wrapping the keypair under the server lock failed.
    #[error("VRF encrypt-current failed: {0}")]
    EncryptCurrent(#[source] Box<Self>),
}

impl VrfWorkerError {
    /// The code that TypeScript matches on: that of the innermost cause.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidInput(_) => "INVALID_INPUT",
            Self::AccountIdMissing => "ACCOUNT_ID_MISSING",
            Self::Prf(PrfError::InvalidPrfLength) => "INVALID_PRF_LENGTH",
            Self::Prf(PrfError::WeakPrfOutput) => "WEAK_PRF_OUTPUT",
            Self::Seal(SealError::NoRandomness) | Self::Vrf(VrfError::NoRandomness) => {
                "NO_RANDOMNESS"
            }
            Self::Seal(SealError::EncryptionFailed) => "ENCRYPTION_FAILED",
            Self::Seal(_) => "DECRYPTION_FAILED",
            Self::Vrf(VrfError::KeypairInvalid) => "KEYPAIR_INVALID",
            Self::Vrf(VrfError::ProofInvalid) => "PROOF_INVALID",
            Self::Vrf(VrfError::Challenge(error)) => match error {
                ChallengeError::UserIdMissing => "USER_ID_MISSING",
                ChallengeError::RpIdMissing => "RP_ID_MISSING",
                ChallengeError::BlockHeightInvalid => "BLOCK_HEIGHT_INVALID",
                ChallengeError::BlockHashInvalid => "BLOCK_HASH_INVALID",
                ChallengeError::DigestInvalid => "DIGEST_INVALID",
                ChallengeError::IntentDigestMissing => "INTENT_DIGEST_MISSING",
                ChallengeError::OutputInvalid => "OUTPUT_INVALID",
            },
            Self::Shamir(error) => error.code(),
            Self::MalformedCiphertext => "MALFORMED_CIPHERTEXT",
            Self::NoKeypair => "NO_KEYPAIR",
            Self::NotUnlocked => "NOT_UNLOCKED",
            Self::KeyIdMissing => "KEY_ID_MISSING",
            Self::NotStarted => "NOT_STARTED",
            Self::Unwritable(_) => "UNWRITABLE",
            Self::Challenge(cause)
            | Self::Bootstrap(cause)
            | Self::Derivation(cause)
            | Self::EncryptCurrent(cause) => cause.code(),
        }
    }
}

impl From<VrfWorkerError> for JsValue {
    fn from(error: VrfWorkerError) -> Self {
        thrown(&error, error.code())
    }
}
