//! `/admin/faults`: for programs on this machine, not for pages in a browser.
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
use serde_json::{Map, Value, json};

use super::connections::Peer;
use super::faults::{FaultSettings, Faults};

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

/// `GET`: the settings, and how often each fault occurred.
pub(super) async fn show(State(faults): State<Faults>) -> Response {
    Json(faults.report()).into_response()
}

/// `PUT`: replaces the settings. Faults missing from the body are off.
pub(super) async fn replace(
    State(faults): State<Faults>,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let body = match body {
        Ok(body) => body,
        Err(error) => return refuse(error.status(), &error.body_text()),
    };
    // Parse an object first, because serde also accepts a list of values in field order.
    let settings = serde_json::from_slice::<Map<String, Value>>(&body)
        .and_then(|fields| serde_json::from_value::<FaultSettings>(Value::Object(fields)));
    let settings = match settings {
        Ok(settings) => settings,
        Err(error) => {
            let reason = format!("the body is not a JSON object of fault settings: {error}");
            return refuse(StatusCode::BAD_REQUEST, &reason);
        }
    };
    if let Err(error) = faults.replace(settings) {
        return refuse(StatusCode::BAD_REQUEST, &error.to_string());
    }
    show(State(faults)).await
}

/// `DELETE`: turns all faults off.
pub(super) async fn clear(State(faults): State<Faults>) -> Response {
    match faults.replace(FaultSettings::default()) {
        Ok(()) => show(State(faults)).await,
        Err(error) => refuse(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
    }
}

fn refuse(status: StatusCode, reason: &str) -> Response {
    (status, Json(json!({ "error": reason }))).into_response()
}
