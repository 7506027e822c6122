//! Authenticator data.

use super::authenticator_data;
use crate::{AuthenticatorData, Flags, Part, WebAuthnError};

#[test]
fn refuses_truncated_or_extended_authenticator_data() {
    let good = authenticator_data();
    assert!(AuthenticatorData::parse(&good).is_ok());
    for length in 0..good.len() {
        assert!(
            AuthenticatorData::parse(&good[..length]).is_err(),
            "{length}"
        );
    }
    let trailing = [&good[..], &[0]].concat();
    assert_eq!(
        AuthenticatorData::parse(&trailing),
        Err(WebAuthnError::TrailingBytes(Part::AuthenticatorData))
    );
    assert_eq!(
        AuthenticatorData::parse(&[0; 3072]),
        Err(WebAuthnError::TrailingBytes(Part::AuthenticatorData))
    );
    assert_eq!(
        AuthenticatorData::parse(&[0; 3073]),
        Err(WebAuthnError::TooLarge(Part::AuthenticatorData))
    );
}

#[test]
fn refuses_an_empty_or_too_long_credential_id() {
    let good = authenticator_data();
    let with_length = |length: u16| {
        let mut bytes = good[..55].to_vec();
        bytes[53..].copy_from_slice(&length.to_be_bytes());
        bytes.extend(vec![1; usize::from(length)]);
        bytes.extend(&good[87..]);
        AuthenticatorData::parse(&bytes)
            .map(|data| data.attested_credential.unwrap().credential_id.len())
    };
    assert_eq!(with_length(1), Ok(1));
    assert_eq!(with_length(1023), Ok(1023));
    assert_eq!(
        with_length(0),
        Err(WebAuthnError::Malformed(Part::AuthenticatorData))
    );
    assert_eq!(
        with_length(1024),
        Err(WebAuthnError::TooLarge(Part::AuthenticatorData))
    );
}

#[test]
fn accepts_an_extension_map_and_refuses_anything_else() {
    let with_extensions = |extensions: &[u8]| {
        let mut bytes = vec![0; 32];
        bytes.push(Flags::USER_PRESENT | Flags::EXTENSIONS);
        bytes.extend([0; 4]);
        bytes.extend(extensions);
        AuthenticatorData::parse(&bytes).map(|data| data.extensions.unwrap())
    };
    let malformed = Err(WebAuthnError::Malformed(Part::AuthenticatorData));
    let with_entries = |count: u8| {
        let entry = |key| [0x18, key, 0];
        [
            [0xb8, count].to_vec(),
            (24..24 + count).flat_map(entry).collect(),
        ]
        .concat()
    };
    // {"hmac-secret": true}, {"a": "b"}, {"a": null}, {"a": [1, {"b": h'00'}]}
    for good in [
        &b"\xa1\x6bhmac-secret\xf5"[..],
        b"\xa1\x61a\x61b",
        b"\xa1\x61a\xf6",
        b"\xa1\x61a\x82\x01\xa1\x61b\x41\x00",
        b"\xa1\x61a\x85\x18\x18\x19\x01\x00\x1a\x00\x01\x00\x00\x1b\x00\x00\x00\x01\x00\x00\x00\x00\x38\x18",
        b"\xa0",
        &with_entries(32),
    ] {
        assert_eq!(with_extensions(good), Ok(good.to_vec()));
    }
    // A list; an indefinite map; nothing; an undefined value; a float; a tag; text that is not UTF-8. Then heads that
    // are not in their shortest form: of a map, a key, a number, a list, bytes.
    for bad in [
        &b"\x80"[..],
        b"\xbf\xff",
        b"",
        b"\xa1\x61a\xf7",
        b"\xa1\x61a\xf9\x00\x00",
        b"\xa1\x61a\xc0\x00",
        b"\xa1\x61a\x61\xff",
        b"\xb8\x01\x61a\x01",
        b"\xa1\x78\x01a\x01",
        b"\xa1\x61a\x18\x17",
        b"\xa1\x61a\x39\x00\xff",
        b"\xa1\x61a\x1a\x00\x00\xff\xff",
        b"\xa1\x61a\x1b\x00\x00\x00\x00\xff\xff\xff\xff",
        b"\xa1\x61a\x98\x01\x00",
        b"\xa1\x61a\x58\x01\x00",
    ] {
        assert_eq!(with_extensions(bad), malformed, "{bad:?}");
    }
    assert_eq!(
        with_extensions(b"\xa2\x61a\x01\x61a\x02"),
        Err(WebAuthnError::DuplicateKey(Part::AuthenticatorData))
    );
    let too_large = Err(WebAuthnError::TooLarge(Part::AuthenticatorData));
    let deep = [&b"\xa1\x61a"[..], &[0x81; 100], b"\x00"].concat();
    assert_eq!(with_extensions(&deep), too_large);
    assert_eq!(with_extensions(&with_entries(33)), too_large);
    // A length beyond the input must not cause an allocation.
    assert_eq!(
        with_extensions(b"\xa1\x61a\x9b\xff\xff\xff\xff\xff\xff\xff\xff"),
        malformed
    );
    assert_eq!(
        with_extensions(b"\xa1\x61a\x5b\xff\xff\xff\xff\xff\xff\xff\xff"),
        malformed
    );
}
