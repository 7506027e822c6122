//! Ends a call whose condition fails.

use near_sdk::{NearToken, env};

use crate::dialect;

/// Ends the call with `message` unless `condition` holds.
pub(crate) fn require(condition: bool, message: &str) {
    if !condition {
        env::panic_str(message);
    }
}

/// Ends the call unless it attaches exactly 1 yoctoNEAR. A function-call key can attach no deposit, so only a
/// full-access key of the caller can sign such a call.
pub(crate) fn require_one_yocto() {
    let (wanted, message) = if dialect::SPOKEN {
        (NearToken::ZERO, "The method doesn't accept deposit")
    } else {
        (
            NearToken::from_yoctonear(1),
            "Requires attached deposit of exactly 1 yoctoNEAR",
        )
    };
    require(env::attached_deposit() == wanted, message);
}
