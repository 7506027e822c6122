//! Reads the state.

use std::collections::BTreeMap;

use near_crypto::PublicKey;
use near_primitives::types::{AccountId, Nonce};
use near_primitives::views::{AccessKeyView, AccountView, CallResult};

use super::Chain;
use crate::block::Block;
use crate::errors::ViewError;
use crate::ledger::Ledger;
use crate::runtime::{BlockContext, ViewCallError, call_view, gas_key_nonces};
use crate::state::StateUpdate;

impl Chain {
    /// Calls a view method at the head.
    pub fn view_call(
        &self,
        contract: &AccountId,
        method: &str,
        args: &[u8],
    ) -> Result<CallResult, ViewError> {
        let ledger = self.ledger();
        let head = ledger.head.clone();
        view_call_at(&ledger, &head, contract, method, args)
    }

    /// An account at the head.
    pub fn view_account(&self, id: &AccountId) -> Result<AccountView, ViewError> {
        let ledger = self.ledger();
        let account = StateUpdate::new(&ledger.state)
            .account(id)?
            .ok_or(ViewError::UnknownAccount)?;
        Ok(account.into())
    }

    /// An access key at the head.
    pub fn view_access_key(
        &self,
        id: &AccountId,
        public_key: &PublicKey,
    ) -> Result<AccessKeyView, ViewError> {
        let ledger = self.ledger();
        let state = StateUpdate::new(&ledger.state);
        state.account(id)?.ok_or(ViewError::UnknownAccount)?;
        let access_key = state
            .access_key(id, public_key)?
            .ok_or(ViewError::UnknownAccessKey)?;
        Ok(access_key.into())
    }

    /// The nonces of a gas key's lanes at the head.
    pub fn view_gas_key_nonces(
        &self,
        id: &AccountId,
        public_key: &PublicKey,
    ) -> Result<Vec<Nonce>, ViewError> {
        let ledger = self.ledger();
        let state = StateUpdate::new(&ledger.state);
        state.account(id)?.ok_or(ViewError::UnknownAccount)?;
        gas_key_nonces(&state, id, public_key)?.ok_or(ViewError::UnknownAccessKey)
    }

    /// The whole state, from trie key to value, so that tests can compare before and after.
    #[must_use]
    pub fn state_root_dump(&self) -> BTreeMap<Vec<u8>, Vec<u8>> {
        self.ledger()
            .state
            .iter()
            .map(|(key, value)| (key.clone(), value.to_vec()))
            .collect()
    }
}

pub(crate) fn view_call_at(
    ledger: &Ledger,
    block: &Block,
    contract: &AccountId,
    method: &str,
    args: &[u8],
) -> Result<CallResult, ViewError> {
    let mut state = ledger
        .state_at(block.height)
        .ok_or(ViewError::ForgottenState)?;
    let context = BlockContext {
        rules: &ledger.rules,
        height: block.height,
        timestamp_nanos: block.timestamp_nanos,
        epoch_height: 1,
        random_value: block.random_value,
        gas_price: block.gas_price,
    };
    call_view(&context, &mut state, contract, method, args).map_err(|error| match error {
        ViewCallError::UnknownAccount => ViewError::UnknownAccount,
        ViewCallError::Contract {
            error,
            vm_error,
            logs,
        } => ViewError::Contract {
            error: Box::new(error),
            vm_error,
            logs,
        },
        ViewCallError::Fault(error) => error.into(),
    })
}
