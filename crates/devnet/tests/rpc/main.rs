//! JSON-RPC on the wire: envelopes, statuses, shapes, and the answers to malformed requests.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod answers;
#[path = "../common/mod.rs"]
mod common;
mod pages;
mod requests;

use common::server::Server;
use common::*;
use latchkey_devnet::{ChainConfig, GENESIS_HEIGHT};
use near_primitives::hash::hash;
use serde_json::{Value, json};

const NOT_A_REQUEST: &str = "JSON RPC Request format was expected";

fn parse_error(reason: &str) -> Value {
    json!({
        "name": "REQUEST_VALIDATION_ERROR",
        "cause": { "name": "PARSE_ERROR", "info": { "error_message": reason } },
        "code": -32700, "message": "Parse error", "data": reason,
    })
}

#[cfg(target_os = "linux")]
/// The peak and the current memory of this process.
fn memory_kib() -> (u64, u64) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let figure = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    (figure("VmHWM:"), figure("VmRSS:"))
}
