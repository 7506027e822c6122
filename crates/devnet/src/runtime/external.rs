//! The host side of the virtual machine: what a running contract asks of the chain.

use near_crypto::PublicKey;
use near_primitives::account::{
    AccessKey, AccessKeyPermission, FunctionCallPermission, GasKeyInfo,
};
use near_primitives::action::{
    AddKeyAction, CreateAccountAction, DeleteAccountAction, DeleteKeyAction, DeployContractAction,
    DeployGlobalContractAction, DeterministicStateInitAction, FunctionCallAction,
    GlobalContractDeployMode, StakeAction, TransferAction, TransferToGasKeyAction,
    UniversalStateInitAction, UseGlobalContractAction,
};
use near_primitives::deterministic_account_id::{
    DeterministicAccountStateInit, DeterministicAccountStateInitV1,
};
use near_primitives::hash::{CryptoHash, YieldId};
use near_primitives::transaction::Action;
use near_primitives::trie_key::TrieKey;
use near_primitives::types::{AccountId, Balance, BlockHeight, Gas, GasWeight, Nonce, NonceIndex};
use near_primitives::universal_state_init::{
    DecodeMode, RawStateInit, StateInitError, UniversalStateInitCounts, state_init_send_counts,
};
use near_primitives::utils::create_receipt_id_from_action_hash;
use near_primitives::version::ProtocolFeature;
use near_vm_runner::logic::types::{
    ActionIndex, GlobalContractDeployMode as MachineDeployMode, GlobalContractIdentifier,
    ReceiptIndex,
};
use near_vm_runner::logic::{External, HostError, StorageAccessTracker, VMLogicError, ValuePtr};

use super::receipts::ReceiptLog;
use super::{Rules, yields};
use crate::state::{StateUpdate, Value};

type Answer<T> = Result<T, VMLogicError>;

/// The chain as one running contract sees it.
pub(crate) struct ContractHost<'a, 's> {
    pub(crate) rules: &'a Rules,
    pub(crate) state: &'a mut StateUpdate<'s>,
    pub(crate) account_id: AccountId,
    pub(crate) action_hash: CryptoHash,
    pub(crate) height: BlockHeight,
    pub(crate) receipts: ReceiptLog,
    data_count: u64,
    nobody: AccountId,
}

impl<'a, 's> ContractHost<'a, 's> {
    pub(crate) fn new(
        rules: &'a Rules,
        state: &'a mut StateUpdate<'s>,
        account_id: AccountId,
        action_hash: CryptoHash,
        height: BlockHeight,
    ) -> Self {
        let nobody = account_id.clone();
        let receipts = ReceiptLog::default();
        Self {
            rules,
            state,
            account_id,
            action_hash,
            height,
            receipts,
            data_count: 0,
            nobody,
        }
    }

    fn storage_key(&self, key: &[u8]) -> Vec<u8> {
        TrieKey::ContractData {
            account_id: self.account_id.clone(),
            key: key.to_vec(),
        }
        .to_vec()
    }

    fn nodes_to_old_value(&self, key: &[u8], exists: bool) -> u64 {
        let of_value = exists && !self.state.has_written(key);
        self.state.trie_nodes(key) + u64::from(of_value)
    }

    fn corrupt(error: super::RuntimeError) -> VMLogicError {
        VMLogicError::ExternalError(near_vm_runner::logic::errors::AnyError::new(
            error.to_string(),
        ))
    }
}

struct StoredValue(Value);

impl ValuePtr for StoredValue {
    fn len(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    fn deref(&self, _: &mut dyn StorageAccessTracker) -> Answer<Vec<u8>> {
        Ok(self.0.to_vec())
    }
}

fn utf8_names(names: Vec<Vec<u8>>) -> Answer<Vec<String>> {
    names.into_iter().map(utf8_name).collect()
}

fn utf8_name(name: Vec<u8>) -> Answer<String> {
    String::from_utf8(name).map_err(|_| HostError::InvalidMethodName.into())
}

fn add_key(public_key: PublicKey, nonce: Nonce, permission: AccessKeyPermission) -> Action {
    Action::AddKey(Box::new(AddKeyAction {
        public_key,
        access_key: AccessKey { nonce, permission },
    }))
}

impl External for ContractHost<'_, '_> {
    // A write pays for the trie path to the old value and for that value, which is a node of its own.
    // Reads use a NEAR node's flat storage and touch no trie node.
    fn storage_set(
        &mut self,
        tracker: &mut dyn StorageAccessTracker,
        key: &[u8],
        value: &[u8],
    ) -> Answer<Option<Vec<u8>>> {
        let key = self.storage_key(key);
        let evicted = self.state.get_raw(&key).map(|value| value.to_vec());
        if let Some(evicted) = &evicted {
            tracker.deref_write_evicted_value_bytes(evicted.len() as u64)?;
        }
        tracker.trie_node_touched(self.nodes_to_old_value(&key, evicted.is_some()))?;
        self.state.set_raw(key, Some(value.into()));
        Ok(evicted)
    }

    fn storage_get<'b>(
        &'b self,
        _: &mut dyn StorageAccessTracker,
        key: &[u8],
    ) -> Answer<Option<Box<dyn ValuePtr + 'b>>> {
        let value = self.state.get_raw(&self.storage_key(key));
        Ok(value.map(|value| Box::new(StoredValue(value.clone())) as Box<dyn ValuePtr>))
    }

    fn storage_remove(
        &mut self,
        tracker: &mut dyn StorageAccessTracker,
        key: &[u8],
    ) -> Answer<Option<Vec<u8>>> {
        let key = self.storage_key(key);
        let removed = self.state.get_raw(&key).map(|value| value.to_vec());
        if let Some(removed) = &removed {
            tracker.deref_removed_value_bytes(removed.len() as u64)?;
        }
        tracker.trie_node_touched(self.nodes_to_old_value(&key, removed.is_some()))?;
        if removed.is_some() {
            self.state.set_raw(key, None);
        }
        Ok(removed)
    }

    fn storage_has_key(&mut self, _: &mut dyn StorageAccessTracker, key: &[u8]) -> Answer<bool> {
        Ok(self.state.get_raw(&self.storage_key(key)).is_some())
    }

    fn generate_data_id(&mut self) -> CryptoHash {
        let id =
            create_receipt_id_from_action_hash(&self.action_hash, self.height, self.data_count);
        self.data_count += 1;
        id
    }

    fn get_recorded_storage_size(&self) -> usize {
        0
    }

    fn storage_proof_size_before_receipt(&self) -> usize {
        0
    }

    fn validator_stake(&self, _: &AccountId) -> Answer<Option<Balance>> {
        Ok(None)
    }

    fn validator_total_stake(&self) -> Answer<Balance> {
        Ok(Balance::ZERO)
    }

    fn chain_id(&self) -> String {
        self.rules.chain_id.clone()
    }

    fn create_action_receipt(
        &mut self,
        receipt_indices: Vec<ReceiptIndex>,
        receiver_id: AccountId,
    ) -> Answer<ReceiptIndex> {
        let dependencies: Vec<_> = receipt_indices
            .into_iter()
            .map(|index| (index, self.generate_data_id()))
            .collect();
        Ok(self.receipts.start(receiver_id, &dependencies)?)
    }

    fn create_promise_yield_receipt(
        &mut self,
        receiver_id: AccountId,
    ) -> Answer<(ReceiptIndex, CryptoHash)> {
        let data_id = self.generate_data_id();
        Ok((self.receipts.start_yield(receiver_id, data_id), data_id))
    }

    fn create_promise_yield_receipt_with_id(
        &mut self,
        receiver_id: AccountId,
        user_yield_id: YieldId,
    ) -> Answer<Option<(ReceiptIndex, CryptoHash)>> {
        let data_id = self.generate_data_id();
        let named = yields::name(self.state, &self.account_id, user_yield_id, data_id);
        if !named.map_err(Self::corrupt)? {
            return Ok(None);
        }
        Ok(Some((
            self.receipts.start_yield(receiver_id, data_id),
            data_id,
        )))
    }

    fn submit_promise_resume_data(&mut self, data_id: CryptoHash, data: Vec<u8>) -> Answer<bool> {
        let waits = self.receipts.made_yield(&data_id)
            || yields::is_waiting(self.state, &self.account_id, data_id);
        if !waits || self.receipts.is_resumed(&data_id) {
            return Ok(false);
        }
        yields::mark_resumed(self.state, &self.account_id, data_id).map_err(Self::corrupt)?;
        self.receipts.resume(data_id, data);
        Ok(true)
    }

    fn submit_promise_resume_data_with_yield_id(
        &mut self,
        user_yield_id: YieldId,
        data: Vec<u8>,
    ) -> Answer<bool> {
        let found =
            yields::named(self.state, &self.account_id, user_yield_id).map_err(Self::corrupt)?;
        match found {
            Some(data_id) => self.submit_promise_resume_data(data_id, data),
            None => Ok(false),
        }
    }

    fn append_action_create_account(&mut self, index: ReceiptIndex) {
        self.receipts
            .append(index, Action::CreateAccount(CreateAccountAction {}));
    }

    fn append_action_deploy_contract(&mut self, index: ReceiptIndex, code: Vec<u8>) {
        self.receipts
            .append(index, Action::DeployContract(DeployContractAction { code }));
    }

    fn append_action_deploy_global_contract(
        &mut self,
        index: ReceiptIndex,
        code: Vec<u8>,
        mode: MachineDeployMode,
    ) {
        let deploy_mode = match mode {
            MachineDeployMode::CodeHash => GlobalContractDeployMode::CodeHash,
            MachineDeployMode::AccountId => GlobalContractDeployMode::AccountId,
        };
        let action = DeployGlobalContractAction {
            code: code.into(),
            deploy_mode,
        };
        self.receipts
            .append(index, Action::DeployGlobalContract(action));
    }

    fn append_action_use_global_contract(
        &mut self,
        index: ReceiptIndex,
        id: GlobalContractIdentifier,
    ) {
        let action = UseGlobalContractAction {
            contract_identifier: id.into(),
        };
        self.receipts
            .append(index, Action::UseGlobalContract(Box::new(action)));
    }

    fn append_action_deterministic_state_init(
        &mut self,
        index: ReceiptIndex,
        contract_id: GlobalContractIdentifier,
        amount: Balance,
    ) -> ActionIndex {
        let state_init = DeterministicAccountStateInit::V1(DeterministicAccountStateInitV1 {
            code: contract_id.into(),
            data: std::collections::BTreeMap::new(),
        });
        let action = DeterministicStateInitAction {
            state_init,
            deposit: amount,
        };
        self.receipts
            .append(index, Action::DeterministicStateInit(Box::new(action)))
    }

    fn set_deterministic_state_init_data_entry(
        &mut self,
        index: ReceiptIndex,
        action: ActionIndex,
        key: Vec<u8>,
        value: Vec<u8>,
    ) -> Answer<()> {
        Ok(self.receipts.add_entry(index, action, key, value)?)
    }

    fn check_state_init(&self, state_init: &RawStateInit) -> Result<(), StateInitError> {
        near_primitives::universal_state_init::UniversalStateInit::from_raw_strict(state_init)
            .map(drop)
    }

    fn state_init_send_counts(
        &self,
        state_init: &RawStateInit,
        mode: DecodeMode,
    ) -> UniversalStateInitCounts {
        state_init_send_counts(state_init, mode)
    }

    fn append_action_universal_state_init(
        &mut self,
        index: ReceiptIndex,
        state_init: RawStateInit,
        amount: Balance,
    ) {
        let action = UniversalStateInitAction {
            state_init,
            deposit: amount,
        };
        self.receipts
            .append(index, Action::UniversalStateInit(Box::new(action)));
    }

    fn append_action_function_call_weight(
        &mut self,
        index: ReceiptIndex,
        method_name: Vec<u8>,
        args: Vec<u8>,
        attached_deposit: Balance,
        prepaid_gas: Gas,
        gas_weight: GasWeight,
    ) -> Answer<()> {
        let method_name = utf8_name(method_name)?;
        let call = FunctionCallAction {
            method_name,
            args,
            gas: prepaid_gas,
            deposit: attached_deposit,
        };
        self.receipts.append_call(index, call, gas_weight);
        Ok(())
    }

    fn append_action_transfer(&mut self, index: ReceiptIndex, deposit: Balance) {
        self.receipts
            .append(index, Action::Transfer(TransferAction { deposit }));
    }

    fn append_action_transfer_to_gas_key(
        &mut self,
        index: ReceiptIndex,
        public_key: PublicKey,
        deposit: Balance,
    ) {
        let action = TransferToGasKeyAction {
            public_key,
            deposit,
        };
        self.receipts
            .append(index, Action::TransferToGasKey(Box::new(action)));
    }

    fn append_action_add_gas_key_with_full_access(
        &mut self,
        index: ReceiptIndex,
        public_key: PublicKey,
        num_nonces: NonceIndex,
    ) {
        let permission = AccessKeyPermission::GasKeyFullAccess(GasKeyInfo {
            balance: Balance::ZERO,
            num_nonces,
        });
        self.receipts
            .append(index, add_key(public_key, 0, permission));
    }

    fn append_action_add_gas_key_with_function_call(
        &mut self,
        index: ReceiptIndex,
        public_key: PublicKey,
        num_nonces: NonceIndex,
        allowance: Option<Balance>,
        receiver_id: AccountId,
        method_names: Vec<Vec<u8>>,
    ) -> Answer<()> {
        let permission = AccessKeyPermission::GasKeyFunctionCall(
            GasKeyInfo {
                balance: Balance::ZERO,
                num_nonces,
            },
            FunctionCallPermission {
                allowance,
                receiver_id: receiver_id.into(),
                method_names: utf8_names(method_names)?,
            },
        );
        self.receipts
            .append(index, add_key(public_key, 0, permission));
        Ok(())
    }

    fn append_action_stake(&mut self, index: ReceiptIndex, stake: Balance, public_key: PublicKey) {
        self.receipts.append(
            index,
            Action::Stake(Box::new(StakeAction { stake, public_key })),
        );
    }

    fn append_action_add_key_with_full_access(
        &mut self,
        index: ReceiptIndex,
        public_key: PublicKey,
        nonce: Nonce,
    ) {
        self.receipts.append(
            index,
            add_key(public_key, nonce, AccessKeyPermission::FullAccess),
        );
    }

    fn append_action_add_key_with_function_call(
        &mut self,
        index: ReceiptIndex,
        public_key: PublicKey,
        nonce: Nonce,
        allowance: Option<Balance>,
        receiver_id: AccountId,
        method_names: Vec<Vec<u8>>,
    ) -> Answer<()> {
        let permission = AccessKeyPermission::FunctionCall(FunctionCallPermission {
            allowance,
            receiver_id: receiver_id.into(),
            method_names: utf8_names(method_names)?,
        });
        self.receipts
            .append(index, add_key(public_key, nonce, permission));
        Ok(())
    }

    fn append_action_delete_key(&mut self, index: ReceiptIndex, public_key: PublicKey) {
        self.receipts.append(
            index,
            Action::DeleteKey(Box::new(DeleteKeyAction { public_key })),
        );
    }

    fn append_action_delete_account(&mut self, index: ReceiptIndex, beneficiary_id: AccountId) {
        self.receipts.append(
            index,
            Action::DeleteAccount(DeleteAccountAction { beneficiary_id }),
        );
    }

    fn get_receipt_receiver(&self, index: ReceiptIndex) -> &AccountId {
        self.receipts.receiver(index).unwrap_or(&self.nobody)
    }

    fn set_refund_to(&mut self, index: ReceiptIndex, refund_to: AccountId) {
        self.receipts.set_refund_to(index, refund_to);
    }

    fn post_quantum_keys_enabled(&self) -> bool {
        self.rules.has(ProtocolFeature::PostQuantumSignatures)
    }
}
