//! `/address/{account}`: what an account holds, and its latest transactions.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use near_primitives::hash::CryptoHash;
use near_primitives::types::AccountId;
use near_primitives::views::{AccessKeyView, AccountView, FinalExecutionOutcomeView};
use tokio::task::spawn_blocking;

use super::html::{account, code, facts, fault_page, page, transaction as transaction_link};
use super::words::{near, permission, summary, verdict};
use crate::chain::Chain;
use crate::errors::ViewError;
use crate::sight::Sight;
use crate::state::StateUpdate;
use crate::status::{self, TransactionStatus};

/// Transactions listed on the page.
const LISTED_TRANSACTIONS: usize = 50;

/// What an account's page shows.
struct AccountPage {
    account: AccountView,
    /// The hash and the size of the code that it runs.
    contract: Option<(CryptoHash, usize)>,
    keys: Vec<(String, AccessKeyView)>,
    transactions: Vec<FinalExecutionOutcomeView>,
}

fn look_up(chain: &Chain, id: &AccountId) -> Result<AccountPage, ViewError> {
    let ledger = chain.ledger();
    let state = StateUpdate::new(&ledger.state);
    let account = state.account(id)?.ok_or(ViewError::UnknownAccount)?;
    let contract = state.contract(id, &account);
    let keys = state.access_keys(id)?;
    let keys = keys
        .into_iter()
        .map(|(handle, key)| (handle.to_string(), key.into()))
        .collect();
    let mut transactions = Vec::new();
    for hash in ledger.storage.history(id, LISTED_TRANSACTIONS)? {
        if let TransactionStatus::Included { outcome, .. } =
            status::of(&ledger, &hash, &Sight::all_final(ledger.head.clone()))?
        {
            transactions.push(*outcome);
        }
    }
    Ok(AccountPage {
        contract: contract.map(|(hash, code)| (hash, code.len())),
        account: account.into(),
        keys,
        transactions,
    })
}

/// `/address/{account}`.
pub(crate) async fn address(State(chain): State<Chain>, Path(name): Path<String>) -> Response {
    let Ok(id) = name.parse::<AccountId>() else {
        return page(
            StatusCode::NOT_FOUND,
            "Not an account id",
            "<p>No account can have this name.</p>",
        );
    };
    let found = spawn_blocking(move || look_up(&chain, &id)).await;
    let found = match found {
        Ok(Ok(found)) => found,
        Ok(Err(ViewError::UnknownAccount)) => {
            return page(
                StatusCode::NOT_FOUND,
                &name,
                "<p>This chain has no such account.</p>",
            );
        }
        Ok(Err(_)) | Err(_) => return fault_page(),
    };
    let mut rows = vec![
        ("Balance", near(found.account.amount)),
        ("Staked", near(found.account.locked)),
        ("Storage", format!("{} bytes", found.account.storage_usage)),
    ];
    if let Some(nonce) = found.account.bootstrap_nonce {
        rows.push(("State", format!("uninitialised, nonce {nonce}")));
    }
    if let Some((hash, bytes)) = found.contract {
        let mut contract = format!("{}, {bytes} bytes", code(hash));
        if let Some(owner) = &found.account.global_contract_account_id {
            contract.push_str(&format!(", the global contract of {}", account(owner)));
        } else if found.account.global_contract_hash.is_some() {
            contract.push_str(", a global contract");
        }
        rows.push(("Contract", contract));
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
