//! The verification settings.

use near_sdk::near;
use serde::{Deserialize, Serialize};

use crate::require::require;

/// The verification settings, which apply to every account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[near(serializers = [borsh])]
#[serde(deny_unknown_fields)]
pub struct VrfSettings {
    /// The maximum age of a challenge, in blocks.
    pub max_block_age: u64,
    /// Whether verification is on. If off, every verification answers `false`.
    pub enabled: bool,
    /// The maximum number of authenticators per account, at least 1.
    pub max_authenticators_per_account: u8,
}

impl Default for VrfSettings {
    fn default() -> Self {
        Self {
            max_block_age: 200,
            enabled: true,
            max_authenticators_per_account: 10,
        }
    }
}

impl VrfSettings {
    /// Panics with the first broken rule.
    pub(crate) fn assert_valid(&self) {
        require(self.max_block_age > 0, "max_block_age must be above 0");
        require(
            self.max_authenticators_per_account > 0,
            "max_authenticators_per_account must be above 0",
        );
    }
}
