//! The wire forms of a challenge and of the request for one.

use base64ct::{Base64UrlUnpadded, Encoding};
use serde::{Deserialize, Serialize};

use crate::{ChallengeInput, OUTPUT_LENGTH, WEBAUTHN_CHALLENGE_LENGTH};

#[cfg(test)]
mod tests;

/// A request for a challenge, with the block as the facade read it from the chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub struct ChallengeRequest {
    /// The account id.
    pub user_id: String,
    /// The rpId.
    pub rp_id: String,
    /// The height of a final block, decimal.
    pub block_height: String,
    /// That block's hash, base58 as the RPC gives it.
    pub block_hash: String,
    /// The digest of the user's intent: 32 bytes, base64url without padding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", tsify(optional))]
    pub intent_digest: Option<String>,
    /// The digest of a session policy: 32 bytes, base64url without padding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", tsify(optional))]
    pub session_policy_digest: Option<String>,
}

/// A VRF challenge. Binary fields are base64url without padding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub struct VrfChallenge {
    /// The input, 32 bytes.
    pub vrf_input: String,
    /// The output, 64 bytes; the first 32 are the WebAuthn challenge.
    pub vrf_output: String,
    /// The proof, 80 bytes.
    pub vrf_proof: String,
    /// The public key, 32 bytes.
    pub vrf_public_key: String,
    /// The account id.
    pub user_id: String,
    /// The rpId.
    pub rp_id: String,
    /// The block height, decimal.
    pub block_height: String,
    /// The block hash, 32 bytes.
    pub block_hash: String,
    /// The intent digest, 32 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", tsify(optional))]
    pub intent_digest: Option<String>,
    /// The session policy digest, 32 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", tsify(optional))]
    pub session_policy_digest: Option<String>,
}

/// Why a challenge or a request for one is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChallengeError {
    /// The account id is empty.
    #[error("userId is empty")]
    UserIdMissing,
    /// The rpId is empty.
    #[error("rpId is empty")]
    RpIdMissing,
    /// The height is not a decimal number of 64 bits.
    #[error("blockHeight is not a decimal number")]
    BlockHeightInvalid,
    /// The hash is not 32 bytes in the field's encoding.
    #[error("blockHash is not a 32-byte hash")]
    BlockHashInvalid,
    /// A digest is not 32 bytes of base64url without padding.
    #[error("a digest is not 32 bytes of base64url without padding")]
    DigestInvalid,
    /// A session policy without an intent digest.
    #[error("sessionPolicyDigest needs an intentDigest")]
    IntentDigestMissing,
    /// The output is not 64 bytes of base64url without padding.
    #[error("vrfOutput is not 64 bytes of base64url without padding")]
    OutputInvalid,
}

impl ChallengeRequest {
    /// The input that this request describes.
    ///
    /// # Errors
    /// [`ChallengeError`], naming the field.
    pub fn input(&self) -> Result<ChallengeInput<'_>, ChallengeError> {
        let mut block_hash = [0; 32];
        match bs58::decode(&self.block_hash).onto(&mut block_hash) {
            Ok(32) => {}
            _ => return Err(ChallengeError::BlockHashInvalid),
        }
        input(
            &self.user_id,
            &self.rp_id,
            &self.block_height,
            block_hash,
            self.intent_digest.as_deref(),
            self.session_policy_digest.as_deref(),
        )
    }
}

impl VrfChallenge {
    /// The input that this challenge's own fields describe.
    ///
    /// # Errors
    /// [`ChallengeError`], naming the field.
    pub fn input(&self) -> Result<ChallengeInput<'_>, ChallengeError> {
        input(
            &self.user_id,
            &self.rp_id,
            &self.block_height,
            decode(&self.block_hash).ok_or(ChallengeError::BlockHashInvalid)?,
            self.intent_digest.as_deref(),
            self.session_policy_digest.as_deref(),
        )
    }

    /// Whether the VRF input hashes this challenge's user, site and block with `intent_digest`; ignores the
    /// digest that the challenge itself names.
    #[must_use]
    pub fn is_bound_to(&self, intent_digest: &[u8; 32]) -> bool {
        self.input().is_ok_and(|input| {
            let expected = ChallengeInput {
                intent_digest: Some(*intent_digest),
                ..input
            }
            .hash();
            decode::<32>(&self.vrf_input) == Some(expected)
        })
    }

    /// The WebAuthn challenge: the first 32 bytes of the output.
    ///
    /// # Errors
    /// [`ChallengeError::OutputInvalid`].
    pub fn webauthn_challenge(&self) -> Result<[u8; WEBAUTHN_CHALLENGE_LENGTH], ChallengeError> {
        let output: [u8; OUTPUT_LENGTH] =
            decode(&self.vrf_output).ok_or(ChallengeError::OutputInvalid)?;
        output
            .first_chunk()
            .copied()
            .ok_or(ChallengeError::OutputInvalid)
    }
}

fn input<'a>(
    user_id: &'a str,
    rp_id: &'a str,
    block_height: &str,
    block_hash: [u8; 32],
    intent_digest: Option<&str>,
    session_policy_digest: Option<&str>,
) -> Result<ChallengeInput<'a>, ChallengeError> {
    if user_id.is_empty() {
        return Err(ChallengeError::UserIdMissing);
    }
    if rp_id.is_empty() {
        return Err(ChallengeError::RpIdMissing);
    }
    let digest = |text: Option<&str>| {
        text.map(|text| decode(text).ok_or(ChallengeError::DigestInvalid))
            .transpose()
    };
    let (intent_digest, session_policy_digest) =
        (digest(intent_digest)?, digest(session_policy_digest)?);
    if session_policy_digest.is_some() && intent_digest.is_none() {
        return Err(ChallengeError::IntentDigestMissing);
    }
    let block_height = parse_height(block_height).ok_or(ChallengeError::BlockHeightInvalid)?;
    Ok(ChallengeInput {
        user_id,
        rp_id,
        block_height,
        block_hash,
        intent_digest,
        session_policy_digest,
    })
}

/// A decimal number without sign.
fn parse_height(text: &str) -> Option<u64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.parse().ok()
    } else {
        None
    }
}

fn decode<const N: usize>(text: &str) -> Option<[u8; N]> {
    Base64UrlUnpadded::decode_vec(text).ok()?.try_into().ok()
}
