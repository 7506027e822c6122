#![allow(clippy::unwrap_used)]

use base64ct::{Base64UrlUnpadded, Encoding};

use super::{Unwrap, Wrap, Wrapped};
use crate::{Exponent, Group, ServerKey, ShamirError};

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
fn unwraps_only_with_the_servers_help() {
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
fn the_server_sees_another_value_each_time() {
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
