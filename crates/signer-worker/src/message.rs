//! NEP-413 messages to sign.

use latchkey_intent::nep413_digest;
use latchkey_key_derivation::PrivateKey;
use latchkey_near_transaction::{PublicKey, parse_account_id};
use latchkey_nep413::{Payload, signature_text};
use serde::{Deserialize, Serialize};
use tsify::Tsify;

use crate::intended::{Content, Intended};
use crate::{Outcome, SignerError};

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

/// A signed NEP-413 message.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct SignedMessage {
    /// 64 bytes in standard base64.
    pub signature: String,
    /// The key that signed.
    pub public_key: String,
}

impl TryFrom<MessageToSign> for Intended {
    type Error = SignerError;

    fn try_from(message: MessageToSign) -> Outcome<Self> {
        let account_id = parse_account_id(&message.account_id, "accountId")?;
        let public_key = message.public_key.parse()?;
        let payload = Payload::new(
            message.message,
            &message.nonce,
            message.recipient,
            message.callback_url,
        )?;
        Ok(Self {
            digest: nep413_digest(account_id.as_str(), &payload),
            account_id,
            public_key,
            rp_id: message.rp_id,
            content: Content::Message(payload),
        })
    }
}

pub(crate) fn sign(
    payload: &Payload,
    public_key: &PublicKey,
    key: &PrivateKey,
) -> Outcome<SignedMessage> {
    Ok(SignedMessage {
        signature: signature_text(&payload.sign(key.signing_key())?),
        public_key: public_key.to_string(),
    })
}
