//! Tests the registry on the NEAR VM, at each supported protocol version.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod administration;
mod authentication;
mod deposits;
mod devices;
mod dialect;
mod embedding;
mod existing;
mod gas;
mod histories;
mod imports;
mod invariants;
mod linking;
mod origins;
mod puppet;
mod races;
mod refusals;
mod registration;
mod upgrade;

use latchkey_contract_tests::{Edit, Method, Passkey, RELAYER, World};
use serde_json::Value;

const ALICE: &str = "alice.w3a-v1.testnet";
const BOB: &str = "bob.w3a-v1.testnet";
const CAROL: &str = "carol.w3a-v1.testnet";

/// A world in which Alice is registered and can buy gas.
fn with_alice(version: u32) -> World {
    let world = World::open(version);
    world.register(&Passkey::new(ALICE));
    world.fund(ALICE);
    world
}

/// The sender and the arguments of an honest ceremony for each verifying method, in a world with Alice:
/// Carol registers, Alice links her second device, another account verifies Alice, and `testnet` registers its passkey.
fn ceremony(world: &World, method: Method, edit: Edit) -> (&'static str, Value) {
    let head = world.chain.head();
    match method {
        Method::Register => (RELAYER, Passkey::new(CAROL).registration(&head, edit)),
        Method::Link => (
            ALICE,
            Passkey::another(ALICE, "second").linking(&head, 2, edit),
        ),
        Method::Authenticate => (RELAYER, Passkey::new(ALICE).authentication(&head, edit)),
        Method::RegisterExisting => ("testnet", Passkey::new("testnet").existing(&head, 1, edit)),
    }
}
