//! Accounts that a transfer creates, because their id says what they begin with.

use near_crypto::PublicKey;
use near_primitives::account::id::AccountType;
use near_primitives::account::{AccessKey, Account, AccountContract};
use near_primitives::hash::CryptoHash;
use near_primitives::types::{AccountId, Balance};

use super::{
    BlockContext, RuntimeError, access_keys, deterministic_accounts, initial_nonce,
    universal_accounts,
};
use crate::state::StateUpdate;

/// The hash of the global contract that accounts of Ethereum's form run on testnet, up to protocol 88
/// (nearcore, `eth_wallet_global_contract_hash`): 3PpYvRxBfC5BkZxTw8ZFG3D52w1ZRhvDDWirKoxphMDn.
const ETH_WALLET_CONTRACT: CryptoHash = CryptoHash([
    0x23, 0x8f, 0xea, 0xc1, 0xf8, 0x6c, 0xc9, 0xf9, 0xf4, 0x00, 0x3e, 0x3f, 0x6d, 0x5a, 0xeb, 0xc0,
    0x4e, 0xae, 0xa9, 0xc3, 0x94, 0x03, 0x2b, 0xd2, 0x94, 0x70, 0xe9, 0x60, 0x9b, 0x67, 0xf6, 0xc5,
]);

/// Whether a transfer, `alone` in its receipt or not, creates an account of this kind.
pub(crate) fn is_created_by_transfer(kind: AccountType, alone: bool) -> bool {
    match kind {
        AccountType::NamedAccount => false,
        AccountType::NearImplicitAccount
        | AccountType::EthImplicitAccount
        | AccountType::NearDeterministicAccount => alone,
        // Nobody can act as it but by the keys that its id commits to.
        AccountType::UniversalAccount => true,
    }
}

/// The account that a transfer of `balance` creates.
pub(crate) fn create(
    block: &BlockContext<'_>,
    state: &mut StateUpdate<'_>,
    account_id: &AccountId,
    balance: Balance,
) -> Result<Account, RuntimeError> {
    let rules = block.rules;
    let fees = &rules.config.fees;
    let bytes = fees.storage_usage_config.num_bytes_account;
    match rules.account_type(account_id) {
        // Its id is an ed25519 key, in hexadecimal.
        AccountType::NearImplicitAccount => {
            let public_key = PublicKey::from_near_implicit_account(account_id)
                .map_err(|_| RuntimeError::Corrupt("not an implicit account".to_owned()))?;
            let access_key = AccessKey {
                nonce: initial_nonce(block.height),
                ..AccessKey::full_access()
            };
            let bytes = bytes + access_keys::storage_usage(fees, &public_key, &access_key)?;
            state.set_access_key(account_id, &public_key, &access_key)?;
            let contract = AccountContract::None;
            Ok(Account::new(balance, Balance::ZERO, contract, bytes))
        }
        // Its id is the hash of a secp256k1 key, whose signatures its contract checks.
        AccountType::EthImplicitAccount => {
            let contract = AccountContract::Global(ETH_WALLET_CONTRACT);
            let bytes = bytes + contract.identifier_storage_usage();
            Ok(Account::new(balance, Balance::ZERO, contract, bytes))
        }
        AccountType::NearDeterministicAccount => {
            Ok(deterministic_accounts::empty_account(rules, balance))
        }
        AccountType::UniversalAccount => Ok(universal_accounts::uninitialised(block, balance)),
        AccountType::NamedAccount => Err(RuntimeError::Corrupt(
            "a transfer creates no account with a name".to_owned(),
        )),
    }
}
