//! Pages for people: what a transaction did, what an account holds.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use near_primitives::hash::CryptoHash;
use near_primitives::receipt::Receipt;
use near_primitives::types::{AccountId, Balance};
use near_primitives::views::{
    AccessKeyPermissionView, AccessKeyView, AccountView, ActionView, ExecutionOutcomeWithIdView,
    ExecutionStatusView, FinalExecutionOutcomeView, FinalExecutionStatus, ReceiptEnumView,
    ReceiptView,
};

use super::html::{account, facts, page, text, transaction as transaction_link};
use super::server::in_background;
use crate::chain::Chain;
use crate::errors::ViewError;
use crate::state::StateUpdate;
use crate::status::TransactionStatus;

/// Transactions listed on an account's page.
const LISTED: usize = 50;
/// Bytes of arguments and results that are shown.
const SHOWN: usize = 4_000;

/// `/`: where the chain is and the accounts it began with.
pub(super) async fn home(State(chain): State<Chain>) -> Response {
    let head = match in_background(move || chain.head()).await {
        Ok(head) => head,
        Err(_) => return fault(),
    };
    let accounts = ["testnet", "w3a-v1.testnet", "relayer.testnet"]
        .map(account)
        .join(", ");
    let rows = [
        ("Height", text(head.height)),
        ("Block", format!("<code>{}</code>", text(head.hash))),
        ("Accounts", accounts),
    ];
    page(StatusCode::OK, "Local NEAR chain", &facts(&rows))
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
    match in_background(move || chain.transaction_status(&hash)).await {
        Ok(Ok(TransactionStatus::Included {
            outcome, receipts, ..
        })) => page(
            StatusCode::OK,
            &format!("Transaction {id}"),
            &describe(&outcome, receipts),
        ),
        Ok(Ok(TransactionStatus::Waiting)) => page(
            StatusCode::OK,
            &format!("Transaction {id}"),
            "<p>It waits for the next block.</p>",
        ),
        Ok(Ok(TransactionStatus::Refused(error))) => {
            let reason = format!("<p class=\"bad\">Refused: {}</p>", text(error));
            page(StatusCode::OK, &format!("Transaction {id}"), &reason)
        }
        Ok(Ok(TransactionStatus::Unknown)) => page(
            StatusCode::NOT_FOUND,
            "Unknown transaction",
            "<p>This chain has not seen it.</p>",
        ),
        Ok(Err(_)) | Err(_) => fault(),
    }
}

fn describe(outcome: &FinalExecutionOutcomeView, receipts: Vec<Receipt>) -> String {
    let own = &outcome.transaction_outcome;
    let transaction = &outcome.transaction;
    let burnt = outcome
        .receipts_outcome
        .iter()
        .fold(own.outcome.tokens_burnt, |sum, next| {
            sum.saturating_add(next.outcome.tokens_burnt)
        });
    let gas = outcome
        .receipts_outcome
        .iter()
        .fold(own.outcome.gas_burnt, |sum, next| {
            sum.saturating_add(next.outcome.gas_burnt)
        });
    let status = match &outcome.status {
        FinalExecutionStatus::SuccessValue(value) => good("Success", value),
        FinalExecutionStatus::Failure(error) => {
            format!("<span class=\"bad\">{}</span>", text(error))
        }
        FinalExecutionStatus::Started | FinalExecutionStatus::NotStarted => "Under way".to_owned(),
    };
    let mut html = facts(&[
        ("Status", status),
        ("From", account(&transaction.signer_id)),
        ("To", account(&transaction.receiver_id)),
        (
            "Key",
            format!("<code>{}</code>", text(&transaction.public_key)),
        ),
        ("Nonce", text(transaction.nonce)),
        ("Block", format!("<code>{}</code>", text(own.block_hash))),
        ("Gas burnt", text(gas)),
        ("Tokens burnt", near(burnt)),
        ("Actions", actions(&transaction.actions)),
    ]);
    html.push_str("<h2>Receipts</h2>");
    let receipts: Vec<ReceiptView> = receipts.into_iter().map(Into::into).collect();
    for executed in &outcome.receipts_outcome {
        let receipt = receipts
            .iter()
            .find(|receipt| receipt.receipt_id == executed.id);
        html.push_str(&describe_receipt(executed, receipt));
    }
    html
}

fn describe_receipt(
    executed: &ExecutionOutcomeWithIdView,
    receipt: Option<&ReceiptView>,
) -> String {
    let outcome = &executed.outcome;
    let status = match &outcome.status {
        ExecutionStatusView::SuccessValue(value) => good("Success", value),
        ExecutionStatusView::SuccessReceiptId(id) => {
            format!(
                "<span class=\"good\">Continues in <code>{}</code></span>",
                text(id)
            )
        }
        ExecutionStatusView::Failure(error) => {
            format!("<span class=\"bad\">{}</span>", text(error))
        }
        ExecutionStatusView::Unknown => "Unknown".to_owned(),
    };
    let mut rows = vec![("Receipt", format!("<code>{}</code>", text(executed.id)))];
    if let Some(receipt) = receipt {
        rows.push(("From", account(&receipt.predecessor_id)));
    }
    rows.push(("To", account(&outcome.executor_id)));
    rows.push(("Status", status));
    if let Some(ReceiptView {
        receipt: ReceiptEnumView::Action { actions: list, .. },
        ..
    }) = receipt
    {
        rows.push(("Actions", actions(list)));
    }
    if !outcome.logs.is_empty() {
        let lines: String = outcome
            .logs
            .iter()
            .map(|line| format!("<pre>{}</pre>", text(line)))
            .collect();
        rows.push(("Logs", lines));
    }
    rows.push(("Gas burnt", text(outcome.gas_burnt)));
    rows.push(("Tokens burnt", near(outcome.tokens_burnt)));
    format!("{}<br>", facts(&rows))
}

fn actions(list: &[ActionView]) -> String {
    list.iter()
        .map(|action| format!("<div>{}</div>", describe_action(action)))
        .collect()
}

fn describe_action(action: &ActionView) -> String {
    match action {
        ActionView::CreateAccount => "Create the account".to_owned(),
        // The view holds the code's hash in its place.
        ActionView::DeployContract { code } => {
            format!(
                "Deploy the contract <code>{}</code>",
                text(bs58::encode(code).into_string())
            )
        }
        ActionView::FunctionCall {
            method_name,
            args,
            gas,
            deposit,
        } => format!(
            "Call <code>{}</code> with {} and {}<pre>{}</pre>",
            text(method_name),
            text(gas),
            near(*deposit),
            text(bytes(args))
        ),
        ActionView::Transfer { deposit } => format!("Transfer {}", near(*deposit)),
        ActionView::Stake { stake, .. } => format!("Stake {}", near(*stake)),
        ActionView::AddKey {
            public_key,
            access_key,
        } => {
            format!(
                "Add the key <code>{}</code>, {}",
                text(public_key),
                permission(access_key)
            )
        }
        ActionView::DeleteKey { public_key } => {
            format!("Delete the key <code>{}</code>", text(public_key))
        }
        ActionView::DeleteAccount { beneficiary_id } => {
            format!(
                "Delete the account, its balance to {}",
                account(beneficiary_id)
            )
        }
        ActionView::Delegate {
            delegate_action, ..
        } => {
            let inner: Vec<ActionView> = delegate_action
                .get_actions()
                .into_iter()
                .map(Into::into)
                .collect();
            format!(
                "On behalf of {}: {}",
                account(&delegate_action.sender_id),
                actions(&inner)
            )
        }
        other => format!("<pre>{}</pre>", text(format!("{other:?}"))),
    }
}

fn permission(access_key: &AccessKeyView) -> String {
    match &access_key.permission {
        AccessKeyPermissionView::FullAccess => "full access".to_owned(),
        AccessKeyPermissionView::FunctionCall {
            allowance,
            receiver_id,
            method_names,
        } => {
            let methods = if method_names.is_empty() {
                "any method".to_owned()
            } else {
                method_names.join(", ")
            };
            let allowance = allowance.map_or_else(|| "no limit".to_owned(), near);
            format!(
                "calls {} of {}, {}",
                text(methods),
                account(receiver_id),
                allowance
            )
        }
        other => text(format!("{other:?}")),
    }
}

/// An amount to the last yocto.
fn near(amount: Balance) -> String {
    text(amount.exact_amount_display())
}

fn good(word: &str, value: &[u8]) -> String {
    let value = if value.is_empty() {
        String::new()
    } else {
        format!("<pre>{}</pre>", text(bytes(value)))
    };
    format!("<span class=\"good\">{word}</span>{value}")
}

/// Bytes as text where they are text, else their number.
fn bytes(value: &[u8]) -> String {
    match std::str::from_utf8(value) {
        Ok(text) if text.len() <= SHOWN => text.to_owned(),
        _ => format!("{} bytes", value.len()),
    }
}

/// What an account's page shows.
struct AccountPage {
    account: AccountView,
    keys: Vec<(String, AccessKeyView)>,
    transactions: Vec<CryptoHash>,
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
    Ok(AccountPage {
        account,
        keys,
        transactions: ledger.storage.history(id, LISTED)?,
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
    let AccountPage {
        account,
        keys,
        transactions,
    } = match found {
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
        ("Balance", near(account.amount)),
        ("Staked", near(account.locked)),
        ("Storage", format!("{} bytes", account.storage_usage)),
    ];
    if account.code_hash != CryptoHash::default() {
        rows.push((
            "Contract",
            format!("<code>{}</code>", text(account.code_hash)),
        ));
    }
    let keys: String = keys
        .iter()
        .map(|(public_key, key)| {
            format!(
                "<div><code>{}</code>, {}</div>",
                text(public_key),
                permission(key)
            )
        })
        .collect();
    rows.push((
        "Keys",
        if keys.is_empty() {
            "none".to_owned()
        } else {
            keys
        },
    ));
    let list: String = transactions
        .iter()
        .map(|id| format!("<div>{}</div>", transaction_link(id)))
        .collect();
    rows.push((
        "Transactions",
        if list.is_empty() {
            "none yet".to_owned()
        } else {
            list
        },
    ));
    page(StatusCode::OK, &name, &facts(&rows))
}

fn fault() -> Response {
    page(
        StatusCode::INTERNAL_SERVER_ERROR,
        "The chain cannot answer",
        "<p>Its log says why.</p>",
    )
}
