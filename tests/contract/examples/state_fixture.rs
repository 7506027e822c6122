//! Prints the storage of the built registry after some use, as a fixture for its upgrade:
//! `cargo run -p latchkey-contract-tests --example state_fixture > tests/contract/fixtures/state-vN.json`.
//!
//! Each version of the state has one fixture, made by the last contract that wrote that version. Never
//! regenerate it.
#![allow(clippy::unwrap_used, reason = "a tool for tests")]

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use latchkey_contract_tests::{Settlers, World};
use near_primitives::version::PROTOCOL_VERSION;

fn main() {
    let world = World::open(PROTOCOL_VERSION);
    Settlers::new().settle(&world);
    let text = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
    let entries: Vec<[String; 2]> = world
        .registry_storage()
        .iter()
        .map(|(key, value)| [text(key), text(value)])
        .collect();
    println!("{}", serde_json::to_string_pretty(&entries).unwrap());
}
