#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use latchkey_shamir3pass::ServerKey;

use super::*;

const ALICE: &str = "alice.testnet";
const BOB: &str = "bob.testnet";

fn prf_first(byte: u8) -> PrfOutput {
    PrfOutput::new(vec![byte; 32]).unwrap()
}

fn log_in(worker: &mut Worker, account_id: &str, byte: u8) -> String {
    let derived = worker.derive(account_id, &prf_first(byte), Some(0.0));
    derived.unwrap().vrf_public_key
}

/// The server's lock put on, in the default group.
fn apply(kek_c: &str, key: &ServerKey) -> String {
    let group = Group::rfc3526_2048();
    let base = group.element_from_text(kek_c).unwrap();
    group.element_to_text(&group.power(&base, &key.e))
}

/// Finishes a wrap with a server that locks with this key.
fn finish_wrap(
    worker: &mut Worker,
    kek_c: &str,
    key: &ServerKey,
) -> Result<ServerEncryptedVrfKeypair, &'static str> {
    worker
        .finish_wrap(&apply(kek_c, key), "key-1".to_owned())
        .map_err(|error| error.code())
}

fn server_key() -> ServerKey {
    ServerKey::make(&Group::rfc3526_2048()).unwrap()
}

/// A prime of `tests/vectors/shamir-primes.json`, base64url.
fn prime(name: &str) -> String {
    let file: serde_json::Value =
        serde_json::from_str(include_str!("../../../../tests/vectors/shamir-primes.json")).unwrap();
    let vectors = file["standard"].as_array().unwrap();
    let vector = vectors.iter().find(|vector| vector["name"] == name);
    vector.unwrap()["p_b64u"].as_str().unwrap().to_owned()
}

#[test]
fn a_wrapped_keypair_unwraps_unchanged() {
    let mut worker = Worker::default();
    let (public_key, key) = (log_in(&mut worker, ALICE, 1), server_key());
    let kek_c = worker.start_wrap().unwrap();
    let wrapped = finish_wrap(&mut worker, &kek_c, &key).unwrap();

    worker.logout();
    let kek_cs = worker.start_unwrap(&wrapped.kek_s_b64u).unwrap();
    let group = Group::rfc3526_2048();
    let answer = group.power(&group.element_from_text(&kek_cs).unwrap(), &key.d);
    let kek_c = group.element_to_text(&answer);
    let unwrapped = worker.finish_unwrap(ALICE, &kek_c, &wrapped.ciphertext_vrf_b64u, 0.0);
    assert_eq!(unwrapped.unwrap(), public_key);
}

#[test]
fn a_server_that_answers_with_what_it_got_wraps_nothing() {
    let mut worker = Worker::default();
    log_in(&mut worker, ALICE, 1);
    let kek_c = worker.start_wrap().unwrap();
    let wrapped = worker.finish_wrap(&kek_c, "key-1".to_owned());
    assert_eq!(
        wrapped.err().map(|error| error.code()),
        Some("LOCK_MISSING")
    );
}

#[test]
fn a_new_keypair_ends_a_pending_wrap() {
    let mut worker = Worker::default();
    log_in(&mut worker, ALICE, 1);
    let kek_c = worker.start_wrap().unwrap();
    log_in(&mut worker, BOB, 2);
    assert_eq!(
        finish_wrap(&mut worker, &kek_c, &server_key()).err(),
        Some("NOT_STARTED")
    );

    let kek_c = worker.start_wrap().unwrap();
    worker.bootstrap(None).unwrap();
    assert_eq!(
        finish_wrap(&mut worker, &kek_c, &server_key()).err(),
        Some("NOT_STARTED")
    );
}

#[test]
fn a_new_group_ends_a_pending_wrap() {
    let mut worker = Worker::default();
    worker.configure(&prime("RFC 3526 group 14")).unwrap();
    log_in(&mut worker, ALICE, 1);
    let kek_c = worker.start_wrap().unwrap();
    worker.configure(&prime("RFC 3526 group 14")).unwrap();
    assert!(finish_wrap(&mut worker, &kek_c, &server_key()).is_ok());

    let kek_c = worker.start_wrap().unwrap();
    worker.configure(&prime("RFC 7919 ffdhe3072")).unwrap();
    assert_eq!(
        finish_wrap(&mut worker, &kek_c, &server_key()).err(),
        Some("NOT_STARTED")
    );
}
