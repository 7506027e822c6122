//! Preparing, approving and signing transactions.

use latchkey_intent::approval::Intent;
use latchkey_intent::{IntentDigest, delegate_digest, transactions_digest};
use latchkey_key_derivation::{EncryptedPrivateKey, PrfOutput, PrivateKey};
use latchkey_near_transaction::{
    AccountId, ActionFields, CryptoHash, DelegateAction, Nonce, PublicKey, SignedDelegate,
    SignedTransaction, Transaction, TransactionError, TransactionRequest, TransactionRequestFields,
    parse_account_id,
};
use latchkey_vrf::VrfChallenge;
use serde::Deserialize;
use tsify::Tsify;

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
    /// Given to sign the one transaction as a delegate (NEP-366): for how many blocks after the challenge's it is
    /// good, a decimal string.
    #[tsify(optional)]
    pub delegate_for_blocks: Option<String>,
}

/// The passkey's approval of prepared transactions, and what they still need.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct TransactionApproval {
    /// The account's key as storage keeps it.
    pub encrypted_private_key: EncryptedPrivateKey,
    /// The challenge that the passkey answered.
    pub challenge: VrfChallenge,
    /// The assertion's client data, as the browser serialised it.
    #[serde(with = "serde_bytes")]
    #[tsify(type = "Uint8Array")]
    pub client_data_json: Vec<u8>,
    /// One nonce for each transaction, decimal strings.
    pub nonces: Vec<String>,
    /// A recent block, base58.
    pub block_hash: String,
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
}

/// Checked transactions, and the key once their approval was checked too.
pub(crate) struct TransactionSession {
    signer_id: AccountId,
    public_key: PublicKey,
    rp_id: String,
    requests: Vec<TransactionRequest>,
    /// How long the delegate is good, in blocks; none where transactions are signed.
    delegate_for_blocks: Option<u64>,
    digest: IntentDigest,
    /// On the heap, so that a move of the session leaves no copy behind.
    key: Option<Box<PrivateKey>>,
}

impl TransactionSession {
    pub(crate) fn prepare(request: TransactionsToSign) -> Outcome<Self> {
        if request.transactions.is_empty() {
            return Err(TransactionError::NoTransactions.into());
        }
        let signer_id = parse_account_id(&request.signer_account_id, "signerAccountId")?;
        let public_key = request.public_key.parse()?;
        let requests = request
            .transactions
            .into_iter()
            .map(TransactionRequest::try_from)
            .collect::<Result<Vec<_>, _>>()?;
        let blocks = request.delegate_for_blocks.as_deref();
        let delegate_for_blocks = match blocks {
            Some(blocks) => Some(Nonce::parse(blocks, "delegateForBlocks")?.0),
            None => None,
        };
        let digest = match (delegate_for_blocks, requests.as_slice()) {
            (None, requests) => transactions_digest(requests),
            (Some(blocks), [request]) => delegate_digest(request, blocks),
            (Some(_), _) => {
                let problem = "transactions must be one transaction for a delegate";
                return Err(SignerError::InvalidInput(problem.to_owned()));
            }
        };
        Ok(Self {
            signer_id,
            public_key,
            rp_id: request.rp_id,
            requests,
            delegate_for_blocks,
            digest,
            key: None,
        })
    }

    pub(crate) fn digest(&self) -> &IntentDigest {
        &self.digest
    }

    /// Checks the approval, then decrypts the key, then signs.
    pub(crate) fn sign(
        &mut self,
        prf_first: &PrfOutput,
        approval: &TransactionApproval,
    ) -> Outcome<Vec<SignedTransaction>> {
        if self.delegate_for_blocks.is_some() {
            return Err(SignerError::UnknownHandle);
        }
        self.key = Some(self.approved_key(prf_first, approval)?);
        self.resign(&approval.nonces, &approval.block_hash)
    }

    /// The same for a delegate, which the key is not kept for.
    pub(crate) fn sign_delegate(
        &self,
        prf_first: &PrfOutput,
        approval: &TransactionApproval,
    ) -> Outcome<SignedDelegate> {
        let (Some(blocks), [request]) = (self.delegate_for_blocks, self.requests.as_slice()) else {
            return Err(SignerError::UnknownHandle);
        };
        let key = self.approved_key(prf_first, approval)?;
        let [nonce] = approval.nonces.as_slice() else {
            return Err(TransactionError::NonceCount.into());
        };
        let delegate = DelegateAction {
            sender_id: self.signer_id.clone(),
            receiver_id: request.receiver_id.clone(),
            actions: request.actions.clone(),
            nonce: Nonce::parse(nonce, "nonce")?,
            // From the height that the approval is bound to.
            max_block_height: approval
                .challenge
                .input()?
                .block_height
                .saturating_add(blocks),
            public_key: self.public_key,
        };
        Ok(delegate.sign(key.signing_key())?)
    }

    fn approved_key(
        &self,
        prf_first: &PrfOutput,
        approval: &TransactionApproval,
    ) -> Outcome<Box<PrivateKey>> {
        let intent = Intent {
            account: self.signer_id.as_str(),
            rp_id: &self.rp_id,
            digest: &self.digest,
        };
        intent.check_approval(&approval.challenge, &approval.client_data_json)?;
        let key = keys::decrypt_expected(
            self.signer_id.as_str(),
            prf_first,
            &approval.encrypted_private_key,
            &self.public_key,
        )?;
        Ok(Box::new(key))
    }

    /// Signs again under the approval that [`TransactionSession::sign`] accepted.
    pub(crate) fn resign(
        &self,
        nonces: &[String],
        block_hash: &str,
    ) -> Outcome<Vec<SignedTransaction>> {
        let key = self.key.as_ref().ok_or(SignerError::NotApproved)?;
        if nonces.len() != self.requests.len() {
            return Err(TransactionError::NonceCount.into());
        }
        let block_hash: CryptoHash = block_hash.parse()?;
        self.requests
            .iter()
            .zip(nonces)
            .map(|(request, nonce)| {
                let transaction = Transaction {
                    signer_id: self.signer_id.clone(),
                    public_key: self.public_key,
                    nonce: Nonce::parse(nonce, "nonce")?,
                    receiver_id: request.receiver_id.clone(),
                    block_hash,
                    actions: request.actions.clone(),
                };
                Ok(transaction.sign(key.signing_key())?)
            })
            .collect()
    }
}

pub(crate) fn sign_with_key_pair(
    private_key: &[u8],
    transaction: KeyPairTransaction,
) -> Outcome<SignedTransaction> {
    let key = PrivateKey::from_text(private_key)?;
    let fields = TransactionRequestFields {
        receiver_id: Some(transaction.receiver_id),
        actions: transaction.actions,
    };
    let request = TransactionRequest::try_from(fields)?;
    let transaction = Transaction {
        signer_id: parse_account_id(&transaction.signer_account_id, "signerAccountId")?,
        public_key: keys::public_key_of(&key),
        nonce: Nonce::parse(&transaction.nonce, "nonce")?,
        receiver_id: request.receiver_id,
        block_hash: transaction.block_hash.parse()?,
        actions: request.actions,
    };
    Ok(transaction.sign(key.signing_key())?)
}
