//! Transactions: what to sign, and signing it.

use latchkey_intent::{DelegateEnd, DelegateRequest, delegates_digest, transactions_digest};
use latchkey_key_derivation::PrivateKey;
use latchkey_near_transaction::{
    AccountId, ActionFields, CryptoHash, DelegateAction, Nonce, NonceMode, PublicKey,
    SignedDelegate, SignedTransaction, Transaction, TransactionError, TransactionRequest,
    TransactionRequestFields, parse_account_id,
};
use serde::Deserialize;
use tsify::Tsify;

use crate::intended::{Content, Intended};
use crate::{Outcome, SignerError, keys};

/// Transactions to prepare, and who signs them.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct TransactionsToSign {
    /// The account that signs.
    pub signer_account_id: String,
    /// The key that signs.
    pub public_key: String,
    /// The relying party whose passkey approves.
    pub rp_id: String,
    /// The transactions, in order.
    #[tsify(type = "TransactionRequest[]")]
    pub transactions: Vec<TransactionRequestFields>,
    /// Set to sign each transaction as a delegate (NEP-366): for how many blocks after the challenge's block they are
    /// good, a decimal string.
    #[tsify(optional)]
    pub delegate_for_blocks: Option<String>,
    /// Set to sign each transaction as a delegate: the last block that may carry each, decimal strings.
    #[tsify(optional)]
    pub delegate_max_heights: Option<Vec<String>>,
}

/// One transaction to sign with a key that the caller holds.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct KeyPairTransaction {
    /// The account that signs.
    pub signer_account_id: String,
    /// The receiver's account id.
    pub receiver_id: String,
    /// The key's nonce, a decimal string.
    pub nonce: String,
    /// A recent block, base58.
    pub block_hash: String,
    /// The actions, in order.
    #[tsify(type = "Action[]")]
    pub actions: Vec<ActionFields>,
    /// The lane of a gas key, counted from 0.
    #[tsify(optional, type = "number | undefined")]
    pub lane: Option<u16>,
    /// Absent means `Monotonic`.
    #[tsify(optional, type = "NonceMode | undefined")]
    pub nonce_mode: Option<NonceMode>,
}

impl TryFrom<TransactionsToSign> for Intended {
    type Error = SignerError;

    fn try_from(asked: TransactionsToSign) -> Outcome<Self> {
        if asked.transactions.is_empty() {
            return Err(TransactionError::NoTransactions.into());
        }
        let account_id = parse_account_id(&asked.signer_account_id, "signerAccountId")?;
        let public_key = asked.public_key.parse()?;
        let requests = asked
            .transactions
            .into_iter()
            .map(TransactionRequest::try_from)
            .collect::<Result<Vec<_>, _>>()?;
        let ends = match (asked.delegate_for_blocks, asked.delegate_max_heights) {
            (_, Some(heights)) => Some(
                heights
                    .iter()
                    .map(|text| height(text))
                    .collect::<Outcome<Vec<_>>>()?,
            ),
            (Some(blocks), None) => {
                let blocks = Nonce::parse(&blocks, "delegateForBlocks")?.0;
                Some(vec![DelegateEnd::Blocks(blocks); requests.len()])
            }
            (None, None) => None,
        };
        let (digest, content) = match ends {
            None => (
                transactions_digest(&requests),
                Content::Transactions(requests),
            ),
            Some(ends) if ends.len() != requests.len() => {
                return Err(SignerError::HeightCount);
            }
            Some(_) if requests.iter().any(|request| request.version_1().is_some()) => {
                return Err(TransactionError::DelegateVersion.into());
            }
            Some(ends) => {
                let pairs = requests.into_iter().zip(ends);
                let delegates: Vec<_> = pairs
                    .map(|(request, end)| DelegateRequest { request, end })
                    .collect();
                (delegates_digest(&delegates), Content::Delegates(delegates))
            }
        };
        Ok(Self {
            account_id,
            public_key,
            rp_id: asked.rp_id,
            digest,
            content,
        })
    }
}

fn height(text: &str) -> Outcome<DelegateEnd> {
    Ok(DelegateEnd::Height(
        Nonce::parse(text, "delegateMaxHeights")?.0,
    ))
}

/// Signs every delegate with its own nonce. `block_height` is that of the approval's challenge.
pub(crate) fn sign_delegates(
    signer: &Intended,
    delegates: &[DelegateRequest],
    nonces: &[String],
    block_height: u64,
    key: &PrivateKey,
) -> Outcome<Vec<SignedDelegate>> {
    if nonces.len() != delegates.len() {
        return Err(TransactionError::NonceCount.into());
    }
    delegates
        .iter()
        .zip(nonces)
        .map(|(DelegateRequest { request, end }, nonce)| {
            let delegate = DelegateAction {
                sender_id: signer.account_id.clone(),
                receiver_id: request.receiver_id.clone(),
                actions: request.actions.clone(),
                nonce: Nonce::parse(nonce, "nonce")?,
                max_block_height: match end {
                    DelegateEnd::Blocks(blocks) => block_height.saturating_add(*blocks),
                    DelegateEnd::Height(height) => *height,
                },
                public_key: signer.public_key.clone(),
            };
            Ok(delegate.sign(key.signing_key())?)
        })
        .collect()
}

/// Signs every request with its own nonce.
pub(crate) fn sign_all(
    signer: &Intended,
    requests: &[TransactionRequest],
    nonces: &[String],
    block_hash: CryptoHash,
    key: &PrivateKey,
) -> Outcome<Vec<SignedTransaction>> {
    if nonces.len() != requests.len() {
        return Err(TransactionError::NonceCount.into());
    }
    requests
        .iter()
        .zip(nonces)
        .map(|(request, nonce)| {
            let signer = (signer.account_id.clone(), signer.public_key.clone());
            let transaction = transaction(signer, request.clone(), nonce, block_hash)?;
            Ok(transaction.sign(key.signing_key())?)
        })
        .collect()
}

pub(crate) fn sign_with_key_pair(
    private_key: &[u8],
    asked: KeyPairTransaction,
) -> Outcome<SignedTransaction> {
    let key = PrivateKey::from_text(private_key)?;
    let request = TransactionRequest::try_from(TransactionRequestFields {
        receiver_id: Some(asked.receiver_id),
        actions: asked.actions,
        lane: asked.lane,
        nonce_mode: asked.nonce_mode,
    })?;
    let account_id = parse_account_id(&asked.signer_account_id, "signerAccountId")?;
    let signer = (account_id, keys::public_key_of(&key));
    let transaction = transaction(signer, request, &asked.nonce, asked.block_hash.parse()?)?;
    Ok(transaction.sign(key.signing_key())?)
}

/// The transaction of a request: of version 1 where the request needs it, and of version 0 otherwise.
fn transaction(
    (signer_id, public_key): (AccountId, PublicKey),
    request: TransactionRequest,
    nonce: &str,
    block_hash: CryptoHash,
) -> Outcome<Transaction> {
    Ok(Transaction {
        version_1: request.version_1(),
        signer_id,
        public_key,
        nonce: Nonce::parse(nonce, "nonce")?,
        receiver_id: request.receiver_id,
        block_hash,
        actions: request.actions,
    })
}
