//! The effect of each action on the receiving account.

use near_primitives::account::id::AccountType;
use near_primitives::account::{Account, AccountContract};
use near_primitives::errors::ActionErrorKind;
use near_primitives::receipt::Receipt;
use near_primitives::transaction::{Action, DeployContractAction, StakeAction};
use near_primitives::trie_key::{TrieKey, trie_key_parsers};
use near_primitives::types::{AccountId, Balance};
use near_primitives::version::ProtocolFeature;
use near_vm_runner::ContractCode;

use super::outcome::{ActionFailure, ActionResult, Execution};
use super::{
    BlockContext, RuntimeError, access_keys, add_balance, delegate, deterministic_accounts, fees,
    function_call, gas_keys, global_contracts, implicit_accounts, sub_balance, universal_accounts,
};
use crate::state::{StateUpdate, account_key};

/// The smallest stake that the chain accepts.
const MINIMUM_STAKE: Balance = Balance::from_near(1);

impl Execution<'_> {
    /// Charges action `index`, checks that it may run, and runs it.
    pub(crate) fn apply(
        &mut self,
        state: &mut StateUpdate<'_>,
        index: usize,
        action: &Action,
        result: &mut ActionResult,
    ) -> Result<(), ActionFailure> {
        let fee = fees::exec_fee(&self.block.rules.config, action, self.account_id())?;
        result.gas_burnt = result.gas_burnt.checked_add_result(fee)?;
        result.gas_used = result.gas_used.checked_add_result(fee)?;
        result.compute_usage = result.compute_usage.saturating_add(fee.as_gas());
        result.return_data = None;
        self.check_existence(action)?;
        self.check_permission(action)?;

        let block = self.block;
        let account_id = self.receipt.receiver_id();
        match action {
            Action::CreateAccount(_) => self.create_account(result),
            Action::DeployContract(deploy) => {
                deploy_contract(block, state, self.existing()?, account_id, deploy);
                Ok(())
            }
            Action::FunctionCall(call) => function_call::apply(self, state, index, call, result),
            Action::Transfer(transfer) => self.transfer(state, transfer.deposit, result),
            Action::Stake(stake) => self.stake(stake),
            Action::AddKey(add) => {
                access_keys::add(block, state, self.existing()?, account_id, add)
            }
            Action::DeleteKey(delete) => {
                let account = self.existing()?;
                access_keys::delete(block, state, account, account_id, delete, result)
            }
            Action::TransferToGasKey(to) => gas_keys::transfer(state, account_id, to),
            Action::WithdrawFromGasKey(from) => {
                gas_keys::withdraw(state, self.existing()?, account_id, from)
            }
            Action::DeleteAccount(delete) => {
                self.delete_account(state, &delete.beneficiary_id, result)
            }
            Action::Delegate(signed) => {
                let signed = signed.as_ref().into();
                delegate::apply(block, state, self.actions, account_id, signed, result)
            }
            Action::DelegateV2(signed) => {
                let signed = signed.as_ref().into();
                delegate::apply(block, state, self.actions, account_id, signed, result)
            }
            Action::DeployGlobalContract(deploy) => {
                let account = self.existing()?;
                global_contracts::deploy(block, state, account, account_id, deploy, result)
            }
            Action::UseGlobalContract(adopt) => {
                let identifier = &adopt.contract_identifier;
                global_contracts::adopt(state, self.existing()?, account_id, identifier)
            }
            Action::DeterministicStateInit(init) => {
                deterministic_accounts::initialise(self, state, init, result)
            }
            Action::UniversalStateInit(init) => {
                universal_accounts::initialise(self, state, init, result)
            }
        }
    }

    fn check_existence(&self, action: &Action) -> Result<(), ActionFailure> {
        let account_id = self.account_id().clone();
        let kind = self.block.rules.account_type(&account_id);
        let error = match (action, &self.account) {
            (Action::CreateAccount(_), Some(_)) => {
                ActionErrorKind::AccountAlreadyExists { account_id }
            }
            (Action::CreateAccount(_), None) if kind.is_implicit() => {
                ActionErrorKind::OnlyImplicitAccountCreationAllowed { account_id }
            }
            (Action::CreateAccount(_), None) => return Ok(()),
            // They create the account, or leave an existing one as it is.
            (Action::DeterministicStateInit(_) | Action::UniversalStateInit(_), _) => return Ok(()),
            (Action::Transfer(_), None) if self.may_create(kind) => return Ok(()),
            (_, None) => ActionErrorKind::AccountDoesNotExist { account_id },
            (Action::Transfer(_), Some(_)) => return Ok(()),
            (_, Some(account)) if !account.is_initialized() => {
                ActionErrorKind::AccountNotInitialized { account_id }
            }
            (_, Some(_)) => return Ok(()),
        };
        Err(error.into())
    }

    /// Whether a transfer creates the missing account. A refund never does.
    fn may_create(&self, kind: AccountType) -> bool {
        let alone = self.actions.actions().len() == 1;
        !self.is_refund() && implicit_accounts::is_created_by_transfer(kind, alone)
    }

    fn check_permission(&self, action: &Action) -> Result<(), ActionFailure> {
        let only_owner = matches!(
            action,
            Action::DeployContract(_)
                | Action::DeployGlobalContract(_)
                | Action::UseGlobalContract(_)
                | Action::Stake(_)
                | Action::AddKey(_)
                | Action::DeleteKey(_)
                | Action::WithdrawFromGasKey(_)
                | Action::DeleteAccount(_)
        );
        if only_owner && self.actor_id != *self.account_id() {
            return Err(ActionFailure::from(ActionErrorKind::ActorNoPermission {
                account_id: self.account_id().clone(),
                actor_id: self.actor_id.clone(),
            }));
        }
        let stakes = self
            .account
            .as_ref()
            .is_some_and(|account| !account.locked().is_zero());
        if matches!(action, Action::DeleteAccount(_)) && stakes {
            return Err(ActionErrorKind::DeleteAccountStaking {
                account_id: self.account_id().clone(),
            }
            .into());
        }
        Ok(())
    }

    fn create_account(&mut self, result: &mut ActionResult) -> Result<(), ActionFailure> {
        let account_id = self.receipt.receiver_id();
        let predecessor_id = self.receipt.predecessor_id();
        let config = &self.block.rules.config;
        let creation = &config.account_creation_config;
        if account_id.is_top_level() {
            let short =
                account_id.len() < usize::from(creation.min_allowed_top_level_account_length);
            if short && *predecessor_id != creation.registrar_account_id {
                return Err(ActionFailure::from(
                    ActionErrorKind::CreateAccountOnlyByRegistrar {
                        account_id: account_id.clone(),
                        registrar_account_id: creation.registrar_account_id.clone(),
                        predecessor_id: predecessor_id.clone(),
                    },
                ));
            }
        } else if !account_id.is_sub_account_of(predecessor_id) {
            return Err(ActionFailure::from(
                ActionErrorKind::CreateAccountNotAllowed {
                    account_id: account_id.clone(),
                    predecessor_id: predecessor_id.clone(),
                },
            ));
        }
        self.actor_id = account_id.clone();
        let bytes = config.fees.storage_usage_config.num_bytes_account;
        self.account = Some(Account::new(
            Balance::ZERO,
            Balance::ZERO,
            AccountContract::None,
            bytes,
        ));
        result.created_account = true;
        Ok(())
    }

    fn transfer(
        &mut self,
        state: &mut StateUpdate<'_>,
        deposit: Balance,
        result: &mut ActionResult,
    ) -> Result<(), ActionFailure> {
        let account_id = self.receipt.receiver_id();
        // A gas refund names the buyer of the gas as its signer.
        let is_gas_refund = self.is_refund() && self.actions.signer_id() == account_id;
        let public_key = self.actions.signer_public_key();
        if let Some(account) = &mut self.account {
            if is_gas_refund && gas_keys::refund(state, account_id, public_key, deposit)? {
                return Ok(());
            }
            account.set_amount(add_balance(account.amount(), deposit)?);
            if is_gas_refund {
                access_keys::refund_allowance(state, account_id, public_key, deposit)?;
            }
            return Ok(());
        }
        result.created_account = true;
        let account = implicit_accounts::create(self.block, state, account_id, deposit)?;
        self.account = Some(account);
        Ok(())
    }

    fn stake(&mut self, stake: &StakeAction) -> Result<(), ActionFailure> {
        let account_id = self.receipt.receiver_id().clone();
        let account = self.existing()?;
        let (balance, locked) = (account.amount(), account.locked());
        let increment = stake.stake.saturating_sub(locked);
        if balance < increment {
            let stake = stake.stake;
            return Err(ActionErrorKind::TriesToStake {
                account_id,
                stake,
                locked,
                balance,
            }
            .into());
        }
        if locked.is_zero() && stake.stake.is_zero() {
            return Err(ActionErrorKind::TriesToUnstake { account_id }.into());
        }
        if !stake.stake.is_zero() && stake.stake < MINIMUM_STAKE {
            return Err(ActionFailure::from(ActionErrorKind::InsufficientStake {
                account_id,
                stake: stake.stake,
                minimum_stake: MINIMUM_STAKE,
            }));
        }
        // Unstaking takes effect at the end of an epoch, and this chain's only epoch never ends.
        if stake.stake > locked {
            account.set_amount(sub_balance(balance, increment)?);
            account
                .set_locked(stake.stake)
                .map_err(|_| RuntimeError::Corrupt("an account cannot stake".to_owned()))?;
        }
        Ok(())
    }

    fn delete_account(
        &mut self,
        state: &mut StateUpdate<'_>,
        beneficiary_id: &AccountId,
        result: &mut ActionResult,
    ) -> Result<(), ActionFailure> {
        let account_id = self.receipt.receiver_id();
        let rules = self.block.rules;
        let account = self.existing()?;
        let amount = account.amount();
        // Before protocol 85, the identifier of a global contract counts as state.
        let contract_bytes = if account.contract().is_local()
            || rules.has(ProtocolFeature::FixDeleteAccountGlobalContractStorageUsage)
        {
            global_contracts::contract_bytes(state, account, account_id)
        } else {
            0
        };
        if account.storage_usage().saturating_sub(contract_bytes)
            > Account::MAX_ACCOUNT_DELETION_STORAGE_USAGE
        {
            return Err(ActionErrorKind::DeleteAccountWithLargeState {
                account_id: account_id.clone(),
            }
            .into());
        }
        let burnt = gas_keys::burnt_with_account(state, account_id)?;
        result.tokens_burnt = add_balance(result.tokens_burnt, burnt)?;
        if !amount.is_zero() {
            result
                .new_receipts
                .push(Receipt::new_balance_refund(beneficiary_id, amount));
        }
        state.remove(&account_key(account_id));
        state.remove(&TrieKey::ContractCode {
            account_id: account_id.clone(),
        });
        state.remove_prefix(&trie_key_parsers::get_raw_prefix_for_access_keys(
            account_id,
        ));
        state.remove_prefix(&trie_key_parsers::get_raw_prefix_for_contract_data(
            account_id,
            &[],
        ));
        self.actor_id = self.receipt.predecessor_id().clone();
        self.account = None;
        Ok(())
    }
}

fn deploy_contract(
    block: &BlockContext<'_>,
    state: &mut StateUpdate<'_>,
    account: &mut Account,
    account_id: &AccountId,
    deploy: &DeployContractAction,
) {
    let before = global_contracts::contract_bytes(state, account, account_id);
    let code = ContractCode::new(deploy.code.clone(), None);
    let usage = account
        .storage_usage()
        .saturating_sub(before)
        .saturating_add(deploy.code.len() as u64);
    account.set_storage_usage(usage);
    // Only an uninitialised account fails here, and `check_existence` refuses it.
    if account
        .set_contract(AccountContract::Local(*code.hash()))
        .is_ok()
    {
        let key = TrieKey::ContractCode {
            account_id: account_id.clone(),
        };
        state.set_raw(key.to_vec(), Some(deploy.code.as_slice().into()));
        block.precompile(&code);
    }
}
