//! Answers to requests: a result, or an error in a node's envelope with its HTTP status.

use axum::http::StatusCode;
use near_jsonrpc_primitives::errors::{RpcError, RpcErrorKind};
use serde::Serialize;
use serde_json::{Value, json};

/// The answer to one method call.
pub(super) type Answer = Result<Value, Box<RpcError>>;

/// Wraps an error of near-jsonrpc-primitives in the envelope.
pub(super) fn refuse<E: Into<RpcError>>(error: E) -> Box<RpcError> {
    Box::new(error.into())
}

/// The error for parameters that do not fit the method.
pub(super) fn bad_params(message: impl Into<String>) -> Box<RpcError> {
    Box::new(RpcError::parse_error(message.into()))
}

/// The error for a failure of the chain itself.
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

/// The HTTP status that a node gives an error: 200 for most, its own for those a client must notice.
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
