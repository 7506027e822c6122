//! HTTP: one address, `POST /` for JSON-RPC, open to every origin.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use near_jsonrpc_primitives::errors::RpcError;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tower_http::cors::CorsLayer;

use super::answer::{internal, response};
use super::{explorer, methods};
use crate::chain::Chain;

/// Bytes of a request's body: a contract of the largest size, in base64, with room to spare.
const MAX_BODY: usize = 10 * 1024 * 1024;
/// How long requests under way may still take when the server is told to stop.
const GRACE: Duration = Duration::from_secs(2);
/// Requests in one batch.
const MAX_BATCH: usize = 100;

/// Why the server cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The port belongs to another program.
    #[error("port {0} on 127.0.0.1 is taken by another program; choose another with --port")]
    PortTaken(u16),
    /// The network failed.
    #[error("the server failed: {0}")]
    Io(#[from] std::io::Error),
}

/// Takes a port of 127.0.0.1; 0 takes a free one.
pub async fn bind(port: u16) -> Result<TcpListener, ServeError> {
    TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], port)))
        .await
        .map_err(|error| match error.kind() {
            std::io::ErrorKind::AddrInUse => ServeError::PortTaken(port),
            _ => ServeError::Io(error),
        })
}

/// Serves `chain` until `stop` resolves; requests under way are answered first.
pub async fn serve(
    listener: TcpListener,
    chain: Chain,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let app = Router::new()
        .route("/", post(rpc))
        .route("/", get(explorer::home))
        .route("/transactions/{id}", get(explorer::transaction))
        .route("/address/{account}", get(explorer::address))
        .route("/health", get(health))
        .route("/status", get(status))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(CorsLayer::very_permissive())
        .with_state(chain);
    let (stopping, stopped) = tokio::sync::oneshot::channel();
    let stop = async {
        stop.await;
        // The receiver is gone only when serving has failed, and then there is nobody to tell.
        let _ = stopping.send(());
    };
    let patience = async {
        if stopped.await.is_ok() {
            tokio::time::sleep(GRACE).await;
        } else {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        served = axum::serve(listener, app).with_graceful_shutdown(stop) => served?,
        () = patience => {}
    }
    Ok(())
}

/// Runs a job that takes the chain's lock on a thread made for blocking.
pub(super) async fn in_background<T: Send + 'static>(
    job: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Box<RpcError>> {
    tokio::task::spawn_blocking(job)
        .await
        .map_err(|error| internal(format!("a request failed: {error}")))
}

async fn rpc(State(chain): State<Chain>, body: Bytes) -> Response {
    let request: Value = match serde_json::from_slice(&body) {
        Ok(request) => request,
        Err(error) => {
            let error = Box::new(RpcError::parse_error(error.to_string()));
            return reply(response(Value::Null, Err(error)));
        }
    };
    match request {
        Value::Array(requests) if !requests.is_empty() && requests.len() <= MAX_BATCH => {
            let mut answers = Vec::with_capacity(requests.len());
            for request in requests {
                answers.push(answer(&chain, request).await.1);
            }
            reply((StatusCode::OK, Value::Array(answers)))
        }
        Value::Array(_) => {
            let message = format!("A batch holds 1 to {MAX_BATCH} requests");
            reply(response(
                Value::Null,
                Err(Box::new(RpcError::parse_error(message))),
            ))
        }
        single => reply(answer(&chain, single).await),
    }
}

/// Answers one request object.
async fn answer(chain: &Chain, mut request: Value) -> (StatusCode, Value) {
    let id = request.get_mut("id").map_or(Value::Null, Value::take);
    let params = request.get_mut("params").map_or(Value::Null, Value::take);
    let version_fits = request.get("jsonrpc").and_then(Value::as_str) == Some("2.0");
    let answer = match request.get("method").and_then(Value::as_str) {
        Some(method) if version_fits => methods::call(chain, method, params).await,
        _ => Err(Box::new(RpcError::parse_error(
            "Not a JSON-RPC 2.0 request".to_owned(),
        ))),
    };
    response(id, answer)
}

async fn health(State(_): State<Chain>) -> impl IntoResponse {
    StatusCode::OK
}

async fn status(State(chain): State<Chain>) -> Response {
    reply(match methods::call(&chain, "status", Value::Null).await {
        Ok(status) => (StatusCode::OK, status),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, json!(*error)),
    })
}

fn reply((status, body): (StatusCode, Value)) -> Response {
    (
        status,
        [(header::CONTENT_TYPE, "application/json")],
        body.to_string(),
    )
        .into_response()
}
