//! Sends transactions and reports their status. Waits without holding the chain's lock.

use near_jsonrpc_primitives::errors::RpcError;
use near_jsonrpc_primitives::types::transactions::{
    RpcTransactionError, RpcTransactionResponse, TimeoutErrorCause, TransactionInfo,
};
use near_primitives::errors::InvalidTxError;
use near_primitives::hash::CryptoHash;
use near_primitives::transaction::SignedTransaction;
use near_primitives::types::ShardId;
use near_primitives::views::{
    FinalExecutionOutcomeViewEnum, FinalExecutionOutcomeWithReceiptView, TxExecutionStatus,
};
use serde_json::{Value, json};

use super::answer::{Answer, internal, refuse, result};
use super::background::in_background;
use super::node::Node;
use super::params;
use crate::status::TransactionStatus;

/// `send_tx` and `broadcast_tx_commit`.
pub(super) async fn send(
    node: &Node,
    signed: SignedTransaction,
    wait_until: TxExecutionStatus,
) -> Answer {
    if wait_until == TxExecutionStatus::None {
        forward(node, signed).await?;
        return Ok(json!({ "final_execution_status": "NONE" }));
    }
    // An answer after a block acknowledges only what that block made durable.
    let (asked, bytes) = (node.clone(), signed.clone());
    in_background(move || asked.submit(bytes, false))
        .await?
        .map_err(|context| refuse(RpcTransactionError::InvalidTransaction { context }))?;
    let info = TransactionInfo::from_signed_tx(signed);
    wait(node, info, wait_until, false).await
}

/// `broadcast_tx_async`: returns the hash without waiting.
pub(super) async fn send_and_forget(node: &Node, signed: SignedTransaction) -> Answer {
    result(forward(node, signed).await?.to_string())
}

/// Passes a transaction on. A node does not wait for its own checks, so the sender does not learn that
/// they refused it.
async fn forward(node: &Node, signed: SignedTransaction) -> Result<CryptoHash, Box<RpcError>> {
    let id = signed.get_hash();
    let asked = node.clone();
    match in_background(move || asked.submit(signed, true)).await? {
        Ok(_) => Ok(id),
        Err(InvalidTxError::StorageError(error)) => Err(internal(error)),
        Err(context) if node.simple => {
            Err(refuse(RpcTransactionError::InvalidTransaction { context }))
        }
        Err(error) => {
            tracing::info!(transaction = %id, %error, "not forwarded");
            Ok(id)
        }
    }
}

/// What a node answers whose shard takes no new transactions. One that is only passed on is lost.
pub(super) fn refuse_busy(method: &str, params: Value, busy: InvalidTxError) -> Answer {
    let (signed, wait_until) = match method {
        "send_tx" => {
            let request = params::send(params)?;
            (request.signed_transaction, request.wait_until)
        }
        _ => (params::broadcast(params)?, TxExecutionStatus::default()),
    };
    match (method, wait_until) {
        ("broadcast_tx_async", _) => result(signed.get_hash().to_string()),
        (_, TxExecutionStatus::None) => Ok(json!({ "final_execution_status": "NONE" })),
        _ => Err(refuse(RpcTransactionError::InvalidTransaction {
            context: busy,
        })),
    }
}

/// What a node answers to a look-up that does not track the signer's shard.
pub(super) async fn look_up_untracked(node: &Node, params: Value) -> Answer {
    let request = params::status(params)?;
    if request.wait_until == TxExecutionStatus::None {
        return result(response(TransactionStatus::Unknown, false));
    }
    tokio::time::sleep(node.patience).await;
    let cause = TimeoutErrorCause::DoesNotTrackShard {
        shard_id: ShardId::new(0),
    };
    let cause = node.timeout_causes.then_some(cause);
    Err(refuse(RpcTransactionError::TimeoutError(cause)))
}

/// `tx`, `tx_status` and `EXPERIMENTAL_tx_status`. Given a signed transaction, reads its hash and does not send it.
pub(super) async fn status(
    node: &Node,
    info: TransactionInfo,
    wait_until: TxExecutionStatus,
    with_receipts: bool,
) -> Answer {
    wait(node, info, wait_until, with_receipts).await
}

/// What one look at a transaction shows.
enum Look {
    /// In a block that the node has, or in the pool of a simple chain.
    Known(TransactionStatus),
    /// In no block that the node has.
    NotObserved,
    /// Refused: the checks say so, or a simple chain remembers.
    Refused(InvalidTxError),
}

/// Looks once. A node checks a transaction whose bytes it has and that it has not observed; it remembers
/// no refusal.
fn look(node: &Node, info: &TransactionInfo) -> Result<Look, String> {
    let (id, _) = info.to_tx_hash_and_account();
    let status = node
        .transaction_status(&id)
        .map_err(|error| error.to_string())?;
    let simple = node.simple;
    Ok(match (status, info.to_signed_tx()) {
        (status @ TransactionStatus::Included { .. }, _) => Look::Known(status),
        (status @ TransactionStatus::Waiting, _) if simple => Look::Known(status),
        (TransactionStatus::Refused(error), _) if simple => Look::Refused(error),
        (_, Some(signed)) if !simple => match node.check(signed) {
            Ok(()) => Look::NotObserved,
            Err(error) => Look::Refused(error),
        },
        _ => Look::NotObserved,
    })
}

async fn wait(
    node: &Node,
    info: TransactionInfo,
    wanted: TxExecutionStatus,
    with_receipts: bool,
) -> Answer {
    let (id, _) = info.to_tx_hash_and_account();
    let deadline = tokio::time::Instant::now() + node.patience;
    let mut heights = node.chain.subscribe();
    loop {
        heights.borrow_and_update();
        let (asked, about) = (node.clone(), info.clone());
        let looked = in_background(move || look(&asked, &about)).await?;
        let cause = match looked.map_err(internal)? {
            Look::Refused(context) => {
                return Err(refuse(RpcTransactionError::InvalidTransaction { context }));
            }
            Look::NotObserved if node.simple || wanted == TxExecutionStatus::None => {
                return Err(refuse(RpcTransactionError::UnknownTransaction {
                    requested_transaction_hash: id,
                }));
            }
            Look::NotObserved => TimeoutErrorCause::NotObserved,
            Look::Known(status) if status.has_reached(&wanted) => {
                return result(response(status, with_receipts));
            }
            Look::Known(status) => timeout_cause(status),
        };
        let changed = tokio::time::timeout_at(deadline, heights.changed()).await;
        if !matches!(changed, Ok(Ok(()))) {
            let cause = node.timeout_causes.then_some(cause);
            return Err(refuse(RpcTransactionError::TimeoutError(cause)));
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
