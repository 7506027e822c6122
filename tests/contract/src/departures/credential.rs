//! The credential, altered in transit.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use latchkey_webauthn::testing::SoftAuthenticator;
use serde_json::{Value, json};

use super::{Departure, ORIGIN, asserting, attesting, each, every, existing, registering};
use crate::Edit;

pub(super) const CREDENTIAL: &[Departure] = &[
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
            // No assertion binds its credential id: the account vouches for its own record.
            "",
        ],
        Edit::Sent(|args| {
            credential(args)["id"] = json!("AAAA");
            credential(args)["rawId"] = json!("AAAA");
        }),
    ),
    attesting(
        "half an attestation",
        "attestation object is malformed",
        Edit::Sent(|args| {
            alter(response(args, "attestationObject"), |bytes| {
                bytes.truncate(60)
            })
        }),
    ),
    attesting(
        "bytes after an attestation",
        "follow after the end of the attestation object",
        Edit::Sent(|args| alter(response(args, "attestationObject"), |bytes| bytes.push(0))),
    ),
    attesting(
        "a public key off the curve",
        "P-256 key is not a point of the curve",
        // The object ends with the key's y. Its parity stays.
        Edit::Sent(|args| {
            alter(response(args, "attestationObject"), |bytes| {
                *bytes.last_mut().unwrap() ^= 2
            });
        }),
    ),
    attesting(
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
    asserting(
        "altered authenticator data",
        "signature is wrong",
        Edit::Sent(|args| alter(response(args, "authenticatorData"), |bytes| bytes[36] ^= 1)),
    ),
    asserting(
        "altered client data",
        "signature is wrong",
        Edit::Sent(|args| alter(response(args, "clientDataJSON"), |bytes| bytes.push(b' '))),
    ),
    asserting(
        "an altered signature",
        "signature is wrong",
        Edit::Sent(|args| {
            alter(response(args, "signature"), |bytes| {
                *bytes.last_mut().unwrap() ^= 1
            });
        }),
    ),
    asserting(
        "an empty signature",
        "signature is wrong",
        Edit::Sent(|args| alter(response(args, "signature"), Vec::clear)),
    ),
    asserting(
        "a zero signature",
        "signature is wrong",
        Edit::Sent(|args| {
            alter(response(args, "signature"), |bytes| {
                *bytes = vec![0x30, 6, 2, 1, 0, 2, 1, 0]
            });
        }),
    ),
    existing(
        "another passkey's public key",
        "signature is wrong",
        Edit::Sent(|args| {
            let other = SoftAuthenticator::es256(b"other").public_key();
            args["credential_public_key"] = json!(other.to_cbor());
        }),
    ),
    existing(
        "an existing public key off the curve",
        "P-256 key is not a point of the curve",
        Edit::Sent(|args| {
            alter(&mut args["credential_public_key"], |key| {
                *key.last_mut().unwrap() ^= 2
            });
        }),
    ),
    existing(
        "bytes after an existing public key",
        "follow after the end of the COSE key",
        Edit::Sent(|args| alter(&mut args["credential_public_key"], |key| key.push(0))),
    ),
    existing(
        "no public key",
        "COSE key is malformed",
        Edit::Sent(|args| args["credential_public_key"] = json!([])),
    ),
    existing(
        "too many transports",
        "too large",
        Edit::Sent(|args| args["transports"] = json!(vec!["usb"; 9])),
    ),
    existing(
        "a transport that is no word",
        "credential is malformed",
        Edit::Sent(|args| args["transports"] = json!(["<script>"])),
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

fn alter(text: &mut Value, edit: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = URL_SAFE_NO_PAD.decode(text.as_str().unwrap()).unwrap();
    edit(&mut bytes);
    *text = json!(URL_SAFE_NO_PAD.encode(bytes));
}
