//! The answers that nearcore's own types write, pinned for the clients that read them: `tests/vectors/rpc/nearcore.json`.
//! A new release of near-jsonrpc-primitives that writes one differently fails here first.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use near_jsonrpc_primitives::errors::{RpcError, RpcParseError};
use near_jsonrpc_primitives::types::blocks::RpcBlockError;
use near_jsonrpc_primitives::types::query::RpcQueryError;
use near_jsonrpc_primitives::types::transactions::{
    RpcTransactionError, RpcTransactionResponse, TimeoutErrorCause,
};
use near_primitives::errors::InvalidTxError;
use near_primitives::hash::CryptoHash;
use near_primitives::types::{BlockId, BlockReference, ShardId};
use near_primitives::views::TxExecutionStatus;
use serde_json::{Map, Value, json};

const KEY: &str = "ed25519:6E8sCci9badyRkXb3JoRpBj5p8C6Tw41ELDZoiihKEtp";
const HEIGHT: u64 = 187_310_138;

fn hash() -> CryptoHash {
    CryptoHash::hash_bytes(b"a block")
}

#[test]
fn the_pinned_answers_are_those_of_nearcores_types() {
    let pinned: Value =
        serde_json::from_str(include_str!("../../../tests/vectors/rpc/nearcore.json")).unwrap();
    let mut written = Map::new();
    for (name, answer) in queries()
        .into_iter()
        .chain(transactions())
        .chain(refusals())
        .chain(requests())
    {
        written.insert(name.to_owned(), answer);
    }
    assert_eq!(pinned["answers"], Value::Object(written));
}

fn error(error: impl Into<RpcError>) -> Value {
    json!({ "jsonrpc": "2.0", "id": "1", "error": error.into() })
}

fn queries() -> Vec<(&'static str, Value)> {
    let requested_account_id: near_primitives::types::AccountId = "gone.testnet".parse().unwrap();
    let contract_account_id = requested_account_id.clone();
    let (block_height, block_hash) = (HEIGHT, hash());
    vec![
        (
            "UNKNOWN_ACCOUNT",
            error(RpcQueryError::UnknownAccount {
                requested_account_id: requested_account_id.clone(),
                block_height,
                block_hash,
            }),
        ),
        (
            "UNKNOWN_ACCESS_KEY",
            error(RpcQueryError::UnknownAccessKey {
                public_key: KEY.parse().unwrap(),
                block_height,
                block_hash,
            }),
        ),
        (
            "NO_CONTRACT_CODE",
            error(RpcQueryError::NoContractCode {
                contract_account_id,
                block_height,
                block_hash,
            }),
        ),
        (
            "TOO_MANY_ACCESS_KEYS",
            error(RpcQueryError::TooManyAccessKeys {
                requested_account_id: requested_account_id.clone(),
                limit: 100,
                block_height,
                block_hash,
            }),
        ),
        (
            "INVALID_ACCOUNT",
            error(RpcQueryError::InvalidAccount {
                requested_account_id,
                block_height,
                block_hash,
            }),
        ),
        (
            "UNKNOWN_BLOCK of a query",
            error(RpcQueryError::UnknownBlock {
                block_reference: BlockReference::BlockId(BlockId::Height(HEIGHT)),
            }),
        ),
        (
            "GARBAGE_COLLECTED_BLOCK",
            error(RpcQueryError::GarbageCollectedBlock {
                block_height,
                block_hash,
            }),
        ),
        (
            "UNAVAILABLE_SHARD",
            error(RpcQueryError::UnavailableShard {
                requested_shard_id: ShardId::new(3),
            }),
        ),
        ("NO_SYNCED_BLOCKS", error(RpcQueryError::NoSyncedBlocks)),
        (
            "INTERNAL_ERROR of a query",
            error(RpcQueryError::InternalError {
                error_message: "MissingTrieValue".to_owned(),
            }),
        ),
        (
            "UNKNOWN_BLOCK of a block",
            error(RpcBlockError::UnknownBlock {
                error_message: format!("BLOCK HEIGHT: {HEIGHT}"),
            }),
        ),
        ("NOT_SYNCED_YET", error(RpcBlockError::NotSyncedYet)),
    ]
}

fn transactions() -> Vec<(&'static str, Value)> {
    let timeout = |cause| error(RpcTransactionError::TimeoutError(cause));
    let nothing = |final_execution_status| RpcTransactionResponse {
        final_execution_outcome: None,
        final_execution_status,
    };
    vec![
        (
            "UNKNOWN_TRANSACTION",
            error(RpcTransactionError::UnknownTransaction {
                requested_transaction_hash: hash(),
            }),
        ),
        ("TIMEOUT_ERROR before 2.14", timeout(None)),
        (
            "TIMEOUT_ERROR, not observed",
            timeout(Some(TimeoutErrorCause::NotObserved)),
        ),
        (
            "TIMEOUT_ERROR, pending",
            timeout(Some(TimeoutErrorCause::Pending {
                status: Box::new(nothing(TxExecutionStatus::Included)),
            })),
        ),
        (
            "TIMEOUT_ERROR, shard not tracked",
            timeout(Some(TimeoutErrorCause::DoesNotTrackShard {
                shard_id: ShardId::new(3),
            })),
        ),
        (
            "TIMEOUT_ERROR, error",
            timeout(Some(TimeoutErrorCause::default())),
        ),
        (
            "DOES_NOT_TRACK_SHARD",
            error(RpcTransactionError::DoesNotTrackShard),
        ),
        (
            "REQUEST_ROUTED",
            error(RpcTransactionError::RequestRouted {
                transaction_hash: hash(),
            }),
        ),
        (
            "INTERNAL_ERROR of a transaction",
            error(RpcTransactionError::InternalError {
                debug_info: "mailbox closed".to_owned(),
            }),
        ),
        (
            "an outcome that a node without the shard does not have",
            json!({ "jsonrpc": "2.0", "id": "1", "result": nothing(TxExecutionStatus::None) }),
        ),
    ]
}

fn refusals() -> Vec<(&'static str, Value)> {
    let signer_id = "a.testnet";
    let costs = json!({ "signer_id": signer_id, "balance": "1", "cost": "2" });
    [
        (
            "InvalidNonce",
            json!({ "InvalidNonce": { "tx_nonce": 5, "ak_nonce": 7 } }),
        ),
        (
            "NonceTooLarge",
            json!({ "NonceTooLarge": { "tx_nonce": 9, "upper_bound": 8 } }),
        ),
        ("Expired", json!("Expired")),
        ("InvalidSignature", json!("InvalidSignature")),
        ("InvalidChain", json!("InvalidChain")),
        ("NotEnoughBalance", json!({ "NotEnoughBalance": costs })),
        (
            "LackBalanceForState",
            json!({ "LackBalanceForState": { "signer_id": signer_id, "amount": "3" } }),
        ),
        (
            "SignerDoesNotExist",
            json!({ "SignerDoesNotExist": { "signer_id": signer_id } }),
        ),
        (
            "TransactionSizeExceeded",
            json!({ "TransactionSizeExceeded": { "size": 2_000_000, "limit": 1_572_864 } }),
        ),
        (
            "InvalidAccessKeyError",
            json!({ "InvalidAccessKeyError": { "AccessKeyNotFound": {
                "account_id": signer_id, "public_key": KEY,
            } } }),
        ),
        (
            "ShardCongested",
            json!({ "ShardCongested": { "shard_id": 3, "congestion_level": 0.25 } }),
        ),
        (
            "ShardStuck",
            json!({ "ShardStuck": { "shard_id": 3, "missed_chunks": 40 } }),
        ),
        (
            "StorageError",
            json!({ "StorageError": { "MissingTrieValue": {
                "context": "TrieStorage", "hash": hash(),
            } } }),
        ),
    ]
    .into_iter()
    .map(|(name, context)| {
        let context: InvalidTxError = serde_json::from_value(context).unwrap();
        (
            name,
            error(RpcTransactionError::InvalidTransaction { context }),
        )
    })
    .collect()
}

fn requests() -> Vec<(&'static str, Value)> {
    vec![
        (
            "PARSE_ERROR",
            error(RpcParseError("missing field `finality`".to_owned())),
        ),
        (
            "METHOD_NOT_FOUND",
            error(RpcError::method_not_found("send_tix".to_owned())),
        ),
    ]
}
