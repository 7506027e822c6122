//! A checked request to sign, before anyone approved it.

use latchkey_intent::{DelegateRequest, IntentDigest};
use latchkey_near_transaction::{AccountId, PublicKey, TransactionRequest};
use latchkey_nep413::Payload;

/// A checked request to sign: its content, its signer, and the digest that an approval must carry.
pub(crate) struct Intended {
    pub(crate) account_id: AccountId,
    pub(crate) public_key: PublicKey,
    pub(crate) rp_id: String,
    pub(crate) digest: IntentDigest,
    pub(crate) content: Content,
}

pub(crate) enum Content {
    Transactions(Vec<TransactionRequest>),
    Delegates(Vec<DelegateRequest>),
    Message(Payload),
}
