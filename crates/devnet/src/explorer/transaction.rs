//! `/transactions/{id}`: what a transaction did.

use std::collections::BTreeSet;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use near_primitives::hash::CryptoHash;
use near_primitives::types::{AccountId, Balance, Gas};
use near_primitives::views::{
    ExecutionOutcomeWithIdView, ExecutionStatusView, FinalExecutionOutcomeView,
    FinalExecutionStatus, ReceiptEnumView, ReceiptView,
};
use tokio::task::spawn_blocking;

use super::html::{account, code, facts, fault_page, lively_page, page, text};
use super::words::{actions, block as text_block, moment, near, verdict};
use crate::chain::Chain;
use crate::errors::ViewError;
use crate::ledger::Ledger;
use crate::sight::Sight;
use crate::state::StateUpdate;
use crate::status::{self, TransactionStatus};

/// `/transactions/{id}`.
pub(crate) async fn transaction(State(chain): State<Chain>, Path(id): Path<String>) -> Response {
    let Ok(hash) = id.parse::<CryptoHash>() else {
        return page(
            StatusCode::NOT_FOUND,
            "Not a transaction id",
            "<p>An id is 32 bytes in base58.</p>",
        );
    };
    let found = spawn_blocking(move || {
        let ledger = chain.ledger();
        let status = status::of(&ledger, &hash, &Sight::all_final(ledger.head.clone()))?;
        let TransactionStatus::Included {
            outcome, receipts, ..
        } = &status
        else {
            return Ok((status, String::new()));
        };
        let receipts = receipts.iter().cloned().map(Into::into).collect();
        let html = describe(&ledger, outcome, receipts)?;
        Ok::<_, ViewError>((status, html))
    });
    let Ok(Ok((status, html))) = found.await else {
        return fault_page();
    };
    let id = format!("<p class=\"dim\">{}</p>", code(id));
    match status {
        TransactionStatus::Included { outcome, .. } if is_settled(&outcome) => {
            page(StatusCode::OK, "Transaction", &format!("{id}{html}"))
        }
        TransactionStatus::Included { .. } => lively_page("Transaction", &format!("{id}{html}")),
        TransactionStatus::Waiting => {
            let waits = "<p>It waits for the next block.</p>";
            lively_page("Transaction", &format!("{id}{waits}"))
        }
        TransactionStatus::Refused(error) => {
            let reason = format!("<p class=\"bad\">Refused: {}</p>", text(error));
            page(StatusCode::OK, "Transaction", &format!("{id}{reason}"))
        }
        TransactionStatus::Unknown => page(
            StatusCode::NOT_FOUND,
            "Unknown transaction",
            &format!("{id}<p>This chain has not seen it.</p>"),
        ),
    }
}

fn is_settled(outcome: &FinalExecutionOutcomeView) -> bool {
    matches!(
        outcome.status,
        FinalExecutionStatus::SuccessValue(_) | FinalExecutionStatus::Failure(_)
    )
}

fn describe(
    ledger: &Ledger,
    outcome: &FinalExecutionOutcomeView,
    receipts: Vec<ReceiptView>,
) -> Result<String, ViewError> {
    let own = &outcome.transaction_outcome;
    let transaction = &outcome.transaction;
    let all = || std::iter::once(own).chain(&outcome.receipts_outcome);
    let burnt = all().fold(Balance::ZERO, |sum, next| {
        sum.saturating_add(next.outcome.tokens_burnt)
    });
    let gas = all().fold(Gas::ZERO, |sum, next| {
        sum.saturating_add(next.outcome.gas_burnt)
    });
    let result = match &outcome.status {
        FinalExecutionStatus::SuccessValue(value) => text_block(value),
        FinalExecutionStatus::Failure(error) => {
            format!("<pre class=\"bad\">{}</pre>", text(error))
        }
        FinalExecutionStatus::Started | FinalExecutionStatus::NotStarted => String::new(),
    };
    let mut html = facts(&[
        ("Status", format!("{}{result}", verdict(&outcome.status))),
        ("From", account(&transaction.signer_id)),
        ("To", account(&transaction.receiver_id)),
        ("Actions", actions(&transaction.actions)),
        ("Gas burnt", text(gas)),
        ("Tokens burnt", near(burnt)),
        ("Block", place(ledger, &own.block_hash)?),
        ("Key", code(&transaction.public_key)),
        ("Nonce", text(transaction.nonce)),
    ]);
    html.push_str("<h2>Receipts</h2>");
    for executed in &outcome.receipts_outcome {
        let receipt = receipts
            .iter()
            .find(|receipt| receipt.receipt_id == executed.id);
        html.push_str(&match receipt {
            Some(receipt) => describe_receipt(ledger, executed, receipt)?,
            // `receipts` leaves out the receipt of a transaction to its own signer. Its data is the
            // transaction's.
            None => card(
                ledger,
                executed,
                &account(&transaction.signer_id),
                &actions(&transaction.actions),
            )?,
        });
    }
    if !is_settled(outcome) {
        html.push_str("<p class=\"dim\">More are under way.</p>");
    }
    html.push_str("<h2>Balances now</h2>");
    let involved: BTreeSet<&AccountId> = all().map(|next| &next.outcome.executor_id).collect();
    let state = StateUpdate::new(&ledger.state);
    for id in involved {
        let held = match state.account(id)? {
            Some(held) => near(held.amount()),
            None => "<span class=\"dim\">no such account</span>".to_owned(),
        };
        html.push_str(&format!(
            "<div class=\"row\"><span>{}</span><span>{held}</span></div>",
            account(id)
        ));
    }
    Ok(html)
}

fn describe_receipt(
    ledger: &Ledger,
    executed: &ExecutionOutcomeWithIdView,
    receipt: &ReceiptView,
) -> Result<String, ViewError> {
    let from = if receipt.predecessor_id.is_system() {
        "Refund".to_owned()
    } else {
        account(&receipt.predecessor_id)
    };
    let list = match &receipt.receipt {
        ReceiptEnumView::Action { actions: list, .. } => actions(list),
        _ => String::new(),
    };
    card(ledger, executed, &from, &list)
}

fn card(
    ledger: &Ledger,
    executed: &ExecutionOutcomeWithIdView,
    from: &str,
    actions: &str,
) -> Result<String, ViewError> {
    let outcome = &executed.outcome;
    let (verdict, result) = match &outcome.status {
        ExecutionStatusView::SuccessValue(value) => {
            ("<span class=\"good\">Success</span>", text_block(value))
        }
        ExecutionStatusView::SuccessReceiptId(id) => {
            let next = format!("Its result is that of {}", code(id));
            ("<span class=\"good\">Success</span>", next)
        }
        ExecutionStatusView::Failure(error) => (
            "<span class=\"bad\">Failure</span>",
            format!("<pre class=\"bad\">{}</pre>", text(error)),
        ),
        ExecutionStatusView::Unknown => ("Unknown", String::new()),
    };
    let logs: String = outcome
        .logs
        .iter()
        .map(|line| format!("<pre>{}</pre>", text(line)))
        .collect();
    let mut rows = vec![("Actions", actions.to_owned())];
    if !result.is_empty() {
        rows.push(("Result", result));
    }
    if !logs.is_empty() {
        rows.push(("Logs", logs));
    }
    rows.push((
        "Burnt",
        format!(
            "{}, {}",
            text(outcome.gas_burnt),
            near(outcome.tokens_burnt)
        ),
    ));
    rows.push(("Block", place(ledger, &executed.block_hash)?));
    rows.push(("Receipt", code(executed.id)));
    Ok(format!(
        "<section class=\"card\"><header><h3>{from} → {}</h3>{verdict}</header>{}</section>",
        account(&outcome.executor_id),
        facts(&rows)
    ))
}

/// A block's height and time, or its hash if the chain no longer keeps the block.
fn place(ledger: &Ledger, hash: &CryptoHash) -> Result<String, ViewError> {
    let height = ledger.storage.height_of(hash)?;
    let block = height
        .map(|height| ledger.storage.block_at(height))
        .transpose()?
        .flatten();
    Ok(match block {
        Some(block) => format!(
            "{} <span class=\"dim\">{}</span>",
            text(block.height),
            moment(&block)
        ),
        None => code(hash),
    })
}
