//! The relay's module: wasm-bindgen over `near-transaction` and `intent`, for Node and Workers. No page loads it.
//!
//! It reads the delegates and checks the registrations that strangers send, and signs the relay's own transactions.
//! Private keys come in as `Uint8Array`, copied into memory that is zeroed when dropped; the caller zero-fills its own.

use latchkey_intent::registration::Registration;
use latchkey_js_values::thrown;
use latchkey_key_derivation::PrivateKey;
use latchkey_near_transaction::{
    ActionFields, CryptoHash, DelegateError, Nonce, PublicKey, ReceivedDelegate, Transaction,
    TransactionRequest, TransactionRequestFields, parse_account_id,
};
use latchkey_vrf::{ChallengeInput, ClaimedChallenge};
use latchkey_webauthn::WebAuthnRegistration;
use serde::{Deserialize, Serialize};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};
use zeroize::Zeroizing;

/// The signer of the relay's transaction, and its nonce and block.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct TransactionHead {
    /// The account that signs.
    pub signer_id: String,
    /// The key's nonce, a decimal string.
    pub nonce: String,
    /// A recent block, base58.
    pub block_hash: String,
}

/// What a transaction of the relay's does.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct TransactionBody {
    /// The receiver's account id.
    pub receiver_id: String,
    /// The actions, in order.
    #[tsify(type = "Action[]")]
    pub actions: Vec<ActionFields>,
}

/// A signed transaction.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct SignedBytes {
    /// The borsh encoding of transaction and signature.
    #[tsify(type = "Uint8Array<ArrayBuffer>")]
    #[serde(with = "serde_bytes")]
    pub borsh_bytes: Vec<u8>,
    /// The transaction's id, base58.
    pub hash: String,
}

/// The challenge of a registration, as the relay's clients send it.
#[derive(Deserialize, Tsify)]
pub struct VrfData {
    /// The VRF input, 32 bytes.
    #[tsify(type = "number[]")]
    pub vrf_input_data: [u8; 32],
    /// The output, 64 bytes.
    #[tsify(type = "number[]")]
    pub vrf_output: Vec<u8>,
    /// The proof, 80 bytes.
    #[tsify(type = "number[]")]
    pub vrf_proof: Vec<u8>,
    /// The public key, 32 bytes.
    #[tsify(type = "number[]")]
    pub public_key: [u8; 32],
    /// The account id.
    pub user_id: String,
    /// The rpId.
    pub rp_id: String,
    /// The height of the challenge's block.
    pub block_height: u64,
    /// That block's hash, 32 bytes.
    #[tsify(type = "number[]")]
    pub block_hash: [u8; 32],
    /// The digest of the intent, 32 bytes.
    #[tsify(type = "number[]")]
    pub intent_digest_32: [u8; 32],
    /// The digest of a session policy, 32 bytes.
    #[serde(default)]
    #[tsify(optional, type = "number[]")]
    pub session_policy_digest_32: Option<[u8; 32]>,
}

/// Why no registry accepts the registration, in the registry's words; `undefined` if only a registry can tell.
///
/// # Errors
/// For a field of another type or length.
#[wasm_bindgen(js_name = registrationProblem)]
pub fn registration_problem(
    #[wasm_bindgen(js_name = vrfData)] vrf_data: Ts<VrfData>,
    credential: Ts<WebAuthnRegistration>,
) -> Result<Option<String>, JsError> {
    let (vrf_data, credential) = (vrf_data.to_rust()?, credential.to_rust()?);
    let challenge = ClaimedChallenge {
        input: ChallengeInput {
            user_id: &vrf_data.user_id,
            rp_id: &vrf_data.rp_id,
            block_height: vrf_data.block_height,
            block_hash: vrf_data.block_hash,
            intent_digest: Some(vrf_data.intent_digest_32),
            session_policy_digest: vrf_data.session_policy_digest_32,
        },
        input_hash: vrf_data.vrf_input_data,
        output: vrf_data.vrf_output.as_slice().try_into()?,
        proof: vrf_data.vrf_proof.as_slice().try_into()?,
        public_key: vrf_data.public_key,
    };
    let registration = Registration {
        challenge,
        credential: &credential,
    };
    Ok(registration.check().err().map(|error| error.to_string()))
}

/// Reads a signed delegate (NEP-366) from the borsh bytes that a stranger sent. Verifies no signature.
///
/// # Errors
/// With `code` `MALFORMED`, or `UNSUPPORTED` for an action that the relay never pays for.
#[wasm_bindgen(js_name = readSignedDelegate)]
pub fn read_signed_delegate(bytes: &[u8]) -> Result<Ts<ReceivedDelegate>, JsValue> {
    let delegate = ReceivedDelegate::from_borsh(bytes).map_err(refusal)?;
    delegate
        .into_ts()
        .map_err(|error| JsError::from(error).into())
}

/// Whether the sender's key signed the delegate of these bytes.
///
/// # Errors
/// As `readSignedDelegate`.
#[wasm_bindgen(js_name = isDelegateSigned)]
pub fn is_delegate_signed(bytes: &[u8]) -> Result<bool, JsValue> {
    let delegate = ReceivedDelegate::from_borsh(bytes).map_err(refusal)?;
    Ok(delegate.is_signature_valid())
}

/// Signs a transaction with a private key (`ed25519:...` as UTF-8 bytes).
///
/// # Errors
/// For a key or a transaction that is not valid.
#[wasm_bindgen(js_name = signTransaction)]
pub fn sign_transaction(
    #[wasm_bindgen(js_name = privateKey)] private_key: Vec<u8>,
    head: Ts<TransactionHead>,
    body: Ts<TransactionBody>,
) -> Result<Ts<SignedBytes>, JsError> {
    let key = PrivateKey::from_text(&Zeroizing::new(private_key))?;
    let (head, body) = (head.to_rust()?, body.to_rust()?);
    let request = TransactionRequest::try_from(TransactionRequestFields {
        receiver_id: Some(body.receiver_id),
        actions: body.actions,
        lane: None,
        nonce_mode: None,
    })?;
    let transaction = Transaction {
        signer_id: parse_account_id(&head.signer_id, "signerId")?,
        public_key: PublicKey::Ed25519(key.public_key()),
        nonce: Nonce::parse(&head.nonce, "nonce")?,
        receiver_id: request.receiver_id,
        block_hash: head.block_hash.parse()?,
        actions: request.actions,
        version_1: None,
    };
    let signed = transaction.sign(key.signing_key())?;
    signed_bytes(signed.borsh_bytes, signed.hash)
}

/// Signs the transaction that carries a signed delegate, byte for byte, to its sender.
///
/// # Errors
/// For a key, a head or a delegate that is not valid.
#[wasm_bindgen(js_name = signDelegateTransaction)]
pub fn sign_delegate_transaction(
    #[wasm_bindgen(js_name = privateKey)] private_key: Vec<u8>,
    head: Ts<TransactionHead>,
    delegate: &[u8],
) -> Result<Ts<SignedBytes>, JsError> {
    let key = PrivateKey::from_text(&Zeroizing::new(private_key))?;
    let head = head.to_rust()?;
    let signed = ReceivedDelegate::from_borsh(delegate)?.sign_carrier(
        &parse_account_id(&head.signer_id, "signerId")?,
        Nonce::parse(&head.nonce, "nonce")?,
        head.block_hash.parse()?,
        key.signing_key(),
    )?;
    signed_bytes(signed.borsh_bytes, signed.hash)
}

fn signed_bytes(borsh_bytes: Vec<u8>, hash: CryptoHash) -> Result<Ts<SignedBytes>, JsError> {
    let hash = hash.to_string();
    Ok(SignedBytes { borsh_bytes, hash }.into_ts()?)
}

fn refusal(error: DelegateError) -> JsValue {
    let code = match error {
        DelegateError::Malformed(_) => "MALFORMED",
        DelegateError::Unsupported(_) => "UNSUPPORTED",
    };
    thrown(&error, code)
}
