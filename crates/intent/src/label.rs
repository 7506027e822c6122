//! The digests of intents with a short text of their own.

use crate::canonical_json::Json;
use crate::{IntentDigest, digest_of};

#[cfg(test)]
mod tests;

/// The digest that approves the registration of `account` through the relay, as device 1.
#[must_use]
pub fn register_digest(account: &str) -> IntentDigest {
    digest_of(&format!("register:{account}:1"))
}

/// The digest that approves `link_device_register_user` for `account` as device `number`.
///
/// `number` is 1 for an existing account that joins, 2 and up for a linked device.
#[must_use]
pub fn device2_register_digest(account: &str, number: u8) -> IntentDigest {
    digest_of(&format!("device2-register:{account}:{number}"))
}

/// The digest that approves `register_existing_passkey` for `account` as device `number`.
///
/// `number` is 1 for an account without a record, else one more than its newest device's.
#[must_use]
pub fn register_existing_digest(account: &str, number: u8) -> IntentDigest {
    digest_of(&format!("register-existing:{account}:{number}"))
}

/// The digest that labels Device1's linking request for `account` and the new device's `number`.
///
/// It is a label only: what Device1 approves is the digest of the three linking transactions.
#[must_use]
pub fn link_device_digest(account: &str, number: u8) -> IntentDigest {
    digest_of(&format!("linkdevice:{account}:{number}"))
}

/// The digest that approves a contract-verified login of `account` at the relying party `rp_id`.
#[must_use]
pub fn login_session_digest(account: &str, rp_id: &str) -> IntentDigest {
    let text = Json::object(vec![
        ("kind", Json::text("login_session")),
        ("nearAccountId", Json::text(account)),
        ("rpId", Json::text(rp_id)),
    ]);
    digest_of(&text.to_string())
}
