//! `/`: the chain's head and its accounts.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use tokio::task::spawn_blocking;

use super::html::{account, code, facts, fault_page, page, text};
use super::words::{moment, near};
use crate::chain::Chain;
use crate::errors::ViewError;

/// Accounts listed on the page.
const LISTED_ACCOUNTS: usize = 50;

/// `/`: the head, and the first accounts.
pub(crate) async fn home(State(chain): State<Chain>) -> Response {
    let found = spawn_blocking(move || {
        let ledger = chain.ledger();
        // One more than listed shows whether there are more.
        let accounts = ledger.state.accounts(LISTED_ACCOUNTS + 1)?;
        Ok::<_, ViewError>((ledger.head.clone(), accounts))
    });
    let Ok(Ok((head, accounts))) = found.await else {
        return fault_page();
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
