//! `/admin/faults` and `/admin/network`: for programs on this machine, not for pages in a browser.
//!
//! The chain listens on loopback, but any page in a browser can send requests there. The `Origin`
//! header reveals such a page. A page that points its own host name at loopback (DNS rebinding) may
//! send no `Origin`, but reveals itself by `Host`.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::background::in_background;
use super::connections::Peer;
use super::faults::{FaultSettings, Faults};
use crate::chain::Chain;
use crate::network::NetworkSettings;

/// The most bytes of a body that changes the settings.
pub(super) const MAX_BODY: usize = 16 * 1024;

/// Admits only programs on this machine.
pub(super) async fn guard(
    ConnectInfo(peer): ConnectInfo<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    if headers.contains_key(header::ORIGIN) {
        return refuse(
            StatusCode::FORBIDDEN,
            "the admin route is not for browsers: send no Origin header",
        );
    }
    if !peer.address.ip().is_loopback() || !names_loopback(headers) {
        return refuse(
            StatusCode::FORBIDDEN,
            "the admin route is for this machine only: ask 127.0.0.1 or localhost",
        );
    }
    next.run(request).await
}

fn names_loopback(headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return false;
    };
    let Ok(authority) = Authority::try_from(host.as_bytes()) else {
        return false;
    };
    let name = authority.host();
    let address = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || address
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// `GET /admin/faults`: the settings, and how often each fault occurred.
pub(super) async fn show_faults(State(faults): State<Faults>) -> Response {
    Json(faults.report()).into_response()
}

/// `PUT /admin/faults`: replaces the settings. Faults missing from the body are off.
pub(super) async fn replace_faults(
    State(faults): State<Faults>,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let changed = settings(body).and_then(|settings| changed(faults.replace(settings)));
    match changed {
        Ok(()) => show_faults(State(faults)).await,
        Err(refusal) => *refusal,
    }
}

/// `DELETE /admin/faults`: turns all faults off.
pub(super) async fn clear_faults(State(faults): State<Faults>) -> Response {
    match changed(faults.replace(FaultSettings::default())) {
        Ok(()) => show_faults(State(faults)).await,
        Err(refusal) => *refusal,
    }
}

/// `GET /admin/network`: how the nodes know and treat the chain.
pub(super) async fn show_network(State(chain): State<Chain>) -> Response {
    match in_background(move || chain.network()).await {
        Ok(settings) => Json(settings).into_response(),
        Err(error) => refuse(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
    }
}

/// `PUT /admin/network`: replaces how the nodes know and treat the chain. What the body leaves out is as
/// in a chain like a node.
pub(super) async fn replace_network(
    State(chain): State<Chain>,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let settings: NetworkSettings = match settings(body) {
        Ok(settings) => settings,
        Err(refusal) => return *refusal,
    };
    let replaced = chain.clone();
    match in_background(move || replaced.set_network(settings)).await {
        Ok(replaced) => match changed(replaced) {
            Ok(()) => show_network(State(chain)).await,
            Err(refusal) => *refusal,
        },
        Err(error) => refuse(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
    }
}

/// The settings in a body.
fn settings<T: DeserializeOwned>(body: Result<Bytes, BytesRejection>) -> Result<T, Box<Response>> {
    let body = body.map_err(|error| Box::new(refuse(error.status(), &error.body_text())))?;
    // Parse an object first, because serde also accepts a list of values in field order.
    serde_json::from_slice::<Map<String, Value>>(&body)
        .and_then(|fields| serde_json::from_value(Value::Object(fields)))
        .map_err(|error| {
            let reason = format!("the body is not a JSON object of settings: {error}");
            Box::new(refuse(StatusCode::BAD_REQUEST, &reason))
        })
}

/// The answer to settings that are out of range.
fn changed<E: std::fmt::Display>(changed: Result<(), E>) -> Result<(), Box<Response>> {
    changed.map_err(|error| Box::new(refuse(StatusCode::BAD_REQUEST, &error.to_string())))
}

fn refuse(status: StatusCode, reason: &str) -> Response {
    (status, Json(json!({ "error": reason }))).into_response()
}
