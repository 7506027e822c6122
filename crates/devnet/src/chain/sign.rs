//! Signs transactions as the chain's own tools need them.

use near_crypto::SecretKey;
use near_primitives::transaction::{Action, SignedTransaction, Transaction, TransactionV0};
use near_primitives::types::AccountId;

use super::Chain;
use crate::errors::SignError;

impl Chain {
    /// Builds and signs a transaction with the key's next nonce and the head's hash.
    pub fn sign(
        &self,
        signer_id: &str,
        secret_key: &SecretKey,
        receiver_id: &str,
        actions: Vec<Action>,
    ) -> Result<SignedTransaction, SignError> {
        let signer_id: AccountId = signer_id.parse().map_err(|_| SignError::AccountId)?;
        let receiver_id: AccountId = receiver_id.parse().map_err(|_| SignError::AccountId)?;
        let public_key = secret_key.public_key();
        let nonce = self.view_access_key(&signer_id, &public_key)?.nonce + 1;
        let block_hash = self.head().hash;
        Ok(sign_transaction(
            secret_key,
            Transaction::V0(TransactionV0 {
                signer_id,
                public_key,
                nonce,
                receiver_id,
                block_hash,
                actions,
            }),
        ))
    }
}

/// Signs a transaction.
#[must_use]
pub fn sign_transaction(secret_key: &SecretKey, transaction: Transaction) -> SignedTransaction {
    let (id, _) = transaction.get_hash_and_size();
    SignedTransaction::new(secret_key.sign(id.as_ref()), transaction)
}
