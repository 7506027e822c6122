//! The HTML elements of the explorer's pages.

use std::fmt::{Display, Write};

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

/// Only the page's own style may load, and no other page may frame it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; \
                      base-uri 'none'; form-action 'none'";

const STYLE: &str = "
:root { color-scheme: light dark; --text: light-dark(#1b1b1f, #e6e6ea); --dim: light-dark(#5d5d66, #a0a0ab);
  --page: light-dark(#fff, #131316); --card: light-dark(#f6f6f8, #1c1c21); --line: light-dark(#e2e2e8, #2e2e36);
  --link: light-dark(#0a58ca, #8ab4f8); --good: light-dark(#146c43, #75d6a0); --bad: light-dark(#b02a37, #ff9aa5) }
* { box-sizing: border-box }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page);
  max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere }
h1 { font-size: 1.35rem; margin: 1rem 0 .5rem } h2 { font-size: 1.05rem; margin: 2rem 0 .75rem }
h3 { font-size: 1rem; font-weight: 500; margin: 0 } p { margin: .25rem 0 }
code, pre { font: 13px/1.5 ui-monospace, monospace }
pre { margin: .35rem 0 0; padding: .5rem .75rem; white-space: pre-wrap; max-height: 24rem; overflow: auto;
  background: light-dark(#0000000a, #ffffff0d); border-radius: 6px }
a { color: var(--link); text-decoration: none } a:hover { text-decoration: underline }
a:focus-visible { outline: 2px solid; outline-offset: 2px; border-radius: 2px }
dl { margin: 0 } dl > div { display: grid; grid-template-columns: 9rem 1fr; gap: .25rem 1rem; padding: .5rem 0;
  border-top: 1px solid var(--line) } dt { color: var(--dim) } dd { margin: 0; min-width: 0 }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .75rem 1rem; margin: .75rem 0 }
.card header { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; margin-bottom: .5rem }
.card header > :last-child { margin-left: auto }
.dim { color: var(--dim) } .good { color: var(--good) } .bad { color: var(--bad) }
dd > pre:first-child { margin-top: 0 }
.row { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .75rem; padding: .5rem 0; border-top: 1px solid var(--line) }
.row > :last-child { margin-left: auto }
@media (max-width: 40rem) { dl > div { grid-template-columns: 1fr } }
";

/// Escapes text for a page: markup, and characters that hide or reorder others.
pub(super) fn text(value: impl Display) -> String {
    let value = value.to_string();
    let mut safe = String::with_capacity(value.len());
    for character in value.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' => safe.push(character),
            '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}' => safe.extend(character.escape_unicode()),
            other if other.is_control() => safe.extend(other.escape_unicode()),
            other => safe.push(other),
        }
    }
    safe
}

/// A link to an account. `system`, the sender of refunds, is no account and gets no link.
pub(super) fn account(id: impl Display) -> String {
    let id = text(id);
    if id == "system" {
        return id;
    }
    format!("<a href=\"/address/{id}\">{id}</a>")
}

/// A link to a transaction.
pub(super) fn transaction(id: impl Display, words: impl Display) -> String {
    let (id, words) = (text(id), text(words));
    format!("<a href=\"/transactions/{id}\">{words}</a>")
}

pub(super) fn code(value: impl Display) -> String {
    format!("<code>{}</code>", text(value))
}

/// A list of names and values. The values are HTML already.
pub(super) fn facts(rows: &[(&str, String)]) -> String {
    let mut list = String::from("<dl>");
    for (name, value) in rows {
        // Writing to a String cannot fail.
        let _ = write!(list, "<div><dt>{}</dt><dd>{value}</dd></div>", text(name));
    }
    list.push_str("</dl>");
    list
}

/// A whole page.
pub(super) fn page(status: StatusCode, title: &str, body: &str) -> Response {
    whole_page(status, title, body, "")
}

/// A page about something still in progress: reloads every two seconds.
pub(super) fn lively_page(title: &str, body: &str) -> Response {
    let again = "<meta http-equiv=\"refresh\" content=\"2\">";
    whole_page(StatusCode::OK, title, body, again)
}

/// The page shown when the chain cannot answer.
pub(super) fn fault_page() -> Response {
    page(
        StatusCode::INTERNAL_SERVER_ERROR,
        "The chain cannot answer",
        "<p>Its log says why.</p>",
    )
}

fn whole_page(status: StatusCode, title: &str, body: &str, head: &str) -> Response {
    let title = text(title);
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">{head}\
         <title>{title}</title><style>{STYLE}</style><body>\
         <nav><a href=\"/\">Local NEAR chain</a></nav><main><h1>{title}</h1>{body}</main></body></html>"
    );
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (status, headers, html).into_response()
}
