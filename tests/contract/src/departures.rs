//! Every departure from an honest ceremony, with the refusal of each verifying method.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use latchkey_intent::{device2_register_digest, register_digest};
use latchkey_vrf::VrfKeypair;
use latchkey_webauthn::CeremonyType;
use serde_json::{Value, json};

use crate::{DEPOSIT, Edit, MAX_BLOCK_AGE};

/// A method that verifies a ceremony.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// `create_account_and_register_user`.
    Register,
    /// `link_device_register_user`.
    Link,
    /// `verify_authentication_response`.
    Authenticate,
}

/// One departure.
pub struct Departure {
    /// The name of the departure.
    pub name: &'static str,
    /// The change to an honest ceremony.
    pub edit: Edit,
    /// The reason that each method logs, in the order of [`Method::ALL`]; empty if the departure does not
    /// concern it.
    reasons: [&'static str; 3],
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 3] = [Self::Register, Self::Link, Self::Authenticate];

    /// The contract method's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Register => "create_account_and_register_user",
            Self::Link => "link_device_register_user",
            Self::Authenticate => "verify_authentication_response",
        }
    }

    /// The deposit that the tests attach, in yoctoNEAR.
    #[must_use]
    pub const fn deposit(self) -> u128 {
        match self {
            Self::Register | Self::Link => DEPOSIT,
            Self::Authenticate => 0,
        }
    }

    /// The method's answer to a refused ceremony.
    #[must_use]
    pub fn refusal(self) -> Value {
        match self {
            Self::Register | Self::Link => json!({"verified": false, "registration_info": null}),
            Self::Authenticate => json!({"verified": false}),
        }
    }
}

impl Departure {
    /// The reason that `method` logs, if the departure concerns it.
    #[must_use]
    pub fn reason(&self, method: Method) -> Option<&'static str> {
        Some(self.reasons[method as usize]).filter(|reason| !reason.is_empty())
    }
}

const fn every(name: &'static str, reason: &'static str, edit: Edit) -> Departure {
    each(name, [reason; 3], edit)
}

const fn each(name: &'static str, reasons: [&'static str; 3], edit: Edit) -> Departure {
    Departure {
        name,
        edit,
        reasons,
    }
}

const fn registering(name: &'static str, reason: &'static str, edit: Edit) -> Departure {
    each(name, [reason, reason, ""], edit)
}

const fn authenticating(name: &'static str, reason: &'static str, edit: Edit) -> Departure {
    each(name, ["", "", reason], edit)
}

const OTHER_USER: [&str; 3] = [
    "user_id is not the account",
    "user_id is not the account",
    "not registered for this account",
];
const OTHER_INTENT: &str = "intent digest is not the one of this operation";
const OTHER_INPUT: &str = "vrf_input_data does not follow";
const BAD_PROOF: &str = "the VRF proof or its output is wrong";
const NO_ORIGIN: &str = "the origin is not https";
const ORIGIN: &str = "the origin is not allowed";

/// The table. The account of an honest ceremony is not `bob.w3a-v1.testnet`.
pub const DEPARTURES: &[Departure] = &[
    // The fields that the proof binds.
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
        [OTHER_USER[0], OTHER_USER[1], "not an account id"],
        Edit::Claim(|claim| claim.user_id = "No Account".to_owned()),
    ),
    each(
        "another site",
        [ORIGIN, ORIGIN, "not the one of the registered"],
        Edit::Claim(|claim| claim.rp_id = "other.example".to_owned()),
    ),
    each(
        "the site's parent domain",
        [
            "of another rpId",
            "of another rpId",
            "not the one of the registered",
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
        [OTHER_INTENT, "", ""],
        Edit::Claim(|claim| claim.intent = device2_register_digest(&claim.user_id, 1)),
    ),
    each(
        "the intent to register",
        ["", OTHER_INTENT, ""],
        Edit::Claim(|claim| claim.intent = register_digest(&claim.user_id)),
    ),
    each(
        "a reused device number",
        ["", OTHER_INTENT, ""],
        Edit::Claim(|claim| claim.intent = device2_register_digest(&claim.user_id, 1)),
    ),
    each(
        "a skipped device number",
        ["", OTHER_INTENT, ""],
        Edit::Claim(|claim| claim.intent = device2_register_digest(&claim.user_id, 3)),
    ),
    // The proof, altered in transit.
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
        [OTHER_INTENT, OTHER_INTENT, OTHER_INPUT],
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
    // The ceremony.
    every(
        "another challenge",
        "challenge is not the expected",
        Edit::Ceremony(|ceremony| ceremony.challenge[0] ^= 1),
    ),
    every(
        "a longer challenge",
        "challenge is not the expected",
        Edit::Ceremony(|ceremony| ceremony.challenge.push(0)),
    ),
    registering(
        "an assertion's client data",
        "of another ceremony",
        Edit::Ceremony(|ceremony| ceremony.kind = Some(CeremonyType::Get)),
    ),
    authenticating(
        "a registration's client data",
        "of another ceremony",
        Edit::Ceremony(|ceremony| ceremony.kind = Some(CeremonyType::Create)),
    ),
    every(
        "a look-alike origin",
        ORIGIN,
        Edit::Ceremony(|ceremony| ceremony.origin = "https://evil-wallet.example".to_owned()),
    ),
    every(
        "an origin that starts with the site",
        ORIGIN,
        Edit::Ceremony(|ceremony| ceremony.origin = "https://wallet.example.evil".to_owned()),
    ),
    every(
        "an origin without TLS",
        NO_ORIGIN,
        Edit::Ceremony(|ceremony| ceremony.origin = "http://wallet.example".to_owned()),
    ),
    every(
        "an opaque origin",
        NO_ORIGIN,
        Edit::Ceremony(|ceremony| ceremony.origin = "null".to_owned()),
    ),
    every(
        "a stranger's frame",
        "top origin is not allowed",
        Edit::Ceremony(|ceremony| {
            ceremony.cross_origin = Some(true);
            ceremony.top_origin = Some("https://evil.example".to_owned());
        }),
    ),
    every(
        "a frame with an opaque origin",
        NO_ORIGIN,
        Edit::Ceremony(|ceremony| {
            ceremony.cross_origin = Some(true);
            ceremony.top_origin = Some("null".to_owned());
        }),
    ),
    every(
        "another site's authenticator data",
        "of another rpId",
        Edit::Ceremony(|ceremony| ceremony.rp_id = "example".to_owned()),
    ),
    every(
        "an absent user",
        "user was not present",
        Edit::Ceremony(|ceremony| ceremony.user_present = false),
    ),
    every(
        "an unverified user",
        "user was not verified",
        Edit::Ceremony(|ceremony| ceremony.user_verified = false),
    ),
    every(
        "a backup of an ineligible credential",
        "not eligible for backup",
        Edit::Ceremony(|ceremony| ceremony.backup_eligible = false),
    ),
    // The credential, altered in transit.
    every(
        "another type of credential",
        "type is not public-key",
        Edit::Sent(|args| credential(args)["type"] = json!("password")),
    ),
    every(
        "client data that is not JSON",
        "client data is malformed",
        Edit::Sent(|args| alter(response(args, "clientDataJSON"), |bytes| bytes.truncate(40))),
    ),
    every(
        "client data too large",
        "too large",
        Edit::Sent(|args| {
            alter(response(args, "clientDataJSON"), |bytes| {
                bytes.resize(2_049, b' ')
            })
        }),
    ),
    every(
        "two credential ids",
        "ids differ",
        Edit::Sent(|args| credential(args)["id"] = json!("AAAA")),
    ),
    each(
        "another credential id",
        [
            "ids differ",
            "ids differ",
            "not registered for this account",
        ],
        Edit::Sent(|args| {
            credential(args)["id"] = json!("AAAA");
            credential(args)["rawId"] = json!("AAAA");
        }),
    ),
    registering(
        "half an attestation",
        "attestation object is malformed",
        Edit::Sent(|args| {
            alter(response(args, "attestationObject"), |bytes| {
                bytes.truncate(60)
            })
        }),
    ),
    registering(
        "bytes after an attestation",
        "follow after the end of the attestation object",
        Edit::Sent(|args| alter(response(args, "attestationObject"), |bytes| bytes.push(0))),
    ),
    registering(
        "a public key off the curve",
        "P-256 key is not a point of the curve",
        // The object ends with the key's y. Its parity stays.
        Edit::Sent(|args| {
            alter(response(args, "attestationObject"), |bytes| {
                *bytes.last_mut().unwrap() ^= 2
            });
        }),
    ),
    registering(
        "a label of the public key in two bytes",
        "COSE key is malformed",
        // The label -3 before the 34 bytes of y. The authenticator data says its length itself.
        Edit::Sent(|args| {
            alter(response(args, "attestationObject"), |bytes| {
                let label = bytes.len() - 35;
                bytes.splice(label..=label, [0x38, 2]);
                let length = bytes.windows(9).position(|name| name == b"hauthData");
                bytes[length.unwrap() + 10] += 1;
            });
        }),
    ),
    registering(
        "an origin policy without origins",
        "origin policy is malformed",
        Edit::Sent(|args| {
            args["authenticator_options"] = json!({"origin_policy": {"multiple": []}});
        }),
    ),
    registering(
        "an origin policy without the ceremony's origin",
        ORIGIN,
        Edit::Sent(|args| {
            args["authenticator_options"] =
                json!({"origin_policy": {"multiple": ["https://app.example"]}});
        }),
    ),
    authenticating(
        "altered authenticator data",
        "signature is wrong",
        Edit::Sent(|args| alter(response(args, "authenticatorData"), |bytes| bytes[36] ^= 1)),
    ),
    authenticating(
        "altered client data",
        "signature is wrong",
        Edit::Sent(|args| alter(response(args, "clientDataJSON"), |bytes| bytes.push(b' '))),
    ),
    authenticating(
        "an altered signature",
        "signature is wrong",
        Edit::Sent(|args| {
            alter(response(args, "signature"), |bytes| {
                *bytes.last_mut().unwrap() ^= 1
            });
        }),
    ),
    authenticating(
        "an empty signature",
        "signature is wrong",
        Edit::Sent(|args| alter(response(args, "signature"), Vec::clear)),
    ),
    authenticating(
        "a zero signature",
        "signature is wrong",
        Edit::Sent(|args| {
            alter(response(args, "signature"), |bytes| {
                *bytes = vec![0x30, 6, 2, 1, 0, 2, 1, 0]
            });
        }),
    ),
];

fn credential(args: &mut Value) -> &mut Value {
    let is_registration = args["webauthn_registration"].is_object();
    let name = ["webauthn_authentication", "webauthn_registration"][usize::from(is_registration)];
    &mut args[name]
}

fn response<'a>(args: &'a mut Value, field: &str) -> &'a mut Value {
    &mut credential(args)["response"][field]
}

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

fn alter(text: &mut Value, edit: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = URL_SAFE_NO_PAD.decode(text.as_str().unwrap()).unwrap();
    edit(&mut bytes);
    *text = json!(URL_SAFE_NO_PAD.encode(bytes));
}
