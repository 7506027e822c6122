//! The chain like a network of nodes: finality, levels, look-ups, lag, losses and memory.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod blocks;
#[path = "../common/mod.rs"]
mod common;
mod dialects;
mod levels;
mod nodes;

use common::program::Program;
use common::server::{Reply, Server};
use common::*;
use latchkey_devnet::rpc::FaultSettings;
use latchkey_devnet::{Chain, ChainConfig, GENESIS_HEIGHT, NetworkSettings, RpcDialect};
use near_primitives::transaction::SignedTransaction;
use serde_json::{Value, json};

/// A chain like a node, with blocks on request and look-ups that wait for none.
fn node() -> NetworkSettings {
    NetworkSettings {
        patience_ms: 0,
        seed: Some(7),
        ..NetworkSettings::default()
    }
}

fn serve(network: NetworkSettings) -> Server {
    let config = ChainConfig {
        network,
        ..config()
    };
    Server::with(config, FaultSettings::default())
}

/// The error's cause, with the HTTP status.
fn cause(reply: &Reply) -> (u16, Value) {
    (reply.status, reply.json()["error"]["cause"].clone())
}

/// The error of the chain that an INVALID_TRANSACTION names.
fn refusal(reply: &Reply) -> Value {
    let error = reply.json()["error"].clone();
    assert_eq!(error["cause"]["name"], "INVALID_TRANSACTION", "{error}");
    error["data"]["TxExecutionError"]["InvalidTxError"].clone()
}

impl Server {
    fn send(&self, signed: &SignedTransaction, level: &str) -> Reply {
        let params = json!({ "signed_tx_base64": base64_of(signed), "wait_until": level });
        self.rpc("send_tx", params).unwrap()
    }

    fn look_up(&self, signed: &SignedTransaction, level: &str) -> Reply {
        let params = json!({
            "tx_hash": signed.get_hash(), "sender_account_id": signed.transaction.signer_id(),
            "wait_until": level,
        });
        self.rpc("tx", params).unwrap()
    }

    /// Looks a transaction up by its bytes.
    fn look_up_bytes(&self, signed: &SignedTransaction, level: &str) -> Reply {
        let params = json!({ "signed_tx_base64": base64_of(signed), "wait_until": level });
        self.rpc("tx", params).unwrap()
    }

    /// The level at which a look-up at NONE finds a transaction.
    fn level(&self, signed: &SignedTransaction) -> Value {
        self.look_up(signed, "NONE").json()["result"]["final_execution_status"].clone()
    }

    fn block(&self, reference: Value) -> Value {
        self.rpc("block", reference).unwrap().json()["result"]["header"].clone()
    }

    fn height(&self, finality: &str) -> u64 {
        let header = self.block(json!({ "finality": finality }));
        header["height"].as_u64().unwrap()
    }

    fn keys(&self, fields: Value) -> Value {
        let mut params = json!({ "request_type": "view_access_key_list", "finality": "optimistic",
            "account_id": ALICE });
        let map = params.as_object_mut().unwrap();
        map.extend(fields.as_object().unwrap().clone());
        self.rpc("query", params).unwrap().json()
    }

    fn admin(&self, method: &str, body: &str) -> Reply {
        self.request(method, "/admin/network", "", body).unwrap()
    }
}

fn unknown(signed: &SignedTransaction) -> (u16, Value) {
    let info = json!({ "requested_transaction_hash": signed.get_hash() });
    (200, json!({ "name": "UNKNOWN_TRANSACTION", "info": info }))
}

fn not_observed() -> (u16, Value) {
    let info = json!({ "cause": "NOT_OBSERVED" });
    (408, json!({ "name": "TIMEOUT_ERROR", "info": info }))
}

fn payment(chain: &Chain) -> SignedTransaction {
    sign(chain, ALICE, BOB, vec![transfer(near(1))])
}
