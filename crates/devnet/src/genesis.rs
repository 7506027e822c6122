//! The accounts a fresh chain starts with.

use std::path::PathBuf;

use near_crypto::{ED25519SecretKey, SecretKey};
use near_primitives::hash::hash;
use near_primitives::types::{AccountId, Balance, BlockHeight};

/// The account that holds the registry contract.
pub const REGISTRY: &str = "w3a-v1.testnet";

/// The height of the first block. A key's nonces start at height × 10^6, so this leaves them far
/// below what JavaScript's numbers hold exactly, and looks like the public networks' heights.
pub const GENESIS_HEIGHT: BlockHeight = 100_000_000;

/// The accounts and the contract of a fresh chain.
#[derive(Debug, Clone)]
pub struct Genesis {
    /// Accounts with their balances, each with a full-access key from [`development_key`].
    pub accounts: Vec<(AccountId, Balance)>,
    /// The registry contract, deployed to [`REGISTRY`] and initialised; `None` leaves it out.
    pub registry: Option<RegistryGenesis>,
}

/// How the registry contract gets onto a fresh chain.
#[derive(Debug, Clone)]
pub struct RegistryGenesis {
    /// The built contract.
    pub wasm: PathBuf,
    /// `max_block_age` of its `init`; `None` leaves the contract's own default.
    pub max_block_age: Option<u64>,
}

impl Default for Genesis {
    /// `testnet`, `w3a-v1.testnet` and `relayer.testnet`, without the registry's contract.
    fn default() -> Self {
        let accounts = [("testnet", 1_000_000_000), (REGISTRY, 1_000), ("relayer.testnet", 1_000_000)];
        Self {
            accounts: accounts
                .into_iter()
                .filter_map(|(id, near)| Some((id.parse().ok()?, Balance::from_near(near))))
                .collect(),
            registry: None,
        }
    }
}

impl Genesis {
    /// Adds an account, or sets the balance of one that is already there.
    #[must_use]
    pub fn with_account(mut self, id: AccountId, balance: Balance) -> Self {
        self.accounts.retain(|(known, _)| *known != id);
        self.accounts.push((id, balance));
        self
    }
}

/// The development key of an account: ed25519 with the seed SHA-256("latchkey-devnet:" + account id).
///
/// Anyone can compute it. It protects nothing and is for local chains only.
#[must_use]
pub fn development_key(account_id: &str) -> SecretKey {
    let seed = hash(format!("latchkey-devnet:{account_id}").as_bytes()).0;
    let keypair = ed25519_dalek::SigningKey::from_bytes(&seed).to_keypair_bytes();
    SecretKey::ED25519(ED25519SecretKey(keypair))
}
