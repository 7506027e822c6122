//! Executes one block: transactions become receipts, receipts run, and new receipts wait for the next
//! block.

use std::collections::VecDeque;

use near_parameters::ActionCosts;
use near_primitives::account::AccountContract;
use near_primitives::errors::{ActionError, ActionErrorKind, InvalidTxError, TxExecutionError};
use near_primitives::hash::CryptoHash;
use near_primitives::profile_data_v3::ProfileDataV3;
use near_primitives::receipt::{
    DataReceipt, Receipt, ReceiptEnum, ReceiptV0, VersionedActionReceipt, VersionedReceiptEnum,
};
use near_primitives::transaction::{
    ExecutionMetadata, ExecutionMetadataV4, ExecutionOutcome, ExecutionOutcomeWithId,
    ExecutionStatus, SignedTransaction,
};
use near_primitives::types::{Balance, Gas};
use near_primitives::utils::{
    create_receipt_id_from_receipt_id, create_receipt_id_from_transaction,
};
use near_primitives::version::ProtocolFeature;
use near_vm_runner::logic::ReturnData;

use super::outcome::{ActionFailure, ActionResult, Execution};
use super::{
    Admission, BlockContext, RuntimeError, add_balance, fees, gas_to_balance, global_contracts,
    inputs, refunds, sub_balance, verify, verify_and_charge, yields,
};
use crate::state::StateUpdate;

/// The results of executing a block.
#[derive(Default)]
pub(crate) struct BlockExecution {
    /// One outcome for each accepted transaction and each receipt that ran, in order.
    pub(crate) outcomes: Vec<ExecutionOutcomeWithId>,
    /// The transactions that became invalid while pending.
    pub(crate) refused: Vec<(CryptoHash, InvalidTxError)>,
    /// Every new action receipt, whether it ran in this block or not.
    pub(crate) made: Vec<Receipt>,
    /// The receipts that run in the next block.
    pub(crate) outgoing: Vec<Receipt>,
    /// Tokens that left the supply.
    pub(crate) burnt: Balance,
    pub(crate) gas_burnt: Gas,
}

/// Executes a block over `state`: first the transactions, then the receipts of transactions to their
/// own signer, then the receipts from the previous block, then the timeouts of yields.
pub(crate) fn execute_block(
    block: &BlockContext<'_>,
    state: &mut StateUpdate<'_>,
    transactions: &[SignedTransaction],
    incoming: &[Receipt],
) -> Result<BlockExecution, RuntimeError> {
    let mut run = BlockRun {
        block,
        state,
        execution: BlockExecution::default(),
        ready: VecDeque::new(),
    };
    for transaction in transactions {
        run.accept(transaction)?;
    }
    run.ready.extend(incoming.iter().cloned());
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
    fn accept(&mut self, signed: &SignedTransaction) -> Result<(), RuntimeError> {
        let transaction = &signed.transaction;
        let block = self.block;
        let cost = match verify_and_charge(
            block.rules,
            self.state,
            transaction,
            block.gas_price,
            Some(block.height),
        ) {
            Ok(Admission::Accepted(cost)) => cost,
            Ok(Admission::DepositFailed(cost, error)) => {
                self.state.commit();
                self.execution.burnt = add_balance(self.execution.burnt, cost.burnt_amount)?;
                return self.record(ExecutionOutcomeWithId::failed_with_gas_burnt(
                    signed,
                    error,
                    cost.gas_burnt,
                    cost.burnt_amount,
                ));
            }
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
        // A receipt to the signer itself runs in this block, any other in the next.
        if transaction.signer_id() == transaction.receiver_id() {
            self.ready.push_back(receipt);
        } else {
            self.execution.outgoing.push(receipt);
        }
        Ok(())
    }

    fn record(&mut self, outcome: ExecutionOutcomeWithId) -> Result<(), RuntimeError> {
        let total = self
            .execution
            .gas_burnt
            .checked_add_result(outcome.outcome.gas_burnt)?;
        self.execution.gas_burnt = total;
        self.execution.outcomes.push(outcome);
        Ok(())
    }

    /// Runs a receipt if all of its data has arrived, else stores it until then.
    fn process(&mut self, receipt: Receipt) -> Result<(), RuntimeError> {
        let receiver_id = receipt.receiver_id().clone();
        match receipt.versioned_receipt() {
            VersionedReceiptEnum::Action(action) => {
                let missing = inputs::missing(self.state, &receiver_id, &action);
                if missing.is_empty() {
                    return self.execute(&receipt);
                }
                inputs::postpone(self.state, &receipt, &missing)?;
            }
            VersionedReceiptEnum::Data(data) => {
                inputs::store(self.state, &receiver_id, data.data_id, data.data.clone())?;
                if let Some(ready) = inputs::take_ready(self.state, &receiver_id, data.data_id)? {
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
                    inputs::store(self.state, &receiver_id, data.data_id, data.data.clone())?;
                    return self.execute(&waiting);
                }
            }
            VersionedReceiptEnum::GlobalContractDistribution(distribution) => {
                global_contracts::store(self.block, self.state, &distribution)?;
            }
        }
        self.state.commit();
        Ok(())
    }

    /// Runs a receipt's actions and keeps all of their writes or none.
    fn execute(&mut self, receipt: &Receipt) -> Result<(), RuntimeError> {
        let (VersionedReceiptEnum::Action(actions) | VersionedReceiptEnum::PromiseYield(actions)) =
            receipt.versioned_receipt()
        else {
            return Err(RuntimeError::Corrupt("only action receipts run".to_owned()));
        };
        let account_id = receipt.receiver_id();
        let promise_results = inputs::take_results(self.state, account_id, &actions)?;
        // A receipt consumes its data even if it fails.
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
        let (contracts, outcome) = run_actions(&mut execution, self.state, &mut result)?;
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
                result.tokens_burnt = Balance::ZERO;
            }
        }
        let is_refund = receipt.predecessor_id().is_system();
        let burnt = if is_refund {
            refunds::Burnt::default()
        } else {
            refunds::push_refunds(self.block, receipt, &actions, outcome.is_ok(), &mut result)?
        };
        if outcome.is_ok() {
            self.state.commit()
        } else {
            self.state.rollback()
        }

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
                metadata: self.metadata(*result.profile, contracts),
            },
        })
    }

    fn metadata(
        &self,
        profile: near_vm_runner::ProfileDataV3,
        contracts: Vec<AccountContract>,
    ) -> ExecutionMetadata {
        let near_vm_runner::ProfileDataV3 {
            actions_profile,
            wasm_ext_profile,
            wasm_gas,
        } = profile;
        let profile = ProfileDataV3 {
            actions_profile,
            wasm_ext_profile,
            wasm_gas,
        };
        if self.block.rules.has(ProtocolFeature::ExecutionMetadataV4) {
            ExecutionMetadata::V4(Box::new(ExecutionMetadataV4 { profile, contracts }))
        } else {
            ExecutionMetadata::V3(Box::new(profile))
        }
    }

    /// Returns the tokens that this receipt burnt, as its outcome reports them, and pays the contract
    /// its share of the gas price (protocols before 87).
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
                // A refund to a deleted account leaves the supply.
                let lost = fees::deposits(actions.actions())?;
                self.execution.burnt = add_balance(self.execution.burnt, lost)?;
            }
            return Ok(Balance::ZERO);
        }
        let price = refunds::burn_price(self.block, actions.gas_price());
        let mut tokens_burnt = gas_to_balance(price, result.gas_burnt)?;
        for extra in [
            burnt.penalty,
            burnt.account_charge,
            burnt.price_surplus,
            result.tokens_burnt,
        ] {
            tokens_burnt = add_balance(tokens_burnt, extra)?;
        }
        let share = self.block.rules.config.fees.burnt_gas_reward;
        let rewarded_gas = u128::from(result.gas_burnt_for_function_call.as_gas())
            * share.numer().unsigned_abs() as u128
            / share.denom().unsigned_abs().max(1) as u128;
        let reward = price
            .checked_mul(rewarded_gas)
            .ok_or(RuntimeError::Overflow)?;
        let mut leaves_supply = sub_balance(tokens_burnt, result.subsidized)?;
        if let (false, Some(mut account)) =
            (reward.is_zero(), self.state.account(receipt.receiver_id())?)
        {
            leaves_supply = sub_balance(leaves_supply, reward)?;
            account.set_amount(add_balance(account.amount(), reward)?);
            self.state.set_account(receipt.receiver_id(), &account)?;
            self.state.commit();
        }
        self.execution.burnt = add_balance(self.execution.burnt, leaves_supply)?;
        Ok(tokens_burnt)
    }

    /// Turns the result into the outcome's status and sends it to the receipts that wait for it.
    fn finish(
        &self,
        receipt: &Receipt,
        actions: &VersionedActionReceipt<'_>,
        outcome: Verdict,
        result: &mut ActionResult,
    ) -> ExecutionStatus {
        let outputs = actions.output_data_receivers();
        let (status, data) = match (outcome, result.return_data.take()) {
            (Err(error), _) => (
                ExecutionStatus::Failure(TxExecutionError::ActionError(*error)),
                None,
            ),
            (Ok(()), Some(ReturnData::ReceiptIndex(index))) => {
                // The promise's result takes the place of this receipt's.
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
                let id = create_receipt_id_from_receipt_id(
                    receipt.receipt_id(),
                    self.block.height,
                    index,
                );
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
                receipt: ReceiptEnum::Data(DataReceipt {
                    data_id: output.data_id,
                    data: data.clone(),
                }),
            })
        }));
        status
    }

    /// Assigns ids to new receipts and sends them. Returns the ids of those that will have an outcome.
    fn send(
        &mut self,
        from: &Receipt,
        new_receipts: Vec<Receipt>,
    ) -> Result<Vec<CryptoHash>, RuntimeError> {
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

/// Whether a receipt succeeded.
type Verdict = Result<(), Box<ActionError>>;

/// Runs the actions in order, then checks that the account can pay for its storage. Returns the
/// verdict and the contract that the account had before each action.
fn run_actions(
    execution: &mut Execution<'_>,
    state: &mut StateUpdate<'_>,
    result: &mut ActionResult,
) -> Result<(Vec<AccountContract>, Verdict), RuntimeError> {
    let actions = execution.actions;
    let mut contracts = Vec::with_capacity(actions.actions().len());
    for (index, action) in actions.actions().iter().enumerate() {
        let contract = execution
            .account
            .as_ref()
            .map(|account| account.contract().into_owned());
        contracts.push(contract.unwrap_or(AccountContract::None));
        match execution.apply(state, index, action, result) {
            Ok(()) => {}
            Err(ActionFailure::Fault(error)) => return Err(error),
            Err(ActionFailure::Rule(mut error)) => {
                error.index = Some(index as u64);
                return Ok((contracts, Err(error)));
            }
        }
    }
    let Some(account) = &execution.account else {
        return Ok((contracts, Ok(())));
    };
    let verdict = match verify::missing_storage_stake(execution.block.rules, account)? {
        None => Ok(()),
        Some(amount) => {
            let account_id = execution.receipt.receiver_id().clone();
            let kind = ActionErrorKind::LackBalanceForState { account_id, amount };
            Err(Box::new(ActionError { index: None, kind }))
        }
    };
    Ok((contracts, verdict))
}
