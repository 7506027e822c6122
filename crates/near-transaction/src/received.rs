//! Signed delegates (NEP-366) as strangers send them to a relay, and the transactions that carry them to the chain.
//!
//! The decoder is as strict as the chain's, so the relay judges exactly what the chain executes. The chain's own limits
//! (near-parameters, `LimitConfig`) bound lists and texts before anything is allocated for them.

mod wire;

use std::borrow::Cow;

use borsh::io::{self, Write};
use borsh::{BorshDeserialize, BorshSerialize};
use ed25519_dalek::{Signature as Ed25519Signature, SigningKey, Verifier, VerifyingKey};

use crate::delegate::TAG;
use crate::signature::sign;
use crate::{AccountId, CryptoHash, DelegateError, Nonce, PublicKey, Signature, TransactionError};

/// A delegate that a stranger signed: what matters to the relay that pays for it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "relay",
    derive(serde::Serialize, tsify::Tsify),
    serde(rename_all = "camelCase"),
    tsify(large_number_types_as_bigints)
)]
pub struct ReceivedDelegate {
    /// The account that signed.
    #[cfg_attr(feature = "relay", tsify(type = "string"))]
    pub sender_id: AccountId,
    /// The account that the actions run on.
    #[cfg_attr(feature = "relay", tsify(type = "string"))]
    pub receiver_id: AccountId,
    /// The actions, in order.
    pub actions: Vec<ReceivedAction>,
    /// The nonce of the sender's key.
    pub nonce: u64,
    /// The last block that may carry the delegate.
    pub max_block_height: u64,
    /// The sender's key: `ed25519:` and base58 of 32 bytes.
    #[cfg_attr(feature = "relay", tsify(type = "string"))]
    pub public_key: PublicKey,
    /// What the sender signed (NEP-461): SHA-256 of the tag and the delegate, base58 of 32 bytes.
    #[cfg_attr(feature = "relay", tsify(type = "string"))]
    pub hash: CryptoHash,
    /// The signature, not verified yet.
    #[cfg_attr(feature = "relay", serde(skip))]
    pub signature: Signature,
    /// Delegate and signature, byte for byte as they arrived.
    #[cfg_attr(feature = "relay", serde(skip))]
    pub borsh_bytes: Vec<u8>,
}

/// An action of a received delegate: what matters to the relay that pays for it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "relay",
    derive(serde::Serialize, tsify::Tsify),
    serde(rename_all = "camelCase"),
    tsify(large_number_types_as_bigints)
)]
pub struct ReceivedAction {
    /// The action's kind.
    pub kind: ActionKind,
    /// The method, for a function call only.
    #[cfg_attr(
        feature = "relay",
        serde(skip_serializing_if = "Option::is_none"),
        tsify(optional)
    )]
    pub method_name: Option<String>,
    /// Attached gas; 0 where the action attaches none.
    pub gas: u64,
    /// yoctoNEAR that leave the account of the relayer, who pays for the transaction.
    pub deposit_yocto: u128,
}

/// The kinds of action that may stand in a delegate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "relay", derive(serde::Serialize, tsify::Tsify))]
#[expect(missing_docs, reason = "the kinds are those of `Action`")]
pub enum ActionKind {
    CreateAccount,
    DeployContract,
    FunctionCall,
    Transfer,
    Stake,
    AddKey,
    DeleteKey,
    DeleteAccount,
}

/// The signed transaction that carries a delegate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedCarrier {
    /// The borsh encoding of transaction and signature: what `send_tx` takes, in base64.
    pub borsh_bytes: Vec<u8>,
    /// The transaction's id: SHA-256 of the unsigned transaction's borsh bytes.
    pub hash: CryptoHash,
}

impl ReceivedDelegate {
    /// Reads the borsh encoding of a signed delegate, at most as large as the caller accepts. Verifies no signature.
    ///
    /// # Errors
    /// [`DelegateError`].
    pub fn from_borsh(bytes: &[u8]) -> Result<Self, DelegateError> {
        let mut rest = bytes;
        let delegate = wire::Delegate::deserialize(&mut rest)?;
        let PublicKey::Ed25519(_) = delegate.public_key else {
            return Err(malformed("the sender's key is not an ed25519 key"));
        };
        let unsigned_length = bytes.len().saturating_sub(rest.len());
        let unsigned = bytes.get(..unsigned_length).unwrap_or_default();
        let signature = Signature::deserialize(&mut rest)?;
        if !is_chain_signature(&signature) {
            return Err(malformed("the signature is not an ed25519 signature"));
        }
        if !rest.is_empty() {
            return Err(malformed("there are bytes after the end"));
        }
        Ok(Self {
            sender_id: delegate.sender_id.0,
            receiver_id: delegate.receiver_id.0,
            actions: delegate.actions.0.into_iter().map(Into::into).collect(),
            nonce: delegate.nonce,
            max_block_height: delegate.max_block_height,
            public_key: delegate.public_key,
            hash: CryptoHash::of(&[TAG.to_le_bytes().as_slice(), unsigned].concat()),
            signature,
            borsh_bytes: bytes.to_vec(),
        })
    }

    /// Whether the sender's key made the signature, by the chain's rules (RFC 8032, without the cofactor).
    #[must_use]
    pub fn is_signature_valid(&self) -> bool {
        let (PublicKey::Ed25519(key), Signature::Ed25519(signature)) =
            (&self.public_key, &self.signature)
        else {
            return false;
        };
        let signature = Ed25519Signature::from_bytes(signature);
        VerifyingKey::from_bytes(key).is_ok_and(|key| key.verify(&self.hash.0, &signature).is_ok())
    }

    /// Signs the transaction of `signer_id` that carries this delegate, byte for byte, to its sender.
    ///
    /// # Errors
    /// [`TransactionError::Unencodable`].
    pub fn sign_carrier(
        &self,
        signer_id: &AccountId,
        nonce: Nonce,
        block_hash: CryptoHash,
        key: &SigningKey,
    ) -> Result<SignedCarrier, TransactionError> {
        // The fields of `Transaction`, with one action: the variant 8, which `Action` leaves out.
        const ACTIONS: u32 = 1;
        const DELEGATE: u8 = 8;
        let public_key = PublicKey::Ed25519(key.verifying_key().to_bytes());
        let head = (signer_id, public_key, nonce, &self.sender_id, block_hash);
        let signed = sign(&(head, ACTIONS, DELEGATE, Encoded(&self.borsh_bytes)), key)?;
        Ok(SignedCarrier {
            borsh_bytes: signed.borsh_bytes,
            hash: signed.hash,
        })
    }
}

/// Bytes that are in borsh already.
struct Encoded<'a>(&'a [u8]);

impl BorshSerialize for Encoded<'_> {
    fn serialize<W: Write>(&self, writer: &mut W) -> io::Result<()> {
        writer.write_all(self.0)
    }
}

const fn malformed(problem: &'static str) -> DelegateError {
    DelegateError::Malformed(Cow::Borrowed(problem))
}

/// An ed25519 signature whose scalar is below 2^253: the chain reads no other (near-crypto).
fn is_chain_signature(signature: &Signature) -> bool {
    matches!(signature, Signature::Ed25519([.., last]) if *last <= 0x1f)
}
