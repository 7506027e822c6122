// Specification: core 7

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use base64ct::{Base64UrlUnpadded, Encoding};
use latchkey_key_derivation::SealError;
use num_bigint_dig::BigUint;

use super::{Unwrap, Wrap, Wrapped};
use crate::{Exponent, Group, ServerKey, ShamirError, number_from_text, number_to_text};

const SECRET: [u8; 64] = [7; 64];

fn power(group: &Group, base: &str, exponent: &Exponent) -> String {
    group.element_to_text(&group.power(&group.element_from_text(base).unwrap(), exponent))
}

fn wrap(group: &Group, server: &ServerKey) -> Wrapped {
    let wrap = Wrap::start(group).unwrap();
    let kek_cs = power(group, &wrap.kek_c(group), &server.e);
    wrap.finish(group, &kek_cs, &SECRET).unwrap()
}

#[test]
fn unwraps_only_with_the_servers_help_s49() {
    let group = Group::rfc3526_2048();
    let (server, other) = (
        ServerKey::make(&group).unwrap(),
        ServerKey::make(&group).unwrap(),
    );
    let wrapped = wrap(&group, &server);
    let unwrap = |key: &ServerKey| {
        let (unwrap, kek_cs) = Unwrap::start(&group, &wrapped.kek_s_b64u).unwrap();
        unwrap.finish(
            &group,
            &power(&group, &kek_cs, &key.d),
            &wrapped.ciphertext_b64u,
        )
    };
    assert_eq!(*unwrap(&server).unwrap(), SECRET);
    assert_eq!(unwrap(&other).err(), Some(ShamirError::DecryptionFailed));
}

#[test]
fn the_server_sees_another_value_each_time_s49() {
    let group = Group::rfc3526_2048();
    let wrapped = wrap(&group, &ServerKey::make(&group).unwrap());
    let sent = || Unwrap::start(&group, &wrapped.kek_s_b64u).unwrap().1;
    let (first, second) = (sent(), sent());
    assert_ne!(first, second);
    assert!(first != wrapped.kek_s_b64u && second != wrapped.kek_s_b64u);
    assert_ne!(
        Wrap::start(&group).unwrap().kek_c(&group),
        Wrap::start(&group).unwrap().kek_c(&group)
    );
}

#[test]
fn refuses_answers_outside_the_group() {
    let group = Group::rfc3526_2048();
    let wrapped = wrap(&group, &ServerKey::make(&group).unwrap());
    for (answer, error) in [
        ("AQ", ShamirError::ElementOutOfRange),
        ("", ShamirError::NumberInvalid),
    ] {
        let finished = Wrap::start(&group).unwrap().finish(&group, answer, &SECRET);
        assert_eq!(finished.err(), Some(error));
        let (unwrap, _) = Unwrap::start(&group, &wrapped.kek_s_b64u).unwrap();
        let finished = unwrap.finish(&group, answer, &wrapped.ciphertext_b64u);
        assert_eq!(finished.err(), Some(error));
        assert_eq!(Unwrap::start(&group, answer).err(), Some(error));
    }
}

/// The answers to `sent` that need no exponent: itself, its negative and the inverses of both. p - 2 is the exponent
/// -1, and p minus a number its negative.
fn answers_without_a_lock(group: &Group, sent: &str) -> [String; 4] {
    let mut exponent = group.prime().to_vec();
    *exponent.last_mut().unwrap() -= 2;
    let inverse = Exponent::from_text(group, &number_to_text(&exponent)).unwrap();
    let inverse = power(group, sent, &inverse);
    let prime = BigUint::from_bytes_be(group.prime());
    let negative = |text: &str| {
        let number = BigUint::from_bytes_be(&number_from_text(text).unwrap());
        number_to_text(&(&prime - number).to_bytes_be())
    };
    [
        sent.to_owned(),
        negative(sent),
        inverse.clone(),
        negative(&inverse),
    ]
}

#[test]
fn refuses_to_store_a_kek_that_the_server_did_not_lock_s50() {
    let group = Group::rfc3526_2048();
    for which in 0..4 {
        let wrap = Wrap::start(&group).unwrap();
        let answer = &answers_without_a_lock(&group, &wrap.kek_c(&group))[which];
        let finished = wrap.finish(&group, answer, &SECRET);
        assert_eq!(finished.err(), Some(ShamirError::LockMissing), "{which}");
    }
}

#[test]
fn refuses_to_open_what_lies_in_the_clear() {
    let group = Group::rfc3526_2048();
    let wrapped = wrap(&group, &ServerKey::make(&group).unwrap());
    for which in 0..4 {
        let (unwrap, sent) = Unwrap::start(&group, &wrapped.kek_s_b64u).unwrap();
        let answer = &answers_without_a_lock(&group, &sent)[which];
        let finished = unwrap.finish(&group, answer, &wrapped.ciphertext_b64u);
        assert_eq!(finished.err(), Some(ShamirError::LockMissing), "{which}");
    }
}

#[test]
fn refuses_blobs_that_are_short_or_altered() {
    let group = Group::rfc3526_2048();
    let server = ServerKey::make(&group).unwrap();
    let wrapped = wrap(&group, &server);
    let open = |blob: &str| {
        let (unwrap, kek_cs) = Unwrap::start(&group, &wrapped.kek_s_b64u).unwrap();
        unwrap
            .finish(&group, &power(&group, &kek_cs, &server.d), blob)
            .err()
    };
    for blob in ["", "!", &Base64UrlUnpadded::encode_string(&[0; 27])] {
        assert_eq!(open(blob), Some(ShamirError::BlobMalformed));
    }
    let mut altered = Base64UrlUnpadded::decode_vec(&wrapped.ciphertext_b64u).unwrap();
    assert_eq!(altered.len(), 12 + SECRET.len() + 16);
    *altered.last_mut().unwrap() ^= 1;
    assert_eq!(
        open(&Base64UrlUnpadded::encode_string(&altered)),
        Some(ShamirError::DecryptionFailed)
    );
}

#[test]
fn says_why_sealing_failed() {
    for (cause, error) in [
        (SealError::NoRandomness, ShamirError::NoRandomness),
        (SealError::EncryptionFailed, ShamirError::EncryptionFailed),
        (
            SealError::MalformedCiphertext,
            ShamirError::DecryptionFailed,
        ),
    ] {
        assert_eq!(ShamirError::from(cause), error);
    }
}
