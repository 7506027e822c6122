//! The input that binds a challenge.

use sha2::{Digest, Sha256};

#[cfg(test)]
mod tests;

const DOMAIN: &[u8] = b"web3_authn_challenge_v4";

/// The data that the proof binds a challenge to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChallengeInput<'a> {
    /// The account id.
    pub user_id: &'a str,
    /// The rpId; hashed in lower case.
    pub rp_id: &'a str,
    /// The height of the block that proves freshness.
    pub block_height: u64,
    /// That block's hash.
    pub block_hash: [u8; 32],
    /// The digest of the user's intent.
    pub intent_digest: Option<[u8; 32]>,
    /// The digest of a session policy. The registry refuses one without an intent digest, since the
    /// hash does not distinguish the two.
    pub session_policy_digest: Option<[u8; 32]>,
}

impl ChallengeInput<'_> {
    /// The VRF input, 32 bytes: SHA-256 of `web3_authn_challenge_v4` || user id || rpId in lower case ||
    /// height as u64 little-endian || block hash || [intent digest] || [session policy digest].
    #[must_use]
    pub fn hash(&self) -> [u8; 32] {
        let mut hasher = Sha256::new_with_prefix(DOMAIN);
        hasher.update(self.user_id);
        hasher.update(self.rp_id.to_ascii_lowercase());
        hasher.update(self.block_height.to_le_bytes());
        hasher.update(self.block_hash);
        for digest in [self.intent_digest, self.session_policy_digest]
            .into_iter()
            .flatten()
        {
            hasher.update(digest);
        }
        hasher.finalize().into()
    }
}
