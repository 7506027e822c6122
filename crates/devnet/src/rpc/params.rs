//! Parameters in the forms that nodes accept: named, or the older positional ones.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use near_jsonrpc_primitives::types::blocks::RpcBlockRequest;
use near_jsonrpc_primitives::types::query::RpcQueryRequest;
use near_jsonrpc_primitives::types::transactions::{
    RpcSendTransactionRequest, RpcTransactionStatusRequest, TransactionInfo,
};
use near_primitives::transaction::SignedTransaction;
use near_primitives::types::{BlockId, BlockReference, EpochReference};
use near_primitives::views::{QueryRequest, TxExecutionStatus};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use near_jsonrpc_primitives::errors::RpcError;

use super::answer::bad_params;

/// The most characters of a query's base58 data. Decoding takes quadratic time.
const MAX_BASE58: usize = 16 * 1024;

type Parsed<T> = Result<T, Box<RpcError>>;

fn named<T: DeserializeOwned>(params: Value) -> Parsed<T> {
    serde_json::from_value(params)
        .map_err(|error| bad_params(format!("Failed parsing args: {error}")))
}

/// `block`: a block reference, or `[block_id]`.
pub(super) fn block(params: Value) -> Parsed<BlockReference> {
    match params {
        Value::Array(list) => Ok(BlockReference::BlockId(only(list)?)),
        other => block_reference(other),
    }
}

/// `EXPERIMENTAL_protocol_config`: `{block_id}`, `{finality}` or `{sync_checkpoint}`.
pub(super) fn block_reference(params: Value) -> Parsed<BlockReference> {
    // Serde would also accept a list of values in field order.
    if !params.is_object() {
        return Err(bad_params(
            "Failed parsing args: a block reference is missing",
        ));
    }
    Ok(named::<RpcBlockRequest>(params)?.block_reference)
}

/// The only element of a list.
fn only<T: DeserializeOwned>(list: Vec<Value>) -> Parsed<T> {
    let [one] = <[Value; 1]>::try_from(list)
        .map_err(|_| bad_params("Failed parsing args: expected a list of one value"))?;
    named(one)
}

/// `gas_price`: `[block_id]`, `[null]`, `{block_id}` or nothing.
pub(super) fn optional_block_id(params: Value) -> Parsed<Option<BlockId>> {
    let id = match params {
        Value::Null => None,
        Value::Array(list) => list.into_iter().next(),
        Value::Object(mut map) => map.remove("block_id"),
        other => return named(other).map(Some),
    };
    id.filter(|id| !id.is_null()).map(named).transpose()
}

/// `validators`: `{epoch_id}`, `{block_id}`, `[block_id]`, `[null]` or `"latest"`.
pub(super) fn epoch(params: Value) -> Parsed<EpochReference> {
    let Value::Array(list) = params else {
        return named(params);
    };
    let block_id: Option<BlockId> = only(list)?;
    Ok(block_id.map_or(EpochReference::Latest, EpochReference::BlockId))
}

/// `sandbox_fast_forward`: `{delta_height}`, 1 to 10,000 blocks.
pub(super) fn delta_height(params: &Value) -> Parsed<u64> {
    let count = params.get("delta_height").and_then(Value::as_u64);
    count
        .filter(|count| (1..=10_000).contains(count))
        .ok_or_else(|| bad_params("delta_height must be a number from 1 to 10000"))
}

/// `query`: named with a block reference, or `["path", "base58 data"]`.
pub(super) fn query(params: Value) -> Parsed<(BlockReference, QueryRequest)> {
    let params = match params {
        Value::Array(list) => {
            let mut params = query_by_path(&list)?;
            if let Value::Object(map) = &mut params {
                map.insert("finality".to_owned(), json!("optimistic"));
            }
            params
        }
        other => other,
    };
    let request: RpcQueryRequest = named(params)?;
    Ok((request.block_reference, request.request))
}

/// A method of one view: the fields of `query` without the type of the request.
pub(super) fn view(request_type: &str, params: Value) -> Parsed<(BlockReference, QueryRequest)> {
    let Value::Object(mut fields) = params else {
        return Err(bad_params(
            "Failed parsing args: the parameters have no names",
        ));
    };
    fields.insert("request_type".to_owned(), request_type.into());
    let request: RpcQueryRequest = named(Value::Object(fields))?;
    Ok((request.block_reference, request.request))
}

/// `["account/alice.testnet", ""]`, `["access_key/ID[/KEY]", ""]`, `["code/ID", ""]`,
/// `["contract/ID", prefix]` and `["call/ID/METHOD", args]`; data is base58.
fn query_by_path(list: &[Value]) -> Parsed<Value> {
    let path = list
        .first()
        .and_then(Value::as_str)
        .ok_or_else(|| bad_params("Query path is missing"))?;
    let data = list.get(1).and_then(Value::as_str).unwrap_or_default();
    if data.len() > MAX_BASE58 {
        let reason =
            format!("Query data has more than {MAX_BASE58} characters; name the parameters");
        return Err(bad_params(reason));
    }
    let data = bs58::decode(data)
        .into_vec()
        .map_err(|error| bad_params(error.to_string()))?;
    let data = STANDARD.encode(data);
    let parts: Vec<&str> = path.splitn(3, '/').collect();
    match parts.as_slice() {
        ["account", id] => Ok(json!({ "request_type": "view_account", "account_id": id })),
        ["access_key", id] => {
            Ok(json!({ "request_type": "view_access_key_list", "account_id": id }))
        }
        ["access_key", id, key] => {
            Ok(json!({ "request_type": "view_access_key", "account_id": id, "public_key": key }))
        }
        ["code", id] => Ok(json!({ "request_type": "view_code", "account_id": id })),
        ["contract", id] => {
            Ok(json!({ "request_type": "view_state", "account_id": id, "prefix_base64": data }))
        }
        ["call", id, method] => Ok(json!({
            "request_type": "call_function",
            "account_id": id,
            "method_name": method,
            "args_base64": data,
        })),
        _ => Err(bad_params(format!("Unknown path {path}"))),
    }
}

/// `send_tx`: `{signed_tx_base64, wait_until?}` or `[base64]`.
pub(super) fn send(params: Value) -> Parsed<RpcSendTransactionRequest> {
    match params {
        Value::Array(list) => Ok(RpcSendTransactionRequest {
            signed_transaction: signed(list)?,
            wait_until: Default::default(),
        }),
        other => named(other),
    }
}

/// `broadcast_tx_*`: `[base64]`, or named.
pub(super) fn broadcast(params: Value) -> Parsed<SignedTransaction> {
    Ok(send(params)?.signed_transaction)
}

fn signed(list: Vec<Value>) -> Parsed<SignedTransaction> {
    let first = list
        .into_iter()
        .next()
        .ok_or_else(|| bad_params("A signed transaction is missing"))?;
    named(first)
}

/// `tx`, `tx_status`, `EXPERIMENTAL_tx_status`: named, `[hash, sender]` or `[base64]`.
pub(super) fn status(params: Value) -> Parsed<RpcTransactionStatusRequest> {
    let Value::Array(list) = params else {
        return named(params);
    };
    let wait_until = TxExecutionStatus::default();
    let transaction_info = match list.as_slice() {
        [hash, sender] => TransactionInfo::TransactionId {
            tx_hash: named(hash.clone())?,
            sender_account_id: named(sender.clone())?,
        },
        _ => TransactionInfo::from_signed_tx(signed(list)?),
    };
    Ok(RpcTransactionStatusRequest {
        transaction_info,
        wait_until,
    })
}
