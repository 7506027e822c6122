//! The VRF bundle: wasm-bindgen over the concept crates.
//!
//! It runs in a web worker that holds the session's VRF keypair and no other secret. It never sees the DOM
//! and never calls the network: the worker's TypeScript shell exchanges the messages of a lock operation
//! with the relay. A relay may use the server's `lock…` functions.
//!
//! PRF outputs come in as `Uint8Array`, copied into memory that is zeroed when dropped; the caller
//! zero-fills its own. Binary fields are base64url without padding. Every failure is thrown as an `Error`
//! with a `code` in `SCREAMING_SNAKE_CASE`; see [`VrfWorkerError`].

mod error;
mod server;
mod session;

use std::cell::RefCell;

use latchkey_js_values::{give, read};
use latchkey_key_derivation::PrfOutput;
use latchkey_vrf::{ChallengeRequest, VrfChallenge};
use serde::{Deserialize, Serialize};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;

pub use error::VrfWorkerError;
use server::Server;
use session::Worker;

type Outcome<T> = Result<T, VrfWorkerError>;

thread_local! {
    static WORKER: RefCell<Worker> = RefCell::default();
    static SERVER: RefCell<Server> = RefCell::default();
}

/// The session's public state.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct VrfStatus {
    /// Whether an account is logged in.
    pub active: bool,
    /// The session's account.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    pub account_id: Option<String>,
    /// The public key in memory, also that of a bootstrap keypair.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    pub vrf_public_key: Option<String>,
    /// Milliseconds since the unlock.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    pub session_duration_ms: Option<f64>,
}

/// A random keypair in memory.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct BootstrapKeypair {
    /// The public key.
    pub vrf_public_key: String,
    /// The challenge, if the caller requested one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    pub challenge: Option<VrfChallenge>,
}

/// A keypair as storage keeps it, encrypted under a key from `PRF.first`.
#[derive(Serialize, Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct EncryptedVrfKeypair {
    /// The ciphertext and its 16-byte tag.
    pub encrypted_vrf_data_b64u: String,
    /// The 12-byte nonce.
    pub chacha20_nonce_b64u: String,
}

/// The account's deterministic keypair.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct DerivedVrfKeypair {
    /// The public key.
    pub vrf_public_key: String,
    /// The encrypted keypair, for storage.
    pub encrypted_vrf_keypair: EncryptedVrfKeypair,
}

/// The keypair that an unlock brought into memory.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct UnlockedVrfKeypair {
    /// The public key.
    pub vrf_public_key: String,
}

/// The first half of a wrap.
#[derive(Serialize, Tsify)]
pub struct LockWrapRequest {
    /// The KEK under the client's lock, for `apply-server-lock`.
    #[serde(rename = "kekCB64u")]
    pub kek_c_b64u: String,
}

/// The first half of an unwrap.
#[derive(Serialize, Tsify)]
pub struct LockUnwrapRequest {
    /// The KEK under both locks, for `remove-server-lock`.
    #[serde(rename = "kekCsB64u")]
    pub kek_cs_b64u: String,
}

/// The keypair under the server's lock, as storage keeps it.
#[derive(Serialize, Tsify)]
pub struct ServerEncryptedVrfKeypair {
    /// Nonce (12 bytes) and ChaCha20-Poly1305 ciphertext of the keypair.
    #[serde(rename = "ciphertextVrfB64u")]
    pub ciphertext_vrf_b64u: String,
    /// The KEK under the server's lock.
    pub kek_s_b64u: String,
    /// The server key that locked it.
    #[serde(rename = "serverKeyId")]
    pub server_key_id: String,
}

/// A lock key of the server.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ServerLockKey {
    /// The exponent that locks. Secret.
    pub e_b64u: String,
    /// The exponent that unlocks. Secret.
    pub d_b64u: String,
    /// The key's public name.
    pub key_id: String,
}

/// Answers `pong`.
#[wasm_bindgen]
pub fn ping() -> String {
    "pong".to_owned()
}

/// Sets the group of the lock; the default is the 2048-bit group 14 of RFC 3526.
///
/// # Errors
/// `PRIME_TOO_SMALL`, `PRIME_TOO_LARGE`, `PRIME_NOT_SAFE`, `NUMBER_INVALID`.
#[wasm_bindgen(js_name = configureShamirP)]
pub fn configure_shamir_p(#[wasm_bindgen(js_name = pB64u)] p_b64u: &str) -> Outcome<()> {
    WORKER.with_borrow_mut(|worker| worker.configure(p_b64u))
}

/// The session's account and duration.
///
/// # Errors
/// `UNWRITABLE` when the answer cannot become a JavaScript value.
#[wasm_bindgen]
pub fn status() -> Outcome<Ts<VrfStatus>> {
    give(&WORKER.with_borrow(|worker| worker.status(now_ms())))
}

/// Zeroes the keypair and forgets the session.
#[wasm_bindgen]
pub fn logout() {
    WORKER.with_borrow_mut(Worker::logout);
}

/// Makes a random keypair for a registration, and with `input` its first challenge.
///
/// # Errors
/// `VRF bootstrap keypair generation failed: …`
#[wasm_bindgen(js_name = generateKeypairBootstrap)]
pub fn generate_keypair_bootstrap(
    input: Option<Ts<ChallengeRequest>>,
) -> Outcome<Ts<BootstrapKeypair>> {
    let bootstrap = || {
        let request = input.map(|input| read(input, "input")).transpose()?;
        WORKER.with_borrow_mut(|worker| worker.bootstrap(request.as_ref()))
    };
    let keypair = bootstrap().map_err(|cause| VrfWorkerError::Bootstrap(Box::new(cause)))?;
    give(&keypair)
}

/// Derives the account's keypair from `PRF.first` and encrypts it for storage; `keepInMemory` makes it
/// the session's.
///
/// # Errors
/// `VRF keypair derivation failed: …`
#[wasm_bindgen(js_name = deriveKeypairFromPrf)]
pub fn derive_keypair_from_prf(
    #[wasm_bindgen(js_name = accountId)] account_id: &str,
    #[wasm_bindgen(js_name = prfFirst)] prf_first: Vec<u8>,
    #[wasm_bindgen(js_name = keepInMemory)] keep_in_memory: bool,
) -> Outcome<Ts<DerivedVrfKeypair>> {
    let derive = |prf_first: Outcome<PrfOutput>| {
        let (account_id, prf_first) = (account(account_id)?, prf_first?);
        let kept_at = keep_in_memory.then(now_ms);
        WORKER.with_borrow_mut(|worker| worker.derive(account_id, &prf_first, kept_at))
    };
    let keypair = derive(PrfOutput::new(prf_first).map_err(Into::into))
        .map_err(|cause| VrfWorkerError::Derivation(Box::new(cause)))?;
    give(&keypair)
}

/// Opens the stored keypair with `PRF.first` and starts the account's session.
///
/// # Errors
/// `DECRYPTION_FAILED` for another passkey or altered data, `MALFORMED_CIPHERTEXT`, `KEYPAIR_INVALID`.
#[wasm_bindgen]
pub fn unlock(
    #[wasm_bindgen(js_name = accountId)] account_id: &str,
    #[wasm_bindgen(js_name = prfFirst)] prf_first: Vec<u8>,
    #[wasm_bindgen(js_name = encryptedVrfKeypair)] encrypted: Ts<EncryptedVrfKeypair>,
) -> Outcome<Ts<UnlockedVrfKeypair>> {
    let prf_first = PrfOutput::new(prf_first)?;
    let (account_id, encrypted) = (
        account(account_id)?,
        read(encrypted, "encryptedVrfKeypair")?,
    );
    let vrf_public_key = WORKER
        .with_borrow_mut(|worker| worker.unlock(account_id, &prf_first, &encrypted, now_ms()))?;
    give(&UnlockedVrfKeypair { vrf_public_key })
}

/// Makes a challenge with the keypair in memory.
///
/// # Errors
/// `VRF challenge generation failed: …`; the code is `NOT_UNLOCKED` without a keypair.
#[wasm_bindgen(js_name = generateChallenge)]
pub fn generate_challenge(input: Ts<ChallengeRequest>) -> Outcome<Ts<VrfChallenge>> {
    let challenge = || {
        let request = read(input, "input")?;
        WORKER.with_borrow(|worker| worker.challenge(&request))
    };
    let challenge = challenge().map_err(|cause| VrfWorkerError::Challenge(Box::new(cause)))?;
    give(&challenge)
}

/// Starts to wrap the keypair in memory under the server's lock.
///
/// # Errors
/// `VRF encrypt-current failed: …`; the code is `NO_KEYPAIR` without one.
#[wasm_bindgen(js_name = lockWrapStart)]
pub fn lock_wrap_start() -> Outcome<Ts<LockWrapRequest>> {
    let kek_c_b64u = WORKER
        .with_borrow_mut(Worker::start_wrap)
        .map_err(encrypt_current)?;
    give(&LockWrapRequest { kek_c_b64u })
}

/// Finishes a wrap with the server's answer.
///
/// # Errors
/// `VRF encrypt-current failed: …`
#[wasm_bindgen(js_name = lockWrapFinish)]
pub fn lock_wrap_finish(
    #[wasm_bindgen(js_name = kekCsB64u)] kek_cs_b64u: &str,
    #[wasm_bindgen(js_name = keyId)] key_id: String,
) -> Outcome<Ts<ServerEncryptedVrfKeypair>> {
    let wrapped = WORKER
        .with_borrow_mut(|worker| worker.finish_wrap(kek_cs_b64u, key_id))
        .map_err(encrypt_current)?;
    give(&wrapped)
}

/// Starts to unwrap the stored keypair with the server's help.
///
/// # Errors
/// `NUMBER_INVALID`, `ELEMENT_OUT_OF_RANGE`.
#[wasm_bindgen(js_name = lockUnwrapStart)]
pub fn lock_unwrap_start(
    #[wasm_bindgen(js_name = kekSB64u)] kek_s_b64u: &str,
) -> Outcome<Ts<LockUnwrapRequest>> {
    let kek_cs_b64u = WORKER.with_borrow_mut(|worker| worker.start_unwrap(kek_s_b64u))?;
    give(&LockUnwrapRequest { kek_cs_b64u })
}

/// Finishes an unwrap with the server's answer and starts the account's session.
///
/// # Errors
/// `NOT_STARTED`, `NUMBER_INVALID`, `ELEMENT_OUT_OF_RANGE`, `BLOB_MALFORMED`, `DECRYPTION_FAILED`,
/// `KEYPAIR_INVALID`.
#[wasm_bindgen(js_name = lockUnwrapFinish)]
pub fn lock_unwrap_finish(
    #[wasm_bindgen(js_name = accountId)] account_id: &str,
    #[wasm_bindgen(js_name = kekCB64u)] kek_c_b64u: &str,
    #[wasm_bindgen(js_name = ciphertextVrfB64u)] ciphertext_vrf_b64u: &str,
) -> Outcome<Ts<UnlockedVrfKeypair>> {
    let account_id = account(account_id)?;
    let vrf_public_key = WORKER.with_borrow_mut(|worker| {
        worker.finish_unwrap(account_id, kek_c_b64u, ciphertext_vrf_b64u, now_ms())
    })?;
    give(&UnlockedVrfKeypair { vrf_public_key })
}

/// Makes a lock key for a server.
///
/// # Errors
/// Those of [`configure_shamir_p`], `NO_RANDOMNESS`.
#[wasm_bindgen(js_name = lockMakeServerKey)]
pub fn lock_make_server_key(
    #[wasm_bindgen(js_name = pB64u)] p_b64u: &str,
) -> Outcome<Ts<ServerLockKey>> {
    give(&SERVER.with_borrow_mut(|server| server.make_key(p_b64u))?)
}

/// Puts the server's lock on: `kek_cs = kek_c ^ e`.
///
/// # Errors
/// Those of [`configure_shamir_p`], `EXPONENT_INVALID`, `ELEMENT_OUT_OF_RANGE`.
#[wasm_bindgen(js_name = lockApply)]
pub fn lock_apply(
    #[wasm_bindgen(js_name = pB64u)] p_b64u: &str,
    #[wasm_bindgen(js_name = eB64u)] e_b64u: &str,
    #[wasm_bindgen(js_name = kekCB64u)] kek_c_b64u: &str,
) -> Outcome<String> {
    SERVER.with_borrow_mut(|server| server.power(p_b64u, e_b64u, kek_c_b64u))
}

/// Takes the server's lock off: `kek_c = kek_cs ^ d`.
///
/// # Errors
/// Those of [`lock_apply`].
#[wasm_bindgen(js_name = lockRemove)]
pub fn lock_remove(
    #[wasm_bindgen(js_name = pB64u)] p_b64u: &str,
    #[wasm_bindgen(js_name = dB64u)] d_b64u: &str,
    #[wasm_bindgen(js_name = kekCsB64u)] kek_cs_b64u: &str,
) -> Outcome<String> {
    SERVER.with_borrow_mut(|server| server.power(p_b64u, d_b64u, kek_cs_b64u))
}

fn encrypt_current(cause: VrfWorkerError) -> VrfWorkerError {
    VrfWorkerError::EncryptCurrent(Box::new(cause))
}

fn account(account_id: &str) -> Outcome<&str> {
    if account_id.is_empty() {
        Err(VrfWorkerError::AccountIdMissing)
    } else {
        Ok(account_id)
    }
}

fn now_ms() -> f64 {
    js_sys::Date::now()
}
