//! Work that takes the chain's lock, away from the threads that serve requests.

use near_jsonrpc_primitives::errors::RpcError;

use super::answer::internal;

/// Runs a job that takes the chain's lock on a thread that may block.
pub(super) async fn in_background<T: Send + 'static>(
    job: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Box<RpcError>> {
    tokio::task::spawn_blocking(job)
        .await
        .map_err(|error| internal(format!("a request failed: {error}")))
}
