//! Ends a call whose condition fails.

use near_sdk::env;

/// Ends the call with `message` unless `condition` holds.
pub(crate) fn require(condition: bool, message: &str) {
    if !condition {
        env::panic_str(message);
    }
}
