//! Transactions: as requested, as signed, as sent.

use borsh::io::{self, Read, Write};
use borsh::{BorshDeserialize, BorshSerialize};
use ed25519_dalek::SigningKey;
use serde::{Deserialize, Serialize};

use crate::{
    AccountId, Action, ActionFields, CryptoHash, Nonce, PublicKey, Signature, TransactionError,
    parse_account_id, signature::sign,
};

/// A transaction to sign, without its signer, nonce and block.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "ts", derive(tsify::Tsify), serde(rename_all = "camelCase"))]
pub struct TransactionRequest {
    /// The receiver's account id.
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub receiver_id: AccountId,
    /// The actions, in order.
    pub actions: Vec<Action>,
    /// The lane of the gas key that signs, counted from 0; absent for any other key.
    #[cfg_attr(feature = "ts", tsify(optional, type = "number | undefined"))]
    pub lane: Option<u16>,
    /// Absent means `Monotonic`.
    #[cfg_attr(feature = "ts", tsify(optional, type = "NonceMode | undefined"))]
    pub nonce_mode: NonceMode,
}

/// A transaction to sign, as input.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TransactionRequestFields {
    /// The receiver's account id.
    pub receiver_id: Option<String>,
    /// The actions, in order.
    pub actions: Vec<ActionFields>,
    /// The lane of the gas key that signs, counted from 0.
    pub lane: Option<u16>,
    /// Whether the nonce must be the next one.
    pub nonce_mode: Option<NonceMode>,
}

impl TryFrom<TransactionRequestFields> for TransactionRequest {
    type Error = TransactionError;

    fn try_from(fields: TransactionRequestFields) -> Result<Self, Self::Error> {
        let receiver_id = fields
            .receiver_id
            .filter(|id| !id.is_empty())
            .ok_or(TransactionError::MissingReceiver)?;
        let receiver_id = parse_account_id(&receiver_id, "receiver_id")?;
        let actions = fields
            .actions
            .into_iter()
            .map(Action::try_from)
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            receiver_id,
            actions,
            lane: fields.lane,
            nonce_mode: fields.nonce_mode.unwrap_or_default(),
        })
    }
}

impl TransactionRequest {
    /// What the request needs version 1 of a transaction for, if anything.
    #[must_use]
    pub fn version_1(&self) -> Option<Version1> {
        let Self {
            lane, nonce_mode, ..
        } = *self;
        (lane.is_some() || nonce_mode == NonceMode::Strict).then_some(Version1 { lane, nonce_mode })
    }
}

/// Which nonces the chain takes. The order of the variants is its encoding.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    BorshSerialize,
    BorshDeserialize,
    Serialize,
    Deserialize,
)]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub enum NonceMode {
    /// Any nonce above the last one.
    #[default]
    Monotonic,
    /// Only the last nonce plus one, from protocol 85: the transaction waits for those before it.
    Strict,
}

/// What version 1 of a transaction (protocol 85) says besides version 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Version1 {
    /// The lane of the gas key that signs, counted from 0; null for a key without lanes.
    pub lane: Option<u16>,
    /// Whether the nonce must be the next one.
    pub nonce_mode: NonceMode,
}

/// A transaction as the chain knows it, of version 0 or 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub struct Transaction {
    /// The account that signs.
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub signer_id: AccountId,
    /// The key that signs.
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub public_key: PublicKey,
    /// The nonce of the key, or of its lane, above the last one; a decimal string.
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub nonce: Nonce,
    /// The account that the actions run on.
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub receiver_id: AccountId,
    /// A recent block, base58.
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub block_hash: CryptoHash,
    /// The actions, in order.
    pub actions: Vec<Action>,
    /// Set in version 1, absent in version 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", tsify(optional, type = "Version1 | undefined"))]
    pub version_1: Option<Version1>,
}

/// Version 0 is the fields in order; version 1 begins with its number, and ends with the nonce mode.
impl BorshSerialize for Transaction {
    fn serialize<W: Write>(&self, writer: &mut W) -> io::Result<()> {
        const VERSION: u8 = 1;
        const NONCE: u8 = 0;
        const GAS_KEY_NONCE: u8 = 1;
        let key = (&self.signer_id, &self.public_key);
        let content = (&self.receiver_id, self.block_hash, &self.actions);
        if self.version_1.is_some() {
            BorshSerialize::serialize(&VERSION, writer)?;
        }
        BorshSerialize::serialize(&key, writer)?;
        match self.version_1 {
            None => {}
            Some(Version1 { lane: None, .. }) => BorshSerialize::serialize(&NONCE, writer)?,
            Some(_) => BorshSerialize::serialize(&GAS_KEY_NONCE, writer)?,
        }
        BorshSerialize::serialize(&self.nonce, writer)?;
        if let Some(lane) = self.version_1.and_then(|version| version.lane) {
            BorshSerialize::serialize(&lane, writer)?;
        }
        BorshSerialize::serialize(&content, writer)?;
        match self.version_1 {
            None => Ok(()),
            Some(Version1 { nonce_mode, .. }) => BorshSerialize::serialize(&nonce_mode, writer),
        }
    }
}

/// The second byte tells the versions apart (near-primitives, `Transaction`): in version 0 it belongs to the length of an
/// account id, and is 0.
impl BorshDeserialize for Transaction {
    fn deserialize_reader<R: Read>(reader: &mut R) -> io::Result<Self> {
        match <[u8; 2]>::deserialize_reader(reader)? {
            start @ [_, 0] => read_version(false, &mut start.as_slice().chain(reader)),
            [1, second] => read_version(true, &mut [second].as_slice().chain(reader)),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

fn read_version(is_version_1: bool, reader: &mut impl Read) -> io::Result<Transaction> {
    let (signer_id, public_key) = BorshDeserialize::deserialize_reader(reader)?;
    let has_lane = is_version_1 && bool::deserialize_reader(reader)?;
    let nonce = Nonce::deserialize_reader(reader)?;
    let lane = has_lane
        .then(|| u16::deserialize_reader(reader))
        .transpose()?;
    let (receiver_id, block_hash, actions) = BorshDeserialize::deserialize_reader(reader)?;
    let version_1 = is_version_1
        .then(|| NonceMode::deserialize_reader(reader))
        .transpose()?
        .map(|nonce_mode| Version1 { lane, nonce_mode });
    Ok(Transaction {
        signer_id,
        public_key,
        nonce,
        receiver_id,
        block_hash,
        actions,
        version_1,
    })
}

/// A transaction with its signature, ready to send.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct SignedTransaction {
    /// The transaction, to read.
    pub transaction: Transaction,
    /// Of the transaction's hash; `ed25519:` and base58 of 64 bytes.
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub signature: Signature,
    /// The borsh encoding of transaction and signature: what `send_tx` takes, in base64.
    #[serde(with = "serde_bytes")]
    #[cfg_attr(feature = "ts", tsify(type = "Uint8Array"))]
    pub borsh_bytes: Vec<u8>,
    /// The transaction's id: SHA-256 of the unsigned transaction's borsh bytes, base58.
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub hash: CryptoHash,
}

impl Transaction {
    /// Signs with `key`, which must be the one of the transaction's public key.
    ///
    /// # Errors
    /// [`TransactionError::KeyMismatch`] or [`TransactionError::Unencodable`].
    pub fn sign(self, key: &SigningKey) -> Result<SignedTransaction, TransactionError> {
        if self.public_key != PublicKey::Ed25519(key.verifying_key().to_bytes()) {
            return Err(TransactionError::KeyMismatch);
        }
        let signed = sign(&self, key)?;
        Ok(SignedTransaction {
            transaction: self,
            signature: signed.signature,
            borsh_bytes: signed.borsh_bytes,
            hash: signed.hash,
        })
    }
}

impl SignedTransaction {
    /// Reads the borsh encoding of a signed transaction; bytes after its end are refused.
    ///
    /// # Errors
    /// [`TransactionError::Undecodable`].
    pub fn from_borsh(bytes: &[u8]) -> Result<Self, TransactionError> {
        let undecodable = |_| TransactionError::Undecodable;
        let mut rest = bytes;
        let transaction = Transaction::deserialize(&mut rest).map_err(undecodable)?;
        let unsigned_length = bytes.len().saturating_sub(rest.len());
        let unsigned = bytes
            .get(..unsigned_length)
            .ok_or(TransactionError::Undecodable)?;
        let hash = CryptoHash::of(unsigned);
        let signature = Signature::try_from_slice(rest).map_err(undecodable)?;
        Ok(Self {
            transaction,
            signature,
            borsh_bytes: bytes.to_vec(),
            hash,
        })
    }
}
