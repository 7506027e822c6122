//! The method `query` with its old forms of errors, and the methods that answer the same views with
//! structured errors.

use near_jsonrpc_primitives::errors::RpcError;
use near_jsonrpc_primitives::types::query::RpcQueryError;
use near_primitives::hash::CryptoHash;
use near_primitives::types::{BlockHeight, BlockId, BlockReference};
use near_primitives::views::QueryRequest;
use serde_json::{Value, json};

use super::answer::{Answer, refuse, result};
use super::node::Node;
use super::params;
use super::views::view;

/// Answers `query`. A node returns some errors inside a result, for old clients that read them there.
pub(super) fn query(node: &Node, params: Value) -> Answer {
    let (reference, request) = params::query(params)?;
    let of_key = matches!(request, QueryRequest::ViewAccessKey { .. });
    match view(node, reference, request) {
        Ok(viewed) => result(viewed),
        Err(RpcQueryError::ContractExecutionError {
            vm_error,
            block_height,
            block_hash,
            ..
        }) => Ok(error_in_result(vm_error, block_height, block_hash)),
        Err(RpcQueryError::UnknownAccessKey {
            public_key,
            block_height,
            block_hash,
        }) => {
            let text = format!("access key {public_key} does not exist while viewing");
            Ok(error_in_result(text, block_height, block_hash))
        }
        Err(
            error @ RpcQueryError::UnknownAccount {
                block_height,
                block_hash,
                ..
            },
        ) if of_key => Ok(error_in_result(error.to_string(), block_height, block_hash)),
        Err(RpcQueryError::UnknownBlock { block_reference }) => {
            let data = match &block_reference {
                BlockReference::BlockId(BlockId::Height(height)) => {
                    format!("DB Not Found Error: BLOCK HEIGHT: {height} \n Cause: Unknown")
                }
                BlockReference::BlockId(BlockId::Hash(hash)) => {
                    format!("DB Not Found Error: BLOCK HEADER: {hash}")
                }
                _ => "There is no such block".to_owned(),
            };
            let mut error = refuse(RpcQueryError::UnknownBlock { block_reference });
            error.data = Some(Box::new(data.into()));
            Err(error)
        }
        Err(error) => Err(refuse(error)),
    }
}

fn error_in_result(error: String, block_height: BlockHeight, block_hash: CryptoHash) -> Value {
    let logs: [String; 0] = [];
    json!({
        "error": error, "logs": logs, "block_height": block_height, "block_hash": block_hash,
    })
}

/// Answers a method of one view, such as `EXPERIMENTAL_view_account`, whose errors are `E`.
pub(super) fn structured<E>(node: &Node, request_type: &str, params: Value) -> Answer
where
    E: From<RpcQueryError> + Into<RpcError>,
{
    let (reference, request) = params::view(request_type, params)?;
    match view(node, reference, request) {
        Ok(viewed) => result(viewed),
        Err(error) => Err(refuse(E::from(error))),
    }
}
