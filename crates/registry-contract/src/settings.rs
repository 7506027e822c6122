//! The verification settings.

use near_sdk::near;
use serde::{Deserialize, Serialize};

use crate::require::require;

/// How verification works, for every account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[near(serializers = [borsh])]
#[serde(deny_unknown_fields)]
pub struct VrfSettings {
    /// How many blocks a challenge may be old.
    pub max_block_age: u64,
    /// Whether anything is verified at all; if not, every verification answers `false`.
    pub enabled: bool,
    /// How many authenticators one account may hold, at least 1.
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
    /// Panics with the broken rule.
    pub(crate) fn assert_valid(&self) {
        require(self.max_block_age > 0, "max_block_age must be above 0");
        require(
            self.max_authenticators_per_account > 0,
            "max_authenticators_per_account must be above 0",
        );
    }
}
