//! Pages for people: what a transaction did, what an account holds.

use std::collections::BTreeSet;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use near_primitives::hash::CryptoHash;
use near_primitives::types::{AccountId, Balance};
use near_primitives::views::{
    AccessKeyView, AccountView, ExecutionOutcomeWithIdView, ExecutionStatusView,
    FinalExecutionOutcomeView, FinalExecutionStatus, ReceiptEnumView, ReceiptView,
};

use super::html::{account, code, facts, lively_page, page, text, transaction as transaction_link};
use super::methods::time;
use super::server::in_background;
use super::words::{actions, block as text_block, near, permission, summary};
use crate::block::Block;
use crate::chain::Chain;
use crate::errors::ViewError;
use crate::ledger::Ledger;
use crate::state::StateUpdate;
use crate::status::{self, TransactionStatus};

/// Transactions listed on an account's page.
const LISTED_TRANSACTIONS: usize = 50;
/// Accounts listed on the first page.
const LISTED_ACCOUNTS: usize = 50;

/// `/`: where the chain is, and its accounts.
pub(super) async fn home(State(chain): State<Chain>) -> Response {
    let found = in_background(move || {
        let ledger = chain.ledger();
        // One more than is listed tells whether there are more.
        let accounts = ledger.state.accounts(LISTED_ACCOUNTS + 1)?;
        Ok::<_, ViewError>((ledger.head.clone(), accounts))
    });
    let Ok(Ok((head, accounts))) = found.await else {
        return fault();
    };
    let rows = [
        ("Height", text(head.height)),
        ("Block", code(head.hash)),
        ("Made", moment(&head)),
        ("Protocol", text(head.protocol_version)),
    ];
    let mut html = facts(&rows);
    html.push_str("<h2>Accounts</h2>");
    for (id, held) in accounts.iter().take(LISTED_ACCOUNTS) {
        let (link, amount) = (account(id), near(held.amount()));
        html.push_str(&format!(
            "<div class=\"row\"><span>{link}</span><span>{amount}</span></div>"
        ));
    }
    if accounts.len() > LISTED_ACCOUNTS {
        html.push_str("<p class=\"dim\">There are more.</p>");
    }
    page(StatusCode::OK, "Local NEAR chain", &html)
}

/// `/transactions/{id}`.
pub(super) async fn transaction(State(chain): State<Chain>, Path(id): Path<String>) -> Response {
    let Ok(hash) = id.parse::<CryptoHash>() else {
        return page(
            StatusCode::NOT_FOUND,
            "Not a transaction id",
            "<p>An id is 32 bytes in base58.</p>",
        );
    };
    let found = in_background(move || {
        let ledger = chain.ledger();
        let status = status::of(&ledger, &hash)?;
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
        return fault();
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

fn verdict(status: &FinalExecutionStatus) -> String {
    match status {
        FinalExecutionStatus::SuccessValue(_) => "<span class=\"good\">Success</span>".to_owned(),
        FinalExecutionStatus::Failure(_) => "<span class=\"bad\">Failure</span>".to_owned(),
        FinalExecutionStatus::Started | FinalExecutionStatus::NotStarted => "Under way".to_owned(),
    }
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
    let gas = all().map(|next| next.outcome.gas_burnt).fold(
        Default::default(),
        |sum: near_primitives::types::Gas, gas| sum.saturating_add(gas),
    );
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
            // The receipt of a transaction to the signer itself is not listed: it is all the
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

/// A block's height and time; its hash when it is forgotten.
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

/// When a block was made, to the second.
fn moment(block: &Block) -> String {
    let iso = time(block)
        .ok()
        .and_then(|time| {
            near_time::serde_utc_as_iso::serialize(&time, serde_json::value::Serializer).ok()
        })
        .and_then(|iso| Some(iso.as_str()?.get(..19)?.replace('T', " ")));
    iso.map_or_else(String::new, |iso| format!("{} UTC", text(iso)))
}

/// What an account's page shows.
struct AccountPage {
    account: AccountView,
    code_bytes: Option<usize>,
    keys: Vec<(String, AccessKeyView)>,
    transactions: Vec<FinalExecutionOutcomeView>,
}

fn look_up(chain: &Chain, id: &AccountId) -> Result<AccountPage, ViewError> {
    let ledger = chain.ledger();
    let state = StateUpdate::new(&ledger.state);
    let account = state.account(id)?.ok_or(ViewError::UnknownAccount)?.into();
    let keys = state.access_keys(id)?;
    let keys = keys
        .into_iter()
        .map(|(handle, key)| (handle.to_string(), key.into()))
        .collect();
    let mut transactions = Vec::new();
    for hash in ledger.storage.history(id, LISTED_TRANSACTIONS)? {
        if let TransactionStatus::Included { outcome, .. } = status::of(&ledger, &hash)? {
            transactions.push(*outcome);
        }
    }
    Ok(AccountPage {
        account,
        code_bytes: state.code(id).map(|code| code.len()),
        keys,
        transactions,
    })
}

/// `/address/{account}`.
pub(super) async fn address(State(chain): State<Chain>, Path(name): Path<String>) -> Response {
    let Ok(id) = name.parse::<AccountId>() else {
        return page(
            StatusCode::NOT_FOUND,
            "Not an account id",
            "<p>No account can have this name.</p>",
        );
    };
    let found = in_background(move || look_up(&chain, &id)).await;
    let found = match found {
        Ok(Ok(found)) => found,
        Ok(Err(ViewError::UnknownAccount)) => {
            return page(
                StatusCode::NOT_FOUND,
                &name,
                "<p>This chain has no such account.</p>",
            );
        }
        Ok(Err(_)) | Err(_) => return fault(),
    };
    let mut rows = vec![
        ("Balance", near(found.account.amount)),
        ("Staked", near(found.account.locked)),
        ("Storage", format!("{} bytes", found.account.storage_usage)),
    ];
    if let Some(bytes) = found.code_bytes {
        let hash = code(found.account.code_hash);
        rows.push(("Contract", format!("{hash}, {bytes} bytes")));
    }
    let mut html = facts(&rows);
    html.push_str("<h2>Keys</h2>");
    for (public_key, key) in &found.keys {
        html.push_str(&format!(
            "<div class=\"row\"><span>{}</span><span>{}</span></div>",
            code(public_key),
            permission(key)
        ));
    }
    if found.keys.is_empty() {
        html.push_str("<p class=\"dim\">None: nobody can sign for it.</p>");
    }
    html.push_str("<h2>Transactions</h2>");
    for outcome in &found.transactions {
        html.push_str(&transaction_row(outcome));
    }
    if found.transactions.is_empty() {
        html.push_str("<p class=\"dim\">None yet.</p>");
    }
    page(StatusCode::OK, &name, &html)
}

fn transaction_row(outcome: &FinalExecutionOutcomeView) -> String {
    let transaction = &outcome.transaction;
    let id = transaction.hash.to_string();
    let short = format!("{}…", id.get(..8).unwrap_or(&id));
    format!(
        "<div class=\"row\"><code>{}</code><span>{} → {}: {}</span>{}</div>",
        transaction_link(&id, short),
        account(&transaction.signer_id),
        account(&transaction.receiver_id),
        summary(&transaction.actions),
        verdict(&outcome.status)
    )
}

fn fault() -> Response {
    page(
        StatusCode::INTERNAL_SERVER_ERROR,
        "The chain cannot answer",
        "<p>Its log says why.</p>",
    )
}
