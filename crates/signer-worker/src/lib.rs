//! The signer bundle: wasm-bindgen over the concept crates.
//!
//! It lives in a web worker of its own that serves one approval and ends. It never calls the network and never sees the
//! DOM. Secrets come in as `Uint8Array`, copied into memory that is zeroed when dropped (each function here wraps them
//! before anything can fail); the caller zero-fills its own. Every other value crosses by serde.
//!
//! Signing takes three calls: [`prepare_transactions`] (or [`prepare_nep413`]) gives the digest that the passkey's
//! challenge must carry; [`approve`] opens the account's key if the passkey answered exactly that challenge, and keeps it
//! until [`release`]; [`sign`] ([`sign_delegates`], [`sign_nep413`]) signs, again whenever nonces were overtaken.
//!
//! Every failure is thrown as an `Error` with a `code` in `SCREAMING_SNAKE_CASE`; see [`error::SignerError`].

mod error;
mod intended;
mod keys;
mod message;
mod prepared;
mod registration;
mod transactions;

use js_sys::Uint8Array;
use latchkey_js_values::{give, read};
use latchkey_key_derivation::{EncryptedPrivateKey, PrfOutput};
use latchkey_near_transaction::{SignedDelegate, SignedTransaction};
use latchkey_vrf::VrfChallenge;
use tsify::Ts;
use wasm_bindgen::prelude::wasm_bindgen;
use zeroize::Zeroizing;

pub use error::SignerError;
pub use keys::{DerivedKeypair, PasskeyAccount};
pub use message::{MessageToSign, SignedMessage};
use prepared::Assertion;
pub use prepared::{Answered, Prepared};
pub use registration::{ConfirmRegistration, ConfirmedRegistration};
pub use transactions::{KeyPairTransaction, TransactionsToSign};

type Outcome<T> = Result<T, SignerError>;

/// Derives the account's NEAR key from `PRF.second` and encrypts it under a key from `PRF.first`.
///
/// On another device the same call rebuilds the key.
///
/// # Errors
/// For an account id or PRF outputs that are not valid.
#[wasm_bindgen(js_name = deriveAndEncrypt)]
pub fn derive_and_encrypt(
    #[wasm_bindgen(js_name = accountId)] account_id: &str,
    #[wasm_bindgen(js_name = prfFirst)] prf_first: Vec<u8>,
    #[wasm_bindgen(js_name = prfSecond)] prf_second: Vec<u8>,
) -> Outcome<Ts<DerivedKeypair>> {
    let (prf_first, prf_second) = (PrfOutput::new(prf_first), PrfOutput::new(prf_second));
    give(&keys::derive_and_encrypt(
        account_id,
        &prf_first?,
        &prf_second?,
    )?)
}

/// Derives the key of the account that the passkey alone makes, as `deriveAndEncrypt` does, and the account's id from it.
///
/// # Errors
/// For PRF outputs that are not valid.
#[wasm_bindgen(js_name = derivePasskeyAccount)]
pub fn derive_passkey_account(
    #[wasm_bindgen(js_name = prfFirst)] prf_first: Vec<u8>,
    #[wasm_bindgen(js_name = prfSecond)] prf_second: Vec<u8>,
) -> Outcome<Ts<PasskeyAccount>> {
    let (prf_first, prf_second) = (PrfOutput::new(prf_first), PrfOutput::new(prf_second));
    give(&keys::derive_passkey_account(&prf_first?, &prf_second?)?)
}

/// Decrypts a stored private key; returns its text, `ed25519:...`, as UTF-8 bytes for the caller to zero-fill.
///
/// # Errors
/// For another passkey, or when the stored key was altered.
#[wasm_bindgen(js_name = decryptPrivateKey)]
pub fn decrypt_private_key(
    #[wasm_bindgen(js_name = accountId)] account_id: &str,
    #[wasm_bindgen(js_name = prfFirst)] prf_first: Vec<u8>,
    encrypted: Ts<EncryptedPrivateKey>,
) -> Outcome<Uint8Array> {
    let prf_first = PrfOutput::new(prf_first)?;
    let key = keys::decrypt(account_id, &prf_first, &read(encrypted, "encrypted")?)?;
    Ok(Uint8Array::from(key.to_text().as_bytes()))
}

/// Decrypts a stored private key as `decryptPrivateKey` does, and refuses one that does not belong to `publicKey`.
///
/// # Errors
/// For another passkey or another key, or when the stored key was altered.
#[wasm_bindgen(js_name = exportPrivateKey)]
pub fn export_private_key(
    #[wasm_bindgen(js_name = accountId)] account_id: &str,
    #[wasm_bindgen(js_name = prfFirst)] prf_first: Vec<u8>,
    encrypted: Ts<EncryptedPrivateKey>,
    #[wasm_bindgen(js_name = publicKey)] public_key: &str,
) -> Outcome<Uint8Array> {
    let prf_first = PrfOutput::new(prf_first)?;
    let encrypted = read(encrypted, "encrypted")?;
    let key = keys::decrypt_expected(account_id, &prf_first, &encrypted, &public_key.parse()?)?;
    Ok(Uint8Array::from(key.to_text().as_bytes()))
}

/// Encrypts a private key that comes from elsewhere (its text, as UTF-8 bytes) as `deriveAndEncrypt` does with the derived
/// one: only this passkey opens it.
///
/// # Errors
/// For an account id, a PRF output or a private key that is not valid.
#[wasm_bindgen(js_name = encryptPrivateKey)]
pub fn encrypt_private_key(
    #[wasm_bindgen(js_name = accountId)] account_id: &str,
    #[wasm_bindgen(js_name = prfFirst)] prf_first: Vec<u8>,
    #[wasm_bindgen(js_name = privateKey)] private_key: Vec<u8>,
) -> Outcome<Ts<EncryptedPrivateKey>> {
    let private_key = Zeroizing::new(private_key);
    let prf_first = PrfOutput::new(prf_first)?;
    give(&keys::encrypt(account_id, &prf_first, &private_key)?)
}

/// Checks transactions and computes the digest that the passkey's challenge must carry.
///
/// # Errors
/// For an action, a number, a key or an account id that is not valid.
#[wasm_bindgen(js_name = prepareTransactions)]
pub fn prepare_transactions(request: Ts<TransactionsToSign>) -> Outcome<Ts<Prepared>> {
    give(&prepared::prepare_transactions(read(request, "request")?)?)
}

/// Opens the account's key, if the passkey answered a challenge for exactly what was prepared. Once for each handle.
///
/// # Errors
/// `INTENT_DIGEST_MISMATCH` when it was made for anything else; `DECRYPTION_FAILED` for another passkey;
/// `KEY_MISMATCH` for another key; `ALREADY_APPROVED`. An approval that fails lets nothing be signed.
///
/// An account without a name may be unknown to the registry: for it, `answered` must show that the authenticator verified
/// the user, for this site and for a page of it or of the wallet; `INTENT_DIGEST_MISMATCH` otherwise.
#[wasm_bindgen]
pub fn approve(
    handle: u32,
    #[wasm_bindgen(js_name = prfFirst)] prf_first: Vec<u8>,
    challenge: Ts<VrfChallenge>,
    #[wasm_bindgen(js_name = clientDataJson)] client_data_json: &[u8],
    #[wasm_bindgen(js_name = encryptedPrivateKey)] encrypted: Ts<EncryptedPrivateKey>,
    answered: Option<Ts<Answered>>,
) -> Outcome<()> {
    approve_together(
        vec![handle],
        prf_first,
        challenge,
        client_data_json,
        encrypted,
        answered,
    )
}

/// As `approve`, for several things that one prompt approves: the challenge must carry the digest of all their digests, in
/// this order. Opens the key for all of them, or for none.
///
/// # Errors
/// As `approve`.
#[wasm_bindgen(js_name = approveTogether)]
pub fn approve_together(
    handles: Vec<u32>,
    #[wasm_bindgen(js_name = prfFirst)] prf_first: Vec<u8>,
    challenge: Ts<VrfChallenge>,
    #[wasm_bindgen(js_name = clientDataJson)] client_data_json: &[u8],
    #[wasm_bindgen(js_name = encryptedPrivateKey)] encrypted: Ts<EncryptedPrivateKey>,
    answered: Option<Ts<Answered>>,
) -> Outcome<()> {
    let prf_first = PrfOutput::new(prf_first)?;
    let assertion = Assertion {
        challenge: &read(challenge, "challenge")?,
        client_data_json,
        answered,
    };
    let encrypted = read(encrypted, "encryptedPrivateKey")?;
    prepared::approve(&handles, &prf_first, assertion, &encrypted)
}

/// Signs approved transactions, one nonce (a decimal string) for each. Every call signs all of them.
///
/// # Errors
/// `NOT_APPROVED` before a successful `approve`.
#[wasm_bindgen]
pub fn sign(
    handle: u32,
    nonces: Vec<String>,
    #[wasm_bindgen(js_name = blockHash)] block_hash: &str,
) -> Outcome<Vec<Ts<SignedTransaction>>> {
    let signed = prepared::sign(handle, &nonces, block_hash)?;
    signed.iter().map(give).collect()
}

/// Signs what was prepared with `delegateForBlocks` or `delegateMaxHeights` as delegate actions (NEP-366), one nonce for
/// each, and forgets it.
///
/// # Errors
/// As `sign`.
#[wasm_bindgen(js_name = signDelegates)]
pub fn sign_delegates(handle: u32, nonces: Vec<String>) -> Outcome<Vec<Ts<SignedDelegate>>> {
    let signed = prepared::sign_delegates(handle, &nonces)?;
    signed.iter().map(give).collect()
}

/// Forgets what was prepared and zeroes its key. Ignores an unknown handle.
#[wasm_bindgen]
pub fn release(handle: u32) {
    prepared::release(handle);
}

/// Signs one transaction with a private key that the caller holds (`ed25519:...` as UTF-8 bytes).
///
/// # Errors
/// For a key or a transaction that is not valid.
#[wasm_bindgen(js_name = signWithKeyPair)]
pub fn sign_with_key_pair(
    #[wasm_bindgen(js_name = privateKey)] private_key: Vec<u8>,
    transaction: Ts<KeyPairTransaction>,
) -> Outcome<Ts<SignedTransaction>> {
    let private_key = Zeroizing::new(private_key);
    give(&transactions::sign_with_key_pair(
        &private_key,
        read(transaction, "transaction")?,
    )?)
}

/// Checks a NEP-413 message and computes the digest that the passkey's challenge must carry.
///
/// # Errors
/// For a nonce that is not 32 bytes, an empty recipient, or a key or account id that is not valid.
#[wasm_bindgen(js_name = prepareNep413)]
pub fn prepare_nep413(message: Ts<MessageToSign>) -> Outcome<Ts<Prepared>> {
    give(&prepared::prepare_message(read(message, "message")?)?)
}

/// Signs an approved NEP-413 message, and forgets it.
///
/// # Errors
/// As `sign`.
#[wasm_bindgen(js_name = signNep413)]
pub fn sign_nep413(handle: u32) -> Outcome<Ts<SignedMessage>> {
    give(&prepared::sign_message(handle)?)
}

/// The COSE public key inside an attestation object.
///
/// # Errors
/// For bytes that are not an attestation object with a credential.
#[wasm_bindgen(js_name = extractCosePublicKey)]
pub fn extract_cose_public_key(
    #[wasm_bindgen(js_name = attestationObject)] attestation_object: &[u8],
) -> Outcome<Vec<u8>> {
    registration::extract_cose_public_key(attestation_object)
}

/// Checks a registration credential as WebAuthn Level 3, section 7.1 says, up to the attestation's signature.
///
/// # Errors
/// The first check that fails.
#[wasm_bindgen(js_name = confirmRegistrationCredential)]
pub fn confirm_registration_credential(
    request: Ts<ConfirmRegistration>,
) -> Outcome<Ts<ConfirmedRegistration>> {
    give(&registration::confirm(&read(request, "request")?)?)
}
