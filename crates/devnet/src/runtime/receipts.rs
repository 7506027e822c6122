//! The receipts that a contract makes while it runs, before they get ids.

use near_primitives::action::FunctionCallAction;
use near_primitives::hash::CryptoHash;
use near_primitives::receipt::{
    ActionReceiptV2, DataReceipt, DataReceiver, Receipt, ReceiptEnum, ReceiptV0,
    VersionedActionReceipt,
};
use near_primitives::transaction::Action;
use near_primitives::types::{AccountId, Gas, GasWeight};
use near_vm_runner::logic::HostError;

/// A receipt under construction.
struct Draft {
    receiver_id: AccountId,
    refund_to: Option<AccountId>,
    output_data_receivers: Vec<DataReceiver>,
    input_data_ids: Vec<CryptoHash>,
    actions: Vec<Action>,
    is_yield: bool,
}

/// A function call that gets a share of the gas left when the contract ends.
struct WeightedCall {
    receipt: usize,
    action: usize,
    weight: u64,
}

/// Everything that one function call asks the chain to send.
#[derive(Default)]
pub(crate) struct ReceiptLog {
    drafts: Vec<Draft>,
    resumed: Vec<(CryptoHash, Vec<u8>)>,
    weighted: Vec<WeightedCall>,
}

impl ReceiptLog {
    /// Starts a receipt that waits for one piece of data from each receipt of `dependencies`.
    pub(crate) fn start(
        &mut self,
        receiver_id: AccountId,
        dependencies: &[(u64, CryptoHash)],
    ) -> Result<u64, HostError> {
        for (index, data_id) in dependencies {
            let producer = self.draft(*index).ok_or(HostError::InvalidReceiptIndex {
                receipt_index: *index,
            })?;
            producer.output_data_receivers.push(DataReceiver {
                data_id: *data_id,
                receiver_id: receiver_id.clone(),
            });
        }
        let input_data_ids = dependencies.iter().map(|(_, data_id)| *data_id).collect();
        Ok(self.push(receiver_id, input_data_ids, false))
    }

    /// Starts a receipt that waits until the contract resumes it.
    pub(crate) fn start_yield(&mut self, receiver_id: AccountId, data_id: CryptoHash) -> u64 {
        self.push(receiver_id, vec![data_id], true)
    }

    fn push(
        &mut self,
        receiver_id: AccountId,
        input_data_ids: Vec<CryptoHash>,
        is_yield: bool,
    ) -> u64 {
        self.drafts.push(Draft {
            receiver_id,
            refund_to: None,
            output_data_receivers: Vec::new(),
            input_data_ids,
            actions: Vec::new(),
            is_yield,
        });
        self.drafts.len() as u64 - 1
    }

    fn draft(&mut self, index: u64) -> Option<&mut Draft> {
        self.drafts.get_mut(usize::try_from(index).ok()?)
    }

    /// Adds an action to a receipt and returns its index there. The machine checks the receipt's index
    /// before it asks.
    pub(crate) fn append(&mut self, index: u64, action: Action) -> u64 {
        let Some(draft) = self.draft(index) else {
            return 0;
        };
        draft.actions.push(action);
        draft.actions.len() as u64 - 1
    }

    /// Adds an entry to the first state that a receipt's action gives to a deterministic account.
    pub(crate) fn add_entry(
        &mut self,
        receipt_index: u64,
        action_index: u64,
        key: Vec<u8>,
        value: Vec<u8>,
    ) -> Result<(), HostError> {
        let action = usize::try_from(action_index).ok().and_then(|action| {
            self.draft(receipt_index)
                .and_then(|draft| draft.actions.get_mut(action))
        });
        let Some(Action::DeterministicStateInit(init)) = action else {
            return Err(HostError::InvalidActionIndex {
                receipt_index,
                action_index,
            });
        };
        match init.state_init.data_mut().insert(key, value) {
            None => Ok(()),
            Some(_) => Err(HostError::DataEntryAlreadyExists),
        }
    }

    /// Adds a function call that gets unused gas in proportion to its weight.
    pub(crate) fn append_call(&mut self, index: u64, call: FunctionCallAction, weight: GasWeight) {
        let Some(draft) = self.draft(index) else {
            return;
        };
        draft.actions.push(Action::FunctionCall(Box::new(call)));
        let action = draft.actions.len() - 1;
        if let (Ok(receipt), 1..) = (usize::try_from(index), weight.0) {
            self.weighted.push(WeightedCall {
                receipt,
                action,
                weight: weight.0,
            });
        }
    }

    pub(crate) fn receiver(&self, index: u64) -> Option<&AccountId> {
        self.drafts
            .get(usize::try_from(index).ok()?)
            .map(|draft| &draft.receiver_id)
    }

    pub(crate) fn set_refund_to(&mut self, index: u64, refund_to: AccountId) {
        if let Some(draft) = self.draft(index) {
            draft.refund_to = Some(refund_to);
        }
    }

    /// Whether this call made the yield that waits for `data_id`.
    pub(crate) fn made_yield(&self, data_id: &CryptoHash) -> bool {
        self.drafts
            .iter()
            .any(|draft| draft.is_yield && draft.input_data_ids.contains(data_id))
    }

    pub(crate) fn is_resumed(&self, data_id: &CryptoHash) -> bool {
        self.resumed.iter().any(|(resumed, _)| resumed == data_id)
    }

    pub(crate) fn resume(&mut self, data_id: CryptoHash, data: Vec<u8>) {
        self.resumed.push((data_id, data));
    }

    /// The data ids of this call's yields, in order.
    pub(crate) fn yields(&self) -> impl Iterator<Item = CryptoHash> {
        self.drafts
            .iter()
            .filter(|draft| draft.is_yield)
            .filter_map(|draft| draft.input_data_ids.first().copied())
    }

    /// Shares `unused` gas among the weighted calls; the last one also gets the remainder. Returns the
    /// gas distributed: all of it, or none without weighted calls.
    pub(crate) fn distribute_gas(&mut self, unused: Gas) -> Gas {
        let weights: u128 = self
            .weighted
            .iter()
            .map(|call| u128::from(call.weight))
            .sum();
        if weights == 0 {
            return Gas::ZERO;
        }
        let mut left = unused.as_gas();
        let last = self.weighted.len().saturating_sub(1);
        for (position, weighted) in self.weighted.iter().enumerate() {
            let proportional = u128::from(unused.as_gas()) * u128::from(weighted.weight) / weights;
            // A share never exceeds the whole, which fits 64 bits.
            let share = if position == last {
                left
            } else {
                u64::try_from(proportional).unwrap_or(left)
            };
            left -= share;
            if let Some(Action::FunctionCall(call)) = self
                .drafts
                .get_mut(weighted.receipt)
                .and_then(|draft| draft.actions.get_mut(weighted.action))
            {
                call.gas = call.gas.saturating_add(Gas::from_gas(share));
            }
        }
        unused
    }

    /// The finished receipts, without ids: the action receipts in index order, then the data for resumed
    /// yields.
    pub(crate) fn into_receipts(
        self,
        sender: &AccountId,
        origin: &VersionedActionReceipt<'_>,
    ) -> Vec<Receipt> {
        let without_id = |receiver_id, receipt| {
            Receipt::V0(ReceiptV0 {
                predecessor_id: sender.clone(),
                receiver_id,
                receipt_id: CryptoHash::default(),
                receipt,
            })
        };
        let actions = self.drafts.into_iter().map(|draft| {
            let receipt = ActionReceiptV2 {
                signer_id: origin.signer_id().clone(),
                refund_to: draft.refund_to,
                signer_public_key: origin.signer_public_key().clone(),
                gas_price: origin.gas_price(),
                output_data_receivers: draft.output_data_receivers,
                input_data_ids: draft.input_data_ids,
                actions: draft.actions,
            };
            let receipt = if draft.is_yield {
                ReceiptEnum::PromiseYieldV2(receipt)
            } else {
                ReceiptEnum::ActionV2(receipt)
            };
            without_id(draft.receiver_id, receipt)
        });
        let resumed = self.resumed.into_iter().map(|(data_id, data)| {
            let receipt = ReceiptEnum::PromiseResume(DataReceipt {
                data_id,
                data: Some(data),
            });
            without_id(sender.clone(), receipt)
        });
        actions.chain(resumed).collect()
    }
}
