//! Preparing, approving and signing a NEP-413 message.

use latchkey_intent::approval::Intent;
use latchkey_intent::{IntentDigest, nep413_digest};
use latchkey_key_derivation::{EncryptedPrivateKey, PrfOutput};
use latchkey_near_transaction::{AccountId, PublicKey, parse_account_id};
use latchkey_nep413::{Payload, signature_text};
use latchkey_vrf::VrfChallenge;
use serde::{Deserialize, Serialize};
use tsify::Tsify;

use crate::{Outcome, keys};

/// A NEP-413 message to prepare, and who signs it.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct MessageToSign {
    /// The account that signs.
    pub account_id: String,
    /// The key that signs.
    pub public_key: String,
    /// The relying party whose passkey approves.
    pub rp_id: String,
    /// The text.
    pub message: String,
    /// Whom it is for.
    pub recipient: String,
    /// 32 random bytes.
    #[serde(with = "serde_bytes")]
    #[tsify(type = "Uint8Array")]
    pub nonce: Vec<u8>,
    /// Where a web wallet returns the signature to.
    #[tsify(optional)]
    pub callback_url: Option<String>,
}

/// The passkey's approval of a prepared message.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct MessageApproval {
    /// The account's key as storage keeps it.
    pub encrypted_private_key: EncryptedPrivateKey,
    /// The challenge that the passkey answered.
    pub challenge: VrfChallenge,
    /// The assertion's client data, as the browser serialised it.
    #[serde(with = "serde_bytes")]
    #[tsify(type = "Uint8Array")]
    pub client_data_json: Vec<u8>,
}

/// A signed NEP-413 message.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct SignedMessage {
    /// 64 bytes in standard base64.
    pub signature: String,
    /// The key that signed.
    pub public_key: String,
}

/// A checked message that waits for its approval.
pub(crate) struct MessageSession {
    account_id: AccountId,
    public_key: PublicKey,
    rp_id: String,
    payload: Payload,
    digest: IntentDigest,
}

impl MessageSession {
    pub(crate) fn prepare(message: MessageToSign) -> Outcome<Self> {
        let account_id = parse_account_id(&message.account_id, "accountId")?;
        let public_key = message.public_key.parse()?;
        let payload = Payload::new(
            message.message,
            &message.nonce,
            message.recipient,
            message.callback_url,
        )?;
        let digest = nep413_digest(account_id.as_str(), &payload);
        Ok(Self {
            account_id,
            public_key,
            rp_id: message.rp_id,
            payload,
            digest,
        })
    }

    pub(crate) fn digest(&self) -> &IntentDigest {
        &self.digest
    }

    /// Checks the approval, then decrypts the key, then signs.
    pub(crate) fn sign(
        &self,
        prf_first: &PrfOutput,
        approval: &MessageApproval,
    ) -> Outcome<SignedMessage> {
        let intent = Intent {
            account: self.account_id.as_str(),
            rp_id: &self.rp_id,
            digest: &self.digest,
        };
        intent.check_approval(&approval.challenge, &approval.client_data_json)?;
        let key = keys::decrypt_expected(
            self.account_id.as_str(),
            prf_first,
            &approval.encrypted_private_key,
            &self.public_key,
        )?;
        Ok(SignedMessage {
            signature: signature_text(&self.payload.sign(key.signing_key())?),
            public_key: self.public_key.to_string(),
        })
    }
}
