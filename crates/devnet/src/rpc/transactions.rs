//! Sends transactions and reports their status. Waits without holding the chain's lock.

use std::time::Duration;

use near_jsonrpc_primitives::types::transactions::{
    RpcTransactionError, RpcTransactionResponse, TimeoutErrorCause, TransactionInfo,
};
use near_primitives::hash::CryptoHash;
use near_primitives::transaction::SignedTransaction;
use near_primitives::views::{
    FinalExecutionOutcomeViewEnum, FinalExecutionOutcomeWithReceiptView, TxExecutionStatus,
};
use serde_json::{Value, json};

use super::answer::{Answer, internal, refuse, result};
use super::background::in_background;
use crate::chain::Chain;
use crate::status::TransactionStatus;

/// How long a request waits for a status level, as on a node.
const PATIENCE: Duration = Duration::from_secs(10);

/// `send_tx` and `broadcast_tx_commit`.
pub(super) async fn send(
    chain: &Chain,
    signed: SignedTransaction,
    wait_until: TxExecutionStatus,
) -> Answer {
    // An answer after a block acknowledges only what that block made durable.
    let durably = wait_until == TxExecutionStatus::None;
    let id = submit(chain, signed, durably).await?;
    if durably {
        return Ok(json!({ "final_execution_status": "NONE" }));
    }
    wait(chain, id, wait_until, false).await
}

/// `broadcast_tx_async`: returns the hash without waiting.
pub(super) async fn send_and_forget(chain: &Chain, signed: SignedTransaction) -> Answer {
    result(submit(chain, signed, true).await?.to_string())
}

async fn submit(
    chain: &Chain,
    signed: SignedTransaction,
    durably: bool,
) -> Result<CryptoHash, Box<near_jsonrpc_primitives::errors::RpcError>> {
    let chain = chain.clone();
    in_background(move || chain.submit_with(signed, durably))
        .await?
        .map_err(|context| refuse(RpcTransactionError::InvalidTransaction { context }))
}

/// `tx` and `EXPERIMENTAL_tx_status`. Given a signed transaction, reads its hash and does not send it.
pub(super) async fn status(
    chain: &Chain,
    info: TransactionInfo,
    wait_until: TxExecutionStatus,
    with_receipts: bool,
) -> Answer {
    let (id, _) = info.to_tx_hash_and_account();
    wait(chain, id, wait_until, with_receipts).await
}

async fn wait(
    chain: &Chain,
    id: CryptoHash,
    wanted: TxExecutionStatus,
    with_receipts: bool,
) -> Answer {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    let mut heights = chain.subscribe();
    loop {
        heights.borrow_and_update();
        let asked = chain.clone();
        let status = in_background(move || asked.transaction_status(&id))
            .await?
            .map_err(internal)?;
        match &status {
            TransactionStatus::Refused(context) => {
                let context = context.clone();
                return Err(refuse(RpcTransactionError::InvalidTransaction { context }));
            }
            TransactionStatus::Unknown => {
                let requested_transaction_hash = id;
                return Err(refuse(RpcTransactionError::UnknownTransaction {
                    requested_transaction_hash,
                }));
            }
            _ if status.has_reached(&wanted) => return result(response(status, with_receipts)),
            _ => {}
        }
        let changed = tokio::time::timeout_at(deadline, heights.changed()).await;
        if !matches!(changed, Ok(Ok(()))) {
            return Err(refuse(RpcTransactionError::TimeoutError(Some(
                timeout_cause(status),
            ))));
        }
    }
}

fn timeout_cause(status: TransactionStatus) -> TimeoutErrorCause {
    match status {
        TransactionStatus::Included { .. } => TimeoutErrorCause::Pending {
            status: Box::new(response(status, false)),
        },
        _ => TimeoutErrorCause::NotObserved,
    }
}

fn response(status: TransactionStatus, with_receipts: bool) -> RpcTransactionResponse {
    let TransactionStatus::Included {
        reached,
        outcome,
        receipts,
    } = status
    else {
        return RpcTransactionResponse {
            final_execution_outcome: None,
            final_execution_status: TxExecutionStatus::None,
        };
    };
    let outcome = if with_receipts {
        FinalExecutionOutcomeViewEnum::FinalExecutionOutcomeWithReceipt(
            FinalExecutionOutcomeWithReceiptView {
                final_outcome: *outcome,
                receipts: receipts.into_iter().map(Into::into).collect(),
            },
        )
    } else {
        FinalExecutionOutcomeViewEnum::FinalExecutionOutcome(*outcome)
    };
    RpcTransactionResponse {
        final_execution_outcome: Some(outcome),
        final_execution_status: reached,
    }
}

/// The outcome alone, as `broadcast_tx_commit` returns it.
pub(super) fn without_level(answer: Value) -> Value {
    match answer {
        Value::Object(mut map) => {
            map.remove("final_execution_status");
            Value::Object(map)
        }
        other => other,
    }
}
