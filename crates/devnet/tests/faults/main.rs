//! Injected faults: what clients see, what reaches the chain, and who may change the settings.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod calls;
#[path = "../common/mod.rs"]
mod common;
mod settings;

use std::time::{Duration, Instant};

use common::program::Program;
use common::server::{Reply, Server};
use common::*;
use latchkey_devnet::rpc::{FaultSettings, Faults};
use latchkey_devnet::{ChainConfig, TransactionStatus};
use near_primitives::transaction::SignedTransaction;
use serde_json::{Value, json};

impl Server {
    fn admin(&self, method: &str, body: &Value) -> Reply {
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        self.request(method, "/admin/faults", "", &body).unwrap()
    }

    fn set(&self, settings: Value) {
        let answer = self.admin("PUT", &settings);
        assert_eq!(answer.status, 200, "{answer:?}");
    }

    fn hits(&self) -> Value {
        self.admin("GET", &Value::Null).json()["hits"].clone()
    }

    fn broadcast(&self, signed: &SignedTransaction) -> Option<Reply> {
        self.rpc("broadcast_tx_async", json!([base64_of(signed)]))
    }
}

fn one_near(server: &Server) -> SignedTransaction {
    sign(&server.chain, ALICE, BOB, vec![transfer(near(1))])
}
