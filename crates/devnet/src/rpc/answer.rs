//! What a request is answered with: a result, or an error in the node's envelope with its status.

use axum::http::StatusCode;
use near_jsonrpc_primitives::errors::{RpcError, RpcErrorKind};
use serde::Serialize;
use serde_json::{Value, json};

/// The answer to one method call.
pub(super) type Answer = Result<Value, Box<RpcError>>;

/// Turns one of near-jsonrpc-primitives' errors into the envelope.
pub(super) fn refuse<E: Into<RpcError>>(error: E) -> Box<RpcError> {
    Box::new(error.into())
}

/// Parameters that do not fit the method.
pub(super) fn bad_params(message: impl Into<String>) -> Box<RpcError> {
    Box::new(RpcError::parse_error(message.into()))
}

/// A fault of the chain.
pub(super) fn internal(error: impl ToString) -> Box<RpcError> {
    let message = error.to_string();
    Box::new(RpcError::new_internal_error(
        Some(Value::String(message.clone())),
        message,
    ))
}

/// Serialises a view as the result.
pub(super) fn result(view: impl Serialize) -> Answer {
    serde_json::to_value(view)
        .map_err(|error| Box::new(RpcError::serialization_error(error.to_string())))
}

/// The response to one request object.
pub(super) fn response(id: Value, answer: Answer) -> (StatusCode, Value) {
    match answer {
        Ok(result) => (
            StatusCode::OK,
            json!({ "jsonrpc": "2.0", "result": result, "id": id }),
        ),
        Err(error) => {
            let status = status(&error);
            (
                status,
                json!({ "jsonrpc": "2.0", "error": *error, "id": id }),
            )
        }
    }
}

/// The HTTP status a node gives an error. Most keep 200; those a client must see are its own.
fn status(error: &RpcError) -> StatusCode {
    match &error.error_struct {
        Some(RpcErrorKind::HandlerError(cause)) => {
            match cause.get("name").and_then(Value::as_str) {
                Some("TIMEOUT_ERROR") => StatusCode::REQUEST_TIMEOUT,
                Some("UNKNOWN_BLOCK") => StatusCode::UNPROCESSABLE_ENTITY,
                _ => StatusCode::OK,
            }
        }
        Some(RpcErrorKind::InternalError(_)) => StatusCode::INTERNAL_SERVER_ERROR,
        Some(RpcErrorKind::RequestValidationError(_)) => StatusCode::BAD_REQUEST,
        None => StatusCode::OK,
    }
}
