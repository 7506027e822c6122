//! The fields that the proof binds, as the ceremony itself claims them.

use latchkey_intent::{device2_register_digest, register_digest, register_existing_digest};

use super::{Departure, ORIGIN, OTHER_INTENT, OTHER_USER, each, every, existing, registering};
use crate::{Edit, MAX_BLOCK_AGE};

pub(super) const CLAIMS: &[Departure] = &[
    every(
        "a block too old",
        "block_height is too old",
        Edit::Claim(|claim| claim.block_height -= MAX_BLOCK_AGE + 1),
    ),
    every(
        "a future block",
        "block_height is in the future",
        Edit::Claim(|claim| claim.block_height += 10),
    ),
    each(
        "another user",
        OTHER_USER,
        Edit::Claim(|claim| claim.user_id = "bob.w3a-v1.testnet".to_owned()),
    ),
    each(
        "an invalid account id",
        [
            OTHER_USER[0],
            OTHER_USER[1],
            "not an account id",
            OTHER_USER[3],
        ],
        Edit::Claim(|claim| claim.user_id = "No Account".to_owned()),
    ),
    each(
        "another site",
        [ORIGIN, ORIGIN, "not the one of the registered", ORIGIN],
        Edit::Claim(|claim| claim.rp_id = "other.example".to_owned()),
    ),
    each(
        "the site's parent domain",
        [
            "of another rpId",
            "of another rpId",
            "not the one of the registered",
            "of another rpId",
        ],
        Edit::Claim(|claim| claim.rp_id = "example".to_owned()),
    ),
    every(
        "an invalid site",
        "not a domain name",
        Edit::Claim(|claim| claim.rp_id = "https://wallet.example".to_owned()),
    ),
    registering(
        "another intent",
        OTHER_INTENT,
        Edit::Claim(|claim| claim.intent = [7; 32]),
    ),
    each(
        "the intent to link",
        [OTHER_INTENT, "", "", OTHER_INTENT],
        Edit::Claim(|claim| claim.intent = device2_register_digest(&claim.user_id, 1)),
    ),
    each(
        "the intent to register",
        ["", OTHER_INTENT, "", OTHER_INTENT],
        Edit::Claim(|claim| claim.intent = register_digest(&claim.user_id)),
    ),
    each(
        "the intent to register an existing passkey",
        [OTHER_INTENT, OTHER_INTENT, "", ""],
        Edit::Claim(|claim| claim.intent = register_existing_digest(&claim.user_id, 2)),
    ),
    existing(
        "another device number",
        OTHER_INTENT,
        Edit::Claim(|claim| claim.intent = register_existing_digest(&claim.user_id, 2)),
    ),
    each(
        "a reused device number",
        ["", OTHER_INTENT, "", ""],
        Edit::Claim(|claim| claim.intent = device2_register_digest(&claim.user_id, 1)),
    ),
    each(
        "a skipped device number",
        ["", OTHER_INTENT, "", ""],
        Edit::Claim(|claim| claim.intent = device2_register_digest(&claim.user_id, 3)),
    ),
];
