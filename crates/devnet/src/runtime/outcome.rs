//! The receipt in execution, the combined result of its actions, and why an action failed.

use std::sync::Arc;

use near_primitives::account::Account;
use near_primitives::errors::{ActionError, ActionErrorKind, IntegerOverflowError};
use near_primitives::receipt::{Receipt, VersionedActionReceipt};
use near_primitives::types::{AccountId, Balance, Gas};
use near_vm_runner::logic::ReturnData;
use near_vm_runner::logic::types::PromiseResult;

use super::{BlockContext, RuntimeError};

/// Why an action failed: a rule of the chain, or a failure of the chain itself.
#[derive(Debug)]
pub(crate) enum ActionFailure {
    Rule(Box<ActionError>),
    Fault(RuntimeError),
}

impl From<ActionErrorKind> for ActionFailure {
    fn from(kind: ActionErrorKind) -> Self {
        Self::Rule(Box::new(kind.into()))
    }
}

impl From<RuntimeError> for ActionFailure {
    fn from(error: RuntimeError) -> Self {
        Self::Fault(error)
    }
}

impl From<IntegerOverflowError> for ActionFailure {
    fn from(error: IntegerOverflowError) -> Self {
        Self::Fault(error.into())
    }
}

/// The combined result of one receipt's actions.
#[derive(Default)]
pub(crate) struct ActionResult {
    pub(crate) gas_burnt: Gas,
    pub(crate) gas_used: Gas,
    pub(crate) gas_burnt_for_function_call: Gas,
    pub(crate) compute_usage: u64,
    pub(crate) return_data: Option<ReturnData>,
    pub(crate) logs: Vec<String>,
    pub(crate) new_receipts: Vec<Receipt>,
    pub(crate) profile: Box<near_vm_runner::ProfileDataV3>,
    pub(crate) created_account: bool,
    /// What actions burn in addition to gas: the storage of global contracts, the balances of deleted gas
    /// keys.
    pub(crate) tokens_burnt: Balance,
    /// Balance minted for a one-yocto deposit that a contract attaches without having it.
    pub(crate) subsidized: Balance,
}

/// One receipt while its actions run.
pub(crate) struct Execution<'a> {
    pub(crate) block: &'a BlockContext<'a>,
    pub(crate) receipt: &'a Receipt,
    pub(crate) actions: &'a VersionedActionReceipt<'a>,
    pub(crate) promise_results: Arc<[PromiseResult]>,
    pub(crate) account: Option<Account>,
    pub(crate) actor_id: AccountId,
}

impl Execution<'_> {
    pub(crate) fn account_id(&self) -> &AccountId {
        self.receipt.receiver_id()
    }

    pub(crate) fn is_refund(&self) -> bool {
        self.receipt.predecessor_id().is_system()
    }

    pub(crate) fn existing(&mut self) -> Result<&mut Account, ActionFailure> {
        let account_id = self.receipt.receiver_id();
        self.account.as_mut().ok_or_else(|| {
            ActionErrorKind::AccountDoesNotExist {
                account_id: account_id.clone(),
            }
            .into()
        })
    }
}
