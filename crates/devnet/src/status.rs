//! How far a transaction has progressed, and its outcomes as the RPC shows them.

use std::collections::{HashSet, VecDeque};

use near_primitives::errors::InvalidTxError;
use near_primitives::hash::CryptoHash;
use near_primitives::receipt::Receipt;
use near_primitives::transaction::{ExecutionStatus, SignedTransaction};
use near_primitives::views::{
    ExecutionOutcomeWithIdView, FinalExecutionOutcomeView, FinalExecutionStatus, TxExecutionStatus,
};

use crate::ledger::{Ledger, Pending};
use crate::sight::Sight;
use crate::storage::{Storage, StorageError, StoredOutcome};

/// The status of a transaction.
#[derive(Debug, Clone)]
pub enum TransactionStatus {
    /// The chain has never seen it.
    Unknown,
    /// In the pool, in no block yet.
    Waiting,
    /// It was in the pool but could no longer run when its block was made.
    Refused(InvalidTxError),
    /// In a block, with the outcomes so far.
    Included {
        /// How far it has progressed.
        reached: TxExecutionStatus,
        /// The outcomes so far.
        outcome: Box<FinalExecutionOutcomeView>,
        /// The receipts of those outcomes, as `EXPERIMENTAL_tx_status` lists them.
        receipts: Vec<Receipt>,
    },
}

impl TransactionStatus {
    /// Whether the transaction has reached `wanted`. The levels are no line: INCLUDED_FINAL and
    /// EXECUTED_OPTIMISTIC do not imply each other.
    #[must_use]
    pub fn has_reached(&self, wanted: &TxExecutionStatus) -> bool {
        match self {
            Self::Unknown | Self::Waiting | Self::Refused(_) => *wanted == TxExecutionStatus::None,
            Self::Included { reached, .. } => meets(reached, wanted),
        }
    }
}

/// Whether the level `reached` implies the level `wanted`, as on a node.
fn meets(reached: &TxExecutionStatus, wanted: &TxExecutionStatus) -> bool {
    use TxExecutionStatus as Level;
    match wanted {
        Level::None => true,
        Level::Included => *reached != Level::None,
        Level::ExecutedOptimistic => matches!(
            reached,
            Level::ExecutedOptimistic | Level::Executed | Level::Final
        ),
        Level::IncludedFinal => matches!(
            reached,
            Level::IncludedFinal | Level::Executed | Level::Final
        ),
        Level::Executed => matches!(reached, Level::Executed | Level::Final),
        Level::Final => *reached == Level::Final,
    }
}

/// Collects the status of transaction `id` as a node with this sight knows it. The pool is the chain's
/// own.
pub(crate) fn of(
    ledger: &Ledger,
    id: &CryptoHash,
    sight: &Sight,
) -> Result<TransactionStatus, StorageError> {
    let seen = Seen {
        storage: &ledger.storage,
        sight,
    };
    if let (Some(signed), Some(outcome)) = (ledger.storage.transaction(id)?, seen.outcome(id)?) {
        return included(&seen, signed, *id, outcome);
    }
    Ok(match ledger.pending(id) {
        Pending::Waiting => TransactionStatus::Waiting,
        Pending::Refused(error) => TransactionStatus::Refused(error),
        Pending::Unknown => TransactionStatus::Unknown,
    })
}

/// The records that a node with this sight has.
struct Seen<'a> {
    storage: &'a Storage,
    sight: &'a Sight,
}

impl Seen<'_> {
    fn outcome(&self, id: &CryptoHash) -> Result<Option<StoredOutcome>, StorageError> {
        let outcome = self.storage.outcome(id)?;
        Ok(outcome.filter(|outcome| outcome.height <= self.sight.head.height))
    }

    fn is_final(&self, outcome: &StoredOutcome) -> bool {
        outcome.height <= self.sight.finalized.height
    }
}

fn included(
    seen: &Seen<'_>,
    signed: SignedTransaction,
    id: CryptoHash,
    own: StoredOutcome,
) -> Result<TransactionStatus, StorageError> {
    let mut queue: VecDeque<CryptoHash> = own.outcome.receipt_ids.iter().copied().collect();
    let mut met: HashSet<CryptoHash> = queue.iter().copied().collect();
    let mut receipts_outcome = Vec::new();
    let mut receipts = Vec::new();
    let (mut refunds_wait, mut others_wait) = (false, false);
    let mut all_final = true;
    // A node leaves out the receipt of a transaction to its own signer, which runs locally.
    let is_local = signed.transaction.signer_id() == signed.transaction.receiver_id();
    let local = own
        .outcome
        .receipt_ids
        .first()
        .copied()
        .filter(|_| is_local);
    while let Some(receipt_id) = queue.pop_front() {
        let receipt = seen.storage.receipt(&receipt_id)?;
        let is_refund = receipt
            .as_ref()
            .is_some_and(|receipt| receipt.predecessor_id().is_system());
        let Some(outcome) = seen.outcome(&receipt_id)? else {
            if is_refund {
                refunds_wait = true
            } else {
                others_wait = true
            }
            continue;
        };
        queue.extend(
            outcome
                .outcome
                .receipt_ids
                .iter()
                .copied()
                .filter(|next| met.insert(*next)),
        );
        all_final &= seen.is_final(&outcome);
        receipts_outcome.push(view(receipt_id, outcome));
        receipts.extend(receipt.filter(|_| Some(receipt_id) != local));
    }
    let reached = match (seen.is_final(&own), others_wait) {
        (false, true) => TxExecutionStatus::Included,
        (false, false) => TxExecutionStatus::ExecutedOptimistic,
        (true, true) => TxExecutionStatus::IncludedFinal,
        (true, false) if refunds_wait || !all_final => TxExecutionStatus::Executed,
        (true, false) => TxExecutionStatus::Final,
    };
    let status = final_status(seen, &own)?;
    let outcome = FinalExecutionOutcomeView {
        status,
        transaction: signed.into(),
        transaction_outcome: view(id, own),
        receipts_outcome,
    };
    Ok(TransactionStatus::Included {
        reached,
        outcome: Box::new(outcome),
        receipts,
    })
}

/// The transaction's result: follows each promise that a receipt returned until one has a value or
/// an error.
fn final_status(
    seen: &Seen<'_>,
    own: &StoredOutcome,
) -> Result<FinalExecutionStatus, StorageError> {
    let mut status = own.outcome.status.clone();
    let mut followed = false;
    loop {
        match status {
            ExecutionStatus::Unknown => return Ok(FinalExecutionStatus::Started),
            ExecutionStatus::Failure(error) => return Ok(FinalExecutionStatus::Failure(error)),
            ExecutionStatus::SuccessValue(value) => {
                return Ok(FinalExecutionStatus::SuccessValue(value));
            }
            ExecutionStatus::SuccessReceiptId(next) => match seen.outcome(&next)? {
                Some(outcome) => status = outcome.outcome.status,
                None if followed => return Ok(FinalExecutionStatus::Started),
                None => return Ok(FinalExecutionStatus::NotStarted),
            },
        }
        followed = true;
    }
}

fn view(id: CryptoHash, stored: StoredOutcome) -> ExecutionOutcomeWithIdView {
    ExecutionOutcomeWithIdView {
        proof: vec![],
        block_hash: stored.block_hash,
        id,
        outcome: stored.outcome.into(),
    }
}
