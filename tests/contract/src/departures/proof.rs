//! The proof, altered in transit, and its sizes.

use latchkey_vrf::VrfKeypair;
use serde_json::{Value, json};

use super::{Departure, OTHER_INTENT, OTHER_USER, each, every, registering};
use crate::Edit;

const OTHER_INPUT: &str = "vrf_input_data does not follow";
const BAD_PROOF: &str = "the VRF proof or its output is wrong";

pub(super) const PROOF: &[Departure] = &[
    every(
        "an altered height",
        OTHER_INPUT,
        Edit::Sent(|args| {
            let height = args["vrf_data"]["block_height"].as_u64().unwrap();
            args["vrf_data"]["block_height"] = json!(height - 1);
        }),
    ),
    every(
        "an altered block hash",
        OTHER_INPUT,
        Edit::Sent(|args| flip(&mut args["vrf_data"]["block_hash"])),
    ),
    each(
        "an altered user",
        OTHER_USER,
        Edit::Sent(|args| args["vrf_data"]["user_id"] = json!("bob.w3a-v1.testnet")),
    ),
    every(
        "an altered site",
        OTHER_INPUT,
        Edit::Sent(|args| args["vrf_data"]["rp_id"] = json!("other.example")),
    ),
    each(
        "an altered intent",
        [OTHER_INTENT, OTHER_INTENT, OTHER_INPUT, OTHER_INTENT],
        Edit::Sent(|args| flip(&mut args["vrf_data"]["intent_digest_32"])),
    ),
    every(
        "no intent",
        "intent_digest_32 is missing",
        Edit::Sent(|args| remove(args, "intent_digest_32")),
    ),
    every(
        "a session policy without an intent",
        "intent_digest_32 is missing",
        Edit::Sent(|args| {
            remove(args, "intent_digest_32");
            args["vrf_data"]["session_policy_digest_32"] = json!(vec![9; 32]);
        }),
    ),
    every(
        "a session policy outside the proof",
        OTHER_INPUT,
        Edit::Sent(|args| args["vrf_data"]["session_policy_digest_32"] = json!(vec![9; 32])),
    ),
    every(
        "an altered input",
        OTHER_INPUT,
        Edit::Sent(|args| flip(&mut args["vrf_data"]["vrf_input_data"])),
    ),
    every(
        "an altered proof",
        BAD_PROOF,
        Edit::Sent(|args| flip(&mut args["vrf_data"]["vrf_proof"])),
    ),
    every(
        "an altered output",
        BAD_PROOF,
        Edit::Sent(|args| flip(&mut args["vrf_data"]["vrf_output"])),
    ),
    every(
        "a stranger's VRF key",
        BAD_PROOF,
        Edit::Sent(|args| {
            let key = VrfKeypair::derive(&[9; 32]).public_key();
            args["vrf_data"]["public_key"] = json!(key);
        }),
    ),
    every(
        "a zero VRF key",
        BAD_PROOF,
        Edit::Sent(|args| args["vrf_data"]["public_key"] = json!(vec![0; 32])),
    ),
    // Sizes.
    every(
        "a short input",
        "vrf_input_data must have 32",
        Edit::Sent(|args| shorten(&mut args["vrf_data"]["vrf_input_data"])),
    ),
    every(
        "a short output",
        "vrf_output must have 64",
        Edit::Sent(|args| shorten(&mut args["vrf_data"]["vrf_output"])),
    ),
    every(
        "a short proof",
        "vrf_proof must have 80",
        Edit::Sent(|args| shorten(&mut args["vrf_data"]["vrf_proof"])),
    ),
    every(
        "a short VRF key",
        "public_key must have 32",
        Edit::Sent(|args| shorten(&mut args["vrf_data"]["public_key"])),
    ),
    every(
        "a short block hash",
        "block_hash must have 32",
        Edit::Sent(|args| shorten(&mut args["vrf_data"]["block_hash"])),
    ),
    every(
        "a short intent",
        "intent_digest_32 must have 32",
        Edit::Sent(|args| shorten(&mut args["vrf_data"]["intent_digest_32"])),
    ),
    every(
        "a short session policy",
        "session_policy_digest_32 must have 32",
        Edit::Sent(|args| args["vrf_data"]["session_policy_digest_32"] = json!(vec![9; 31])),
    ),
    registering(
        "a short derived key",
        "deterministic_vrf_public_key must have 32",
        Edit::Sent(|args| shorten(&mut args["deterministic_vrf_public_key"])),
    ),
];

fn remove(args: &mut Value, field: &str) {
    args["vrf_data"].as_object_mut().unwrap().remove(field);
}

fn flip(bytes: &mut Value) {
    let byte = bytes[20].as_u64().unwrap();
    bytes[20] = json!(byte ^ 1);
}

fn shorten(bytes: &mut Value) {
    bytes.as_array_mut().unwrap().pop();
}
