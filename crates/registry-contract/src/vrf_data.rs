//! The VRF proof behind a passkey's challenge, and the fields that it binds.

use latchkey_intent::IntentDigest;
use latchkey_vrf::{ChallengeInput, ClaimedChallenge};
use latchkey_webauthn::RpId;
use near_sdk::env;
use serde::{Deserialize, Serialize};

use crate::bytes::Bytes;
use crate::refusal::Refusal;
use crate::settings::VrfSettings;

/// A VRF proof as the wallet sends it. Byte fields are arrays of numbers or base64url text.
#[derive(Debug, Serialize, Deserialize)]
pub struct VrfData {
    /// The input, 32 bytes: a hash of the fields below (`latchkey-vrf`).
    pub vrf_input_data: Bytes,
    /// The output, 64 bytes; its first 32 are the WebAuthn challenge.
    pub vrf_output: Bytes,
    /// The proof, 80 bytes.
    pub vrf_proof: Bytes,
    /// The VRF public key, 32 bytes.
    pub public_key: Bytes,
    /// The account id.
    pub user_id: String,
    /// The rpId of the ceremony.
    pub rp_id: String,
    /// The height of the final block that the wallet saw, which proves freshness.
    pub block_height: u64,
    /// That block's hash, 32 bytes. The proof binds it, but a contract cannot read past hashes to check
    /// it.
    pub block_hash: Bytes,
    /// The digest of what the user approved, 32 bytes. Required.
    #[serde(default)]
    pub intent_digest_32: Option<Bytes>,
    /// The digest of a session policy, 32 bytes.
    #[serde(default)]
    pub session_policy_digest_32: Option<Bytes>,
}

/// Which intents an operation accepts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Intent<'a> {
    /// Any. The wallet signs only what the digest describes.
    Any,
    /// One of these, which the registry computes itself.
    OneOf(&'a [IntentDigest]),
}

/// The facts that a valid proof establishes.
#[derive(Debug)]
pub(crate) struct VrfClaim {
    pub(crate) challenge: [u8; 32],
    pub(crate) public_key: [u8; 32],
    pub(crate) rp_id: RpId,
}

impl VrfData {
    /// Checks sizes, account, intent and freshness, recomputes the input and verifies the proof.
    pub(crate) fn verify(
        &self,
        settings: &VrfSettings,
        account: &str,
        intent: Intent<'_>,
    ) -> Result<VrfClaim, Refusal> {
        if !settings.enabled {
            return Err(Refusal::SwitchedOff);
        }
        let input: [u8; 32] = sized("vrf_data.vrf_input_data", &self.vrf_input_data)?;
        let output: [u8; 64] = sized("vrf_data.vrf_output", &self.vrf_output)?;
        let proof: [u8; 80] = sized("vrf_data.vrf_proof", &self.vrf_proof)?;
        let public_key: [u8; 32] = sized("vrf_data.public_key", &self.public_key)?;
        let block_hash: [u8; 32] = sized("vrf_data.block_hash", &self.block_hash)?;
        let intent_digest: [u8; 32] = match &self.intent_digest_32 {
            Some(digest) => sized("vrf_data.intent_digest_32", digest)?,
            None => return Err(Refusal::IntentMissing),
        };
        let session_policy_digest: Option<[u8; 32]> = match &self.session_policy_digest_32 {
            Some(digest) => Some(sized("vrf_data.session_policy_digest_32", digest)?),
            None => None,
        };
        let rp_id = RpId::parse(&self.rp_id)?;

        if self.user_id != account {
            return Err(Refusal::OtherUser);
        }
        if let Intent::OneOf(digests) = intent
            && !digests.contains(&intent_digest)
        {
            return Err(Refusal::OtherIntent);
        }
        self.check_freshness(settings.max_block_age)?;

        let challenge = ClaimedChallenge {
            input: ChallengeInput {
                user_id: &self.user_id,
                rp_id: &self.rp_id,
                block_height: self.block_height,
                block_hash,
                intent_digest: Some(intent_digest),
                session_policy_digest,
            },
            input_hash: input,
            output,
            proof,
            public_key,
        }
        .verify()?;
        Ok(VrfClaim {
            challenge,
            public_key,
            rp_id,
        })
    }

    fn check_freshness(&self, max_block_age: u64) -> Result<(), Refusal> {
        let (height, current) = (self.block_height, env::block_height());
        if height > current {
            Err(Refusal::BlockInFuture { height, current })
        } else if current - height > max_block_age {
            Err(Refusal::BlockTooOld { height, current })
        } else {
            Ok(())
        }
    }
}

/// Exactly `N` bytes, or the refusal that names the field.
pub(crate) fn sized<const N: usize>(
    field: &'static str,
    bytes: &Bytes,
) -> Result<[u8; N], Refusal> {
    bytes
        .0
        .as_slice()
        .try_into()
        .map_err(|_| Refusal::WrongSize { field, bytes: N })
}
