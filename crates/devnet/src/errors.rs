//! The errors of a chain.

use std::path::PathBuf;

use near_primitives::errors::{FunctionCallError, InvalidTxError};
use near_primitives::hash::CryptoHash;
use near_primitives::types::ProtocolVersion;
use near_primitives::version::{MIN_SUPPORTED_PROTOCOL_VERSION, PROTOCOL_VERSION};

use crate::network::NetworkSettingsError;
use crate::runtime::RuntimeError;
use crate::storage::StorageError;

/// Why a chain cannot be opened or cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum ChainError {
    /// This program does not know the protocol version.
    #[error(
        "protocol version {0} is not supported; choose {MIN_SUPPORTED_PROTOCOL_VERSION} to {PROTOCOL_VERSION}"
    )]
    ProtocolVersion(ProtocolVersion),
    /// The process limit is below the address space that the virtual machine reserves.
    #[error(
        "the virtual machine reserves 125 GiB of address space, and this process may have {0} GiB; lift the limit with ulimit -v unlimited"
    )]
    AddressSpace(u64),
    /// The data folder cannot be used.
    #[error("the data folder {folder} cannot be used: {reason}")]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        reason: String,
    },
    /// The first accounts or the registry could not be set up.
    #[error("the genesis cannot be built: {0}")]
    Genesis(String),
    /// The settings of the network are invalid.
    #[error(transparent)]
    Network(#[from] NetworkSettingsError),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The chain itself failed.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// A record could not be encoded.
    #[error("a record could not be encoded: {0}")]
    Encoding(#[from] std::io::Error),
}

/// Why a view failed.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// The account does not exist.
    #[error("the account does not exist")]
    UnknownAccount,
    /// The account has no such key.
    #[error("the access key does not exist")]
    UnknownAccessKey,
    /// The block does not exist, or the chain no longer keeps it.
    #[error("the block is not known")]
    UnknownBlock,
    /// The state of that block can no longer be rebuilt.
    #[error("the state of that block is no longer kept")]
    ForgottenState,
    /// The contract failed.
    #[error("{vm_error}")]
    Contract {
        /// The error as the chain reports it.
        error: Box<FunctionCallError>,
        /// The error in the words of a node.
        vm_error: String,
        /// What the contract logged before it failed.
        logs: Vec<String>,
    },
    /// The chain failed.
    #[error("{0}")]
    Internal(String),
}

impl From<StorageError> for ViewError {
    fn from(error: StorageError) -> Self {
        Self::Internal(error.to_string())
    }
}

impl From<RuntimeError> for ViewError {
    fn from(error: RuntimeError) -> Self {
        Self::Internal(error.to_string())
    }
}

/// Why `run` returned no outcome.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The chain refused the transaction.
    #[error(transparent)]
    Invalid(#[from] InvalidTxError),
    /// A receipt has still not run after 1,000 blocks.
    #[error("transaction {0} did not settle")]
    Unsettled(CryptoHash),
    /// The chain failed.
    #[error(transparent)]
    Chain(#[from] ChainError),
}

/// Why a transaction could not be built.
#[derive(Debug, thiserror::Error)]
pub enum SignError {
    /// An account id is malformed.
    #[error("an account id is malformed")]
    AccountId,
    /// The signer's nonce could not be read.
    #[error("the signer's key cannot be read: {0}")]
    View(#[from] ViewError),
}
