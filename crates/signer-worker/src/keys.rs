//! Deriving, decrypting and exporting the account's key.

use latchkey_key_derivation::{
    EncryptedPrivateKey, PrfOutput, PrivateKey, derive_near_encryption_key, derive_near_key,
    derive_passkey_account_key, implicit_account_id,
};
use latchkey_near_transaction::{PublicKey, parse_account_id};
use serde::Serialize;
use tsify::Tsify;

use crate::{Outcome, SignerError};

/// A NEAR key, derived and encrypted.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct DerivedKeypair {
    /// `ed25519:` and base58 of 32 bytes.
    pub public_key: String,
    /// What storage keeps.
    pub encrypted_private_key: EncryptedPrivateKey,
}

pub(crate) fn derive_and_encrypt(
    account_id: &str,
    prf_first: &PrfOutput,
    prf_second: &PrfOutput,
) -> Outcome<DerivedKeypair> {
    let account_id = parse_account_id(account_id, "accountId")?;
    let key = derive_near_key(account_id.as_str(), prf_second);
    let encryption_key = derive_near_encryption_key(account_id.as_str(), prf_first);
    Ok(DerivedKeypair {
        public_key: public_key_of(&key).to_string(),
        encrypted_private_key: encryption_key.seal_private_key(&key)?,
    })
}

/// The account that a passkey alone makes, with its key.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct PasskeyAccount {
    /// 64 lower-case hex digits: the public key.
    pub account_id: String,
    /// Its key.
    pub key: DerivedKeypair,
}

pub(crate) fn derive_passkey_account(
    prf_first: &PrfOutput,
    prf_second: &PrfOutput,
) -> Outcome<PasskeyAccount> {
    let account_id = implicit_account_id(&derive_passkey_account_key(prf_second).public_key());
    let key = derive_and_encrypt(&account_id, prf_first, prf_second)?;
    Ok(PasskeyAccount { account_id, key })
}

/// Encrypts a private key, given as its text in UTF-8.
pub(crate) fn encrypt(
    account_id: &str,
    prf_first: &PrfOutput,
    private_key: &[u8],
) -> Outcome<EncryptedPrivateKey> {
    let account_id = parse_account_id(account_id, "accountId")?;
    let key = PrivateKey::from_text(private_key)?;
    Ok(derive_near_encryption_key(account_id.as_str(), prf_first).seal_private_key(&key)?)
}

pub(crate) fn decrypt(
    account_id: &str,
    prf_first: &PrfOutput,
    encrypted: &EncryptedPrivateKey,
) -> Outcome<PrivateKey> {
    Ok(derive_near_encryption_key(account_id, prf_first).open_private_key(encrypted)?)
}

/// Decrypts a key and refuses one that is not `public_key`'s.
pub(crate) fn decrypt_expected(
    account_id: &str,
    prf_first: &PrfOutput,
    encrypted: &EncryptedPrivateKey,
    public_key: &PublicKey,
) -> Outcome<PrivateKey> {
    let key = decrypt(account_id, prf_first, encrypted)?;
    if public_key_of(&key) == *public_key {
        Ok(key)
    } else {
        Err(SignerError::KeyMismatch)
    }
}

pub(crate) fn public_key_of(key: &PrivateKey) -> PublicKey {
    PublicKey::Ed25519(key.public_key())
}
