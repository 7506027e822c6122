//! The few pieces of HTML that the explorer's pages are made of.

use std::fmt::{Display, Write};

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

/// Nothing but the page's own style may load, and no other page may frame it.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

const STYLE: &str = "
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent) }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.3rem } h2 { font-size: 1rem; margin: 2rem 0 .5rem }
code, pre, td { overflow-wrap: anywhere } code, pre { font: 13px/1.5 ui-monospace, monospace }
pre { margin: .25rem 0; white-space: pre-wrap }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line) }
th { font-weight: 500; opacity: .7; width: 9rem }
a { color: light-dark(#0a58ca, #8ab4f8); text-decoration: none } a:hover { text-decoration: underline }
.good { color: light-dark(#146c43, #75d6a0) } .bad { color: light-dark(#b02a37, #ff9aa5) }
";

/// Text made safe to stand in a page.
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
            other => safe.push(other),
        }
    }
    safe
}

/// A link to an account; `system`, the sender of refunds, is none.
pub(super) fn account(id: impl Display) -> String {
    let id = text(id);
    if id == "system" {
        return id;
    }
    format!("<a href=\"/address/{id}\">{id}</a>")
}

/// A link to a transaction.
pub(super) fn transaction(id: impl Display) -> String {
    let id = text(id);
    format!("<a href=\"/transactions/{id}\"><code>{id}</code></a>")
}

/// A table of names and values; the values are HTML already.
pub(super) fn facts(rows: &[(&str, String)]) -> String {
    let mut table = String::from("<table>");
    for (name, value) in rows {
        // Writing to a String cannot fail.
        let _ = write!(
            table,
            "<tr><th scope=\"row\">{}</th><td>{value}</td></tr>",
            text(name)
        );
    }
    table.push_str("</table>");
    table
}

/// A whole page.
pub(super) fn page(status: StatusCode, title: &str, body: &str) -> Response {
    let title = text(title);
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title}</title><style>{STYLE}</style><body><main>\
         <p><a href=\"/\">Local NEAR chain</a></p><h1>{title}</h1>{body}</main></body></html>"
    );
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    (status, headers, html).into_response()
}
