//! One block: transactions become receipts, receipts run, and what they make waits for the next.

use std::collections::VecDeque;
use std::sync::Arc;

use near_parameters::ActionCosts;
use near_primitives::errors::{InvalidTxError, TxExecutionError};
use near_primitives::hash::CryptoHash;
use near_primitives::profile_data_v3::ProfileDataV3;
use near_primitives::receipt::{
    DataReceipt, Receipt, ReceiptEnum, ReceiptV0, ReceivedData, VersionedActionReceipt, VersionedReceiptEnum,
};
use near_primitives::transaction::{
    ExecutionMetadata, ExecutionOutcome, ExecutionOutcomeWithId, ExecutionStatus, SignedTransaction,
};
use near_primitives::trie_key::TrieKey;
use near_primitives::types::{AccountId, Balance, Gas};
use near_primitives::utils::{create_receipt_id_from_receipt_id, create_receipt_id_from_transaction};
use near_vm_runner::logic::ReturnData;
use near_vm_runner::logic::types::PromiseResult;

use super::actions::{ActionFailure, ActionResult, Execution};
use super::{
    BlockContext, RuntimeError, add_balance, fees, gas_to_balance, refunds, sub_balance, verify_and_charge,
    verify, yields,
};
use crate::state::StateUpdate;

/// What executing a block produced.
#[derive(Default)]
pub(crate) struct BlockExecution {
    /// One outcome for each accepted transaction and each receipt that ran, in order.
    pub(crate) outcomes: Vec<ExecutionOutcomeWithId>,
    /// The transactions accepted.
    pub(crate) accepted: Vec<SignedTransaction>,
    /// The transactions that could no longer run.
    pub(crate) refused: Vec<(CryptoHash, InvalidTxError)>,
    /// Every action receipt made, whether it ran in this block or waits.
    pub(crate) made: Vec<Receipt>,
    /// The receipts that run in the next block.
    pub(crate) outgoing: Vec<Receipt>,
    /// Tokens that left the supply.
    pub(crate) burnt: Balance,
    pub(crate) gas_burnt: Gas,
}

/// Executes a block over `state`: first the transactions, then the receipts they address to their
/// own signer, then the receipts of the block before, then the yields that are due.
pub(crate) fn execute_block(
    block: &BlockContext<'_>,
    state: &mut StateUpdate<'_>,
    transactions: Vec<SignedTransaction>,
    incoming: Vec<Receipt>,
) -> Result<BlockExecution, RuntimeError> {
    let mut run = BlockRun { block, state, execution: BlockExecution::default(), ready: VecDeque::new() };
    for transaction in transactions {
        run.accept(transaction)?;
    }
    run.ready.extend(incoming);
    while let Some(receipt) = run.ready.pop_front() {
        run.process(receipt)?;
    }
    let due = yields::take_due(run.state, block.height)?;
    run.execution.outgoing.extend(due);
    Ok(run.execution)
}

struct BlockRun<'b, 's, 'u> {
    block: &'b BlockContext<'b>,
    state: &'u mut StateUpdate<'s>,
    execution: BlockExecution,
    ready: VecDeque<Receipt>,
}

impl BlockRun<'_, '_, '_> {
    /// Charges a transaction and turns it into a receipt.
    fn accept(&mut self, signed: SignedTransaction) -> Result<(), RuntimeError> {
        let transaction = &signed.transaction;
        let cost = match verify_and_charge(self.block.rules, self.state, transaction, self.block.height) {
            Ok(cost) => cost,
            Err(error) => {
                self.state.rollback();
                self.execution.refused.push((signed.get_hash(), error));
                return Ok(());
            }
        };
        self.state.commit();

        let receipt_id = create_receipt_id_from_transaction(&signed.get_hash(), self.block.height);
        let receipt = Receipt::from_tx(
            receipt_id,
            transaction.signer_id().clone(),
            transaction.receiver_id().clone(),
            transaction.public_key().clone(),
            cost.receipt_gas_price,
            transaction.actions().to_vec(),
        );
        self.record(ExecutionOutcomeWithId {
            id: signed.get_hash(),
            outcome: ExecutionOutcome {
                logs: vec![],
                receipt_ids: vec![receipt_id],
                gas_burnt: cost.gas_burnt,
                compute_usage: None,
                tokens_burnt: cost.burnt_amount,
                executor_id: transaction.signer_id().clone(),
                status: ExecutionStatus::SuccessReceiptId(receipt_id),
                metadata: ExecutionMetadata::V1,
            },
        })?;
        self.execution.burnt = add_balance(self.execution.burnt, cost.burnt_amount)?;
        self.execution.made.push(receipt.clone());
        // A receipt to the signer itself runs at once; any other travels to the next block.
        if transaction.signer_id() == transaction.receiver_id() {
            self.ready.push_back(receipt);
        } else {
            self.execution.outgoing.push(receipt);
        }
        self.execution.accepted.push(signed);
        Ok(())
    }

    fn record(&mut self, outcome: ExecutionOutcomeWithId) -> Result<(), RuntimeError> {
        let total = self.execution.gas_burnt.checked_add_result(outcome.outcome.gas_burnt)?;
        self.execution.gas_burnt = total;
        self.execution.outcomes.push(outcome);
        Ok(())
    }

    /// Takes in a receipt: runs it when all its data is there, else keeps it until it is.
    fn process(&mut self, receipt: Receipt) -> Result<(), RuntimeError> {
        let receiver_id = receipt.receiver_id().clone();
        match receipt.versioned_receipt() {
            VersionedReceiptEnum::Action(action) => {
                let missing: Vec<CryptoHash> = action
                    .input_data_ids()
                    .iter()
                    .copied()
                    .filter(|data_id| !self.state.contains(&received_key(&receiver_id, *data_id)))
                    .collect();
                if missing.is_empty() {
                    return self.execute(&receipt);
                }
                self.postpone(&receipt, &missing)?;
            }
            VersionedReceiptEnum::Data(data) => {
                let received = ReceivedData { data: data.data.clone() };
                self.state.set(&received_key(&receiver_id, data.data_id), &received)?;
                if let Some(ready) = self.take_ready(&receiver_id, data.data_id)? {
                    return self.execute(&ready);
                }
            }
            VersionedReceiptEnum::PromiseYield(action) => {
                if let Some(data_id) = action.input_data_ids().first() {
                    yields::store(self.state, &receipt, *data_id)?;
                }
            }
            VersionedReceiptEnum::PromiseResume(data) => {
                if let Some(waiting) = yields::take(self.state, &receiver_id, data.data_id)? {
                    let received = ReceivedData { data: data.data.clone() };
                    self.state.set(&received_key(&receiver_id, data.data_id), &received)?;
                    return self.execute(&waiting);
                }
            }
            VersionedReceiptEnum::GlobalContractDistribution(_) => {
                return Err(RuntimeError::Corrupt("a global contract receipt".to_owned()));
            }
        }
        self.state.commit();
        Ok(())
    }

    fn postpone(&mut self, receipt: &Receipt, missing: &[CryptoHash]) -> Result<(), RuntimeError> {
        let receiver_id = receipt.receiver_id();
        for data_id in missing {
            self.state.set(&postponed_id_key(receiver_id, *data_id), receipt.receipt_id())?;
        }
        let count = missing.len() as u32;
        self.state.set(&pending_key(receiver_id, *receipt.receipt_id()), &count)?;
        self.state.set(&postponed_key(receiver_id, *receipt.receipt_id()), receipt)
    }

    /// The postponed receipt for which `data_id` was the last missing piece.
    fn take_ready(
        &mut self,
        receiver_id: &AccountId,
        data_id: CryptoHash,
    ) -> Result<Option<Receipt>, RuntimeError> {
        let Some(receipt_id) = self.state.take::<CryptoHash>(&postponed_id_key(receiver_id, data_id))? else {
            return Ok(None);
        };
        let count_key = pending_key(receiver_id, receipt_id);
        let count: u32 = self.state.get(&count_key)?.unwrap_or_default();
        if count > 1 {
            self.state.set(&count_key, &(count - 1))?;
            return Ok(None);
        }
        self.state.remove(&count_key);
        self.state.take(&postponed_key(receiver_id, receipt_id))
    }

    /// Runs a receipt's actions; all of their writes stay, or none.
    fn execute(&mut self, receipt: &Receipt) -> Result<(), RuntimeError> {
        let (VersionedReceiptEnum::Action(actions) | VersionedReceiptEnum::PromiseYield(actions)) =
            receipt.versioned_receipt()
        else {
            return Err(RuntimeError::Corrupt("only action receipts run".to_owned()));
        };
        let account_id = receipt.receiver_id();
        let promise_results = self.take_promise_results(account_id, &actions)?;
        // Received data is used up even when the receipt fails.
        self.state.commit();

        let config = &self.block.rules.config;
        let base_fee = fees::exec_cost(config, ActionCosts::new_action_receipt);
        let mut result = ActionResult {
            gas_burnt: base_fee,
            gas_used: base_fee,
            compute_usage: base_fee.as_gas(),
            ..ActionResult::default()
        };
        let mut execution = Execution {
            block: self.block,
            receipt,
            actions: &actions,
            promise_results,
            account: self.state.account(account_id)?,
            actor_id: receipt.predecessor_id().clone(),
        };
        let outcome = run_actions(&mut execution, self.state, &mut result)?;
        match &outcome {
            Ok(()) => {
                if let Some(account) = &execution.account {
                    self.state.set_account(account_id, account)?;
                }
            }
            Err(_) => {
                result.new_receipts.clear();
                result.return_data = None;
                result.subsidized = Balance::ZERO;
            }
        }
        let is_refund = receipt.predecessor_id().is_system();
        let burnt = if is_refund {
            refunds::Burnt::default()
        } else {
            refunds::push_refunds(self.block, receipt, &actions, outcome.is_ok(), &mut result)?
        };
        if outcome.is_ok() { self.state.commit() } else { self.state.rollback() }

        let tokens_burnt = self.burn(receipt, &actions, &result, burnt, outcome.is_err())?;
        let status = self.finish(receipt, &actions, outcome, &mut result);
        let receipt_ids = self.send(receipt, std::mem::take(&mut result.new_receipts))?;
        self.record(ExecutionOutcomeWithId {
            id: *receipt.receipt_id(),
            outcome: ExecutionOutcome {
                logs: result.logs,
                receipt_ids,
                gas_burnt: result.gas_burnt,
                compute_usage: Some(result.compute_usage),
                tokens_burnt,
                executor_id: account_id.clone(),
                status,
                metadata: ExecutionMetadata::V3(Box::new(ProfileDataV3 {
                    actions_profile: result.profile.actions_profile,
                    wasm_ext_profile: result.profile.wasm_ext_profile,
                    wasm_gas: result.profile.wasm_gas,
                })),
            },
        })
    }

    fn take_promise_results(
        &mut self,
        account_id: &AccountId,
        actions: &VersionedActionReceipt<'_>,
    ) -> Result<Arc<[PromiseResult]>, RuntimeError> {
        actions
            .input_data_ids()
            .iter()
            .map(|data_id| {
                let received: ReceivedData = self
                    .state
                    .take(&received_key(account_id, *data_id))?
                    .ok_or_else(|| RuntimeError::Corrupt("received data is missing".to_owned()))?;
                Ok(match received.data {
                    Some(data) => PromiseResult::Successful(data.into()),
                    None => PromiseResult::Failed,
                })
            })
            .collect()
    }

    /// Tokens this receipt burnt, as its outcome reports them; the contract's share of the gas
    /// price (protocols before 87) is paid out here.
    fn burn(
        &mut self,
        receipt: &Receipt,
        actions: &VersionedActionReceipt<'_>,
        result: &ActionResult,
        burnt: refunds::Burnt,
        failed: bool,
    ) -> Result<Balance, RuntimeError> {
        if receipt.predecessor_id().is_system() {
            if failed {
                // A refund to an account that is gone leaves the supply.
                let lost = fees::deposits(actions.actions())?;
                self.execution.burnt = add_balance(self.execution.burnt, lost)?;
            }
            return Ok(Balance::ZERO);
        }
        let price = refunds::burn_price(self.block, actions.gas_price());
        let mut tokens_burnt = gas_to_balance(price, result.gas_burnt)?;
        for extra in [burnt.penalty, burnt.account_charge, burnt.price_surplus] {
            tokens_burnt = add_balance(tokens_burnt, extra)?;
        }
        let share = self.block.rules.config.fees.burnt_gas_reward;
        let rewarded_gas = u128::from(result.gas_burnt_for_function_call.as_gas())
            * share.numer().unsigned_abs() as u128
            / share.denom().unsigned_abs().max(1) as u128;
        let reward = price.checked_mul(rewarded_gas).ok_or(RuntimeError::Overflow)?;
        let mut leaves_supply = sub_balance(tokens_burnt, result.subsidized)?;
        if let (false, Some(mut account)) = (reward.is_zero(), self.state.account(receipt.receiver_id())?) {
            leaves_supply = sub_balance(leaves_supply, reward)?;
            account.set_amount(add_balance(account.amount(), reward)?);
            self.state.set_account(receipt.receiver_id(), &account)?;
            self.state.commit();
        }
        self.execution.burnt = add_balance(self.execution.burnt, leaves_supply)?;
        Ok(tokens_burnt)
    }

    /// Turns the result into the outcome's status and passes it on to the receipts that wait for
    /// it.
    fn finish(
        &self,
        receipt: &Receipt,
        actions: &VersionedActionReceipt<'_>,
        outcome: Result<(), Box<near_primitives::errors::ActionError>>,
        result: &mut ActionResult,
    ) -> ExecutionStatus {
        let outputs = actions.output_data_receivers();
        let (status, data) = match (outcome, result.return_data.take()) {
            (Err(error), _) => (ExecutionStatus::Failure(TxExecutionError::ActionError(*error)), None),
            (Ok(()), Some(ReturnData::ReceiptIndex(index))) => {
                // The promise answers in this receipt's place.
                let index = usize::try_from(index).unwrap_or(usize::MAX);
                if let Some(promised) = result.new_receipts.get_mut(index) {
                    match promised.receipt_mut() {
                        ReceiptEnum::Action(new) | ReceiptEnum::PromiseYield(new) => {
                            new.output_data_receivers.extend_from_slice(outputs);
                        }
                        ReceiptEnum::ActionV2(new) | ReceiptEnum::PromiseYieldV2(new) => {
                            new.output_data_receivers.extend_from_slice(outputs);
                        }
                        _ => {}
                    }
                }
                let id = create_receipt_id_from_receipt_id(receipt.receipt_id(), self.block.height, index);
                return ExecutionStatus::SuccessReceiptId(id);
            }
            (Ok(()), Some(ReturnData::Value(value))) => {
                (ExecutionStatus::SuccessValue(value.clone()), Some(value))
            }
            (Ok(()), Some(ReturnData::None) | None) => {
                (ExecutionStatus::SuccessValue(vec![]), Some(vec![]))
            }
        };
        result.new_receipts.extend(outputs.iter().map(|output| {
            Receipt::V0(ReceiptV0 {
                predecessor_id: receipt.receiver_id().clone(),
                receiver_id: output.receiver_id.clone(),
                receipt_id: CryptoHash::default(),
                receipt: ReceiptEnum::Data(DataReceipt { data_id: output.data_id, data: data.clone() }),
            })
        }));
        status
    }

    /// Gives new receipts their ids and sends them off. Returns the ids of those that will have an
    /// outcome of their own.
    fn send(&mut self, from: &Receipt, new_receipts: Vec<Receipt>) -> Result<Vec<CryptoHash>, RuntimeError> {
        let mut ids = Vec::new();
        for (index, mut receipt) in new_receipts.into_iter().enumerate() {
            let id = create_receipt_id_from_receipt_id(from.receipt_id(), self.block.height, index);
            receipt.set_receipt_id(id);
            if matches!(
                receipt.versioned_receipt(),
                VersionedReceiptEnum::Action(_) | VersionedReceiptEnum::PromiseYield(_)
            ) {
                ids.push(id);
                self.execution.made.push(receipt.clone());
            }
            if receipt.is_instant_receipt() {
                self.ready.push_front(receipt);
            } else {
                self.execution.outgoing.push(receipt);
            }
        }
        Ok(ids)
    }
}

/// Runs the actions in order and then checks that the account can pay for its storage. The inner
/// error is the chain's verdict on the receipt.
fn run_actions(
    execution: &mut Execution<'_>,
    state: &mut StateUpdate<'_>,
    result: &mut ActionResult,
) -> Result<Result<(), Box<near_primitives::errors::ActionError>>, RuntimeError> {
    let actions = execution.actions;
    for (index, action) in actions.actions().iter().enumerate() {
        match execution.apply(state, index, action, result) {
            Ok(()) => {}
            Err(ActionFailure::Fault(error)) => return Err(error),
            Err(ActionFailure::Rule(mut error)) => {
                error.index = Some(index as u64);
                return Ok(Err(error));
            }
        }
    }
    let Some(account) = &execution.account else { return Ok(Ok(())) };
    Ok(match verify::missing_storage_stake(execution.block.rules, account)? {
        None => Ok(()),
        Some(amount) => {
            let account_id = execution.receipt.receiver_id().clone();
            let kind = near_primitives::errors::ActionErrorKind::LackBalanceForState { account_id, amount };
            Err(Box::new(near_primitives::errors::ActionError { index: None, kind }))
        }
    })
}

fn received_key(receiver_id: &AccountId, data_id: CryptoHash) -> TrieKey {
    TrieKey::ReceivedData { receiver_id: receiver_id.clone(), data_id }
}

fn postponed_id_key(receiver_id: &AccountId, data_id: CryptoHash) -> TrieKey {
    TrieKey::PostponedReceiptId { receiver_id: receiver_id.clone(), data_id }
}

fn pending_key(receiver_id: &AccountId, receipt_id: CryptoHash) -> TrieKey {
    TrieKey::PendingDataCount { receiver_id: receiver_id.clone(), receipt_id }
}

fn postponed_key(receiver_id: &AccountId, receipt_id: CryptoHash) -> TrieKey {
    TrieKey::PostponedReceipt { receiver_id: receiver_id.clone(), receipt_id }
}
