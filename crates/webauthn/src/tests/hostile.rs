//! Bytes designed to break a parser.

use minicbor::Encoder;
use p256::elliptic_curve::sec1::ToEncodedPoint as _;
use proptest::prelude::*;

use crate::{
    AttestationObject, AuthenticatorData, ClientData, CosePublicKey, Flags, Part, WebAuthnError,
    ecdsa_signature_from_der,
    testing::{Attestation, Ceremony, SoftAuthenticator},
    x509::Certificate,
};

const MALFORMED_SIGNATURE: Result<[u8; 64], WebAuthnError> =
    Err(WebAuthnError::Malformed(Part::Signature));

fn registration(attestation: Attestation) -> Vec<u8> {
    let ceremony = Ceremony {
        attestation,
        ..Ceremony::new("wallet.example", "https://wallet.example", &[7; 32])
    };
    SoftAuthenticator::es256(b"alice")
        .register(&ceremony)
        .response
        .attestation_object
        .0
}

fn authenticator_data() -> Vec<u8> {
    AttestationObject::parse(&registration(Attestation::None))
        .unwrap()
        .authenticator_data
}

/// A point of P-256.
fn point() -> ([u8; 32], [u8; 32]) {
    let CosePublicKey::Es256 { x, y } = SoftAuthenticator::es256(b"alice").public_key() else {
        unreachable!("an ES256 key");
    };
    (x, y)
}

fn client_data(json: &str) -> Result<ClientData, WebAuthnError> {
    ClientData::parse(json.as_bytes())
}

#[test]
fn refuses_malformed_client_data() {
    const CHALLENGE: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let good =
        format!(r#"{{"type":"webauthn.get","challenge":"{CHALLENGE}","origin":"https://a"}}"#);
    assert!(client_data(&good).is_ok());
    let malformed = WebAuthnError::Malformed(Part::ClientData);
    for bad in [
        String::new(),
        "null".to_owned(),
        "[]".to_owned(),
        format!("\u{feff}{good}"),
        format!("{good}{good}"),
        good.replace(r#""origin""#, r#""type":"webauthn.get","origin""#),
        good.replace(CHALLENGE, &format!("{CHALLENGE}=")),
        good.replace(CHALLENGE, "AB"),
        good.replace(CHALLENGE, "++++"),
        good.replace(r#""https://a""#, "1"),
        good.replace(r#","origin":"https://a""#, ""),
        good.replace('}', r#","crossOrigin":"true"}"#),
    ] {
        assert_eq!(client_data(&bad), Err(malformed), "{bad}");
    }
    assert_eq!(
        client_data(&good.replace("webauthn.get", "payment.get")),
        Err(WebAuthnError::WrongCeremony)
    );
    let long = "A".repeat(88);
    assert_eq!(
        client_data(&good.replace(CHALLENGE, &long)),
        Err(WebAuthnError::TooLarge(Part::ClientData))
    );
    // Chromium sometimes adds a member, so that parsers keep accepting unknown ones.
    assert!(client_data(&good.replace('}', r#","other_keys":{"a":[1]}}"#)).is_ok());
    let mut not_utf8 = good.into_bytes();
    not_utf8.insert(10, 0xff);
    assert_eq!(ClientData::parse(&not_utf8), Err(malformed));
}

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
    let huge = vec![0; 3073];
    assert_eq!(
        AuthenticatorData::parse(&huge),
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
    // {"hmac-secret": true}, {"a": [1, {"b": h'00'}]}
    for good in [
        &b"\xa1\x6bhmac-secret\xf5"[..],
        b"\xa1\x61a\x82\x01\xa1\x61b\x41\x00",
        b"\xa1\x61a\x85\x18\x18\x19\x01\x00\x1a\x00\x01\x00\x00\x1b\x00\x00\x00\x01\x00\x00\x00\x00\x38\x18",
        b"\xa0",
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
    let mut wide = vec![0xb8, 33];
    (0..33_u8).for_each(|key| wide.extend([0x18, key.max(24), 0]));
    assert_eq!(with_extensions(&wide), too_large);
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

#[test]
fn refuses_malformed_cose_keys() {
    let (x, y) = point();
    let ec2 = |kty: i64, alg: i64, curve: i64, x: &[u8], y: &[u8]| {
        let mut cbor = Encoder::new(Vec::new());
        cbor.map(5)
            .unwrap()
            .i64(1)
            .unwrap()
            .i64(kty)
            .unwrap()
            .i64(3)
            .unwrap()
            .i64(alg)
            .unwrap();
        cbor.i64(-1)
            .unwrap()
            .i64(curve)
            .unwrap()
            .i64(-2)
            .unwrap()
            .bytes(x)
            .unwrap();
        cbor.i64(-3).unwrap().bytes(y).unwrap();
        CosePublicKey::parse(&cbor.into_writer()).map(drop)
    };
    let malformed = Err(WebAuthnError::Malformed(Part::CoseKey));
    let unsupported = Err(WebAuthnError::UnsupportedAlgorithm);
    assert_eq!(ec2(2, -7, 1, &x, &y), Ok(()));
    assert_eq!(ec2(3, -7, 1, &x, &y), malformed);
    assert_eq!(ec2(2, -8, 1, &x, &y), malformed);
    assert_eq!(ec2(2, -7, 2, &x, &y), malformed);
    assert_eq!(ec2(2, -7, 1, &x[1..], &y), malformed);
    assert_eq!(ec2(2, -7, 1, &[1; 33], &y), malformed);
    assert_eq!(ec2(2, -35, 2, &[1; 48], &[1; 48]), unsupported);
    assert_eq!(ec2(2, -47, 8, &x, &y), unsupported);

    let good = CosePublicKey::Es256 { x, y }.to_cbor();
    assert!(CosePublicKey::parse(&good).is_ok());
    assert_eq!(
        CosePublicKey::parse(&[&good[..], &[0]].concat()),
        Err(WebAuthnError::TrailingBytes(Part::CoseKey))
    );
    assert_eq!(
        CosePublicKey::parse(&[0; 601]),
        Err(WebAuthnError::TooLarge(Part::CoseKey))
    );
    // A duplicate algorithm; a label that a credential's key must not have; no algorithm.
    let twice = [&[0xa6], &good[1..], &[0x03, 0x26]].concat();
    assert_eq!(
        CosePublicKey::parse(&twice),
        Err(WebAuthnError::DuplicateKey(Part::CoseKey))
    );
    // The same label in a longer encoding than necessary.
    let longer = [&[0xa6], &good[1..], &[0x18, 0x03, 0x26]].concat();
    assert_eq!(CosePublicKey::parse(&longer).map(drop), malformed);
    let key_id = [&[0xa6], &good[1..], &[0x02, 0x41, 0x00]].concat();
    assert_eq!(CosePublicKey::parse(&key_id).map(drop), malformed);
    assert_eq!(
        CosePublicKey::parse(&[0xa1, 0x01, 0x02]).map(drop),
        malformed
    );
}

#[test]
fn refuses_p256_coordinates_that_are_no_point() {
    let (x, y) = point();
    let parse = |x, y| CosePublicKey::parse(&CosePublicKey::Es256 { x, y }.to_cbor()).map(drop);
    let number = |text: &str| <[u8; 32]>::try_from(hex::decode(text).unwrap()).unwrap();
    let refused = Err(WebAuthnError::PointNotOnCurve);
    assert_eq!(parse(x, y), Ok(()));
    for bit in 0..256 {
        let mut other = y;
        other[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(parse(x, other), refused, "y with bit {bit} flipped");
    }
    // The curve has a point whose x is 5. The coordinate p + 5 stands for it modulo p only.
    let of_5 = number("459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc");
    let mut five = [0; 32];
    five[31] = 5;
    assert_eq!(parse(five, of_5), Ok(()));
    let p_plus_5 = number("ffffffff00000001000000000000000000000001000000000000000000000004");
    assert_eq!(parse(p_plus_5, of_5), refused);
    assert_eq!(parse([0; 32], [0; 32]), refused);
    assert_eq!(parse([0xff; 32], [0xff; 32]), refused);
}

#[test]
fn refuses_weak_or_odd_rsa_keys() {
    let key = |n: Vec<u8>, e: &[u8]| {
        CosePublicKey::parse(&CosePublicKey::Rs256 { n, e: e.to_vec() }.to_cbor()).map(drop)
    };
    let refused = Err(WebAuthnError::UnsupportedAlgorithm);
    let modulus = |length: usize| [&vec![0xff; length][..]].concat();
    assert_eq!(key(modulus(256), &[1, 0, 1]), Ok(()));
    assert_eq!(key(modulus(512), &[3]), Ok(()));
    assert_eq!(key(modulus(255), &[1, 0, 1]), refused);
    assert_eq!(key(modulus(513), &[1, 0, 1]), refused);
    let mut padded = modulus(257);
    padded[0] = 0;
    assert_eq!(key(padded, &[1, 0, 1]), refused);
    let with_top = |top: u8, length: usize| [&[top], &modulus(length - 1)[..]].concat();
    assert_eq!(key(with_top(0x7f, 256), &[1, 0, 1]), refused, "2047 bits");
    assert_eq!(key(with_top(0x01, 257), &[1, 0, 1]), Ok(()), "2049 bits");
    assert_eq!(key(with_top(0x7f, 512), &[1, 0, 1]), Ok(()), "4095 bits");
    assert_eq!(key(with_top(0x01, 513), &[1, 0, 1]), refused, "4097 bits");
    let mut even = modulus(256);
    even[255] = 0xfe;
    assert_eq!(key(even, &[1, 0, 1]), refused);
    for exponent in [&[][..], &[1], &[2], &[0, 3], &[1, 0, 0, 0, 1]] {
        assert_eq!(key(modulus(256), exponent), refused, "{exponent:?}");
    }
}

#[test]
fn refuses_attestation_objects_of_other_shapes() {
    let object = |format: &str, statement: &[u8]| {
        let data = authenticator_data();
        let mut cbor = Encoder::new(Vec::new());
        cbor.map(3)
            .unwrap()
            .str("fmt")
            .unwrap()
            .str(format)
            .unwrap()
            .str("attStmt")
            .unwrap();
        let mut bytes = cbor.into_writer();
        bytes.extend(statement);
        let mut cbor = Encoder::new(bytes);
        cbor.str("authData").unwrap().bytes(&data).unwrap();
        AttestationObject::parse(&cbor.into_writer()).map(drop)
    };
    const EMPTY: &[u8] = b"\xa0";
    let invalid = Err(WebAuthnError::AttestationInvalid);
    assert_eq!(object("none", EMPTY), Ok(()));
    assert_eq!(object("none", b"\xa1\x61x\x00"), invalid);
    assert_eq!(object("none", b"\xa1\x63alg\x26"), invalid);
    assert_eq!(object("packed", EMPTY), invalid);
    assert_eq!(object("packed", b"\xa1\x63alg\x26"), invalid);
    assert_eq!(object("packed", b"\xa2\x63alg\x26\x63sig\x41\x00"), Ok(()));
    assert_eq!(
        object("packed", b"\xa2\x63alg\x38\x22\x63sig\x41\x00"),
        Err(WebAuthnError::UnsupportedAlgorithm)
    );
    assert_eq!(
        object("packed", b"\xa3\x63alg\x26\x63sig\x41\x00\x63x5c\x80"),
        invalid
    );
    assert_eq!(
        object(
            "packed",
            b"\xa3\x63alg\x26\x63sig\x41\x00\x63x5c\x85\x40\x40\x40\x40\x40"
        ),
        Err(WebAuthnError::TooLarge(Part::Certificate))
    );
    assert_eq!(
        object(
            "packed",
            b"\xa3\x63alg\x26\x63sig\x41\x00\x6aecdaaKeyId\x41\x00"
        ),
        invalid
    );
    assert_eq!(object("fido-u2f", EMPTY), invalid);
    assert_eq!(
        object("fido-u2f", b"\xa2\x63sig\x41\x00\x63x5c\x82\x40\x40"),
        invalid
    );
    for format in ["tpm", "android-key", "apple", "android-safetynet", ""] {
        assert_eq!(
            object(format, EMPTY),
            Err(WebAuthnError::UnsupportedAttestationFormat)
        );
    }
    assert_eq!(
        object("none", b"\xa2\x61x\x00\x61x\x00"),
        Err(WebAuthnError::DuplicateKey(Part::AttestationObject))
    );

    let good = registration(Attestation::PackedCertified);
    for length in 0..good.len() {
        assert!(
            AttestationObject::parse(&good[..length]).is_err(),
            "{length}"
        );
    }
    assert_eq!(
        AttestationObject::parse(&[&good[..], &[0]].concat()),
        Err(WebAuthnError::TrailingBytes(Part::AttestationObject))
    );
}

#[test]
fn accepts_ecdsa_signatures_in_strict_der_only() {
    let one_and_two = [&[0; 31][..], &[1], &[0; 31], &[2]].concat();
    let read = |der: &[u8]| ecdsa_signature_from_der(der);
    assert_eq!(
        read(b"\x30\x06\x02\x01\x01\x02\x01\x02").unwrap()[..],
        one_and_two
    );
    let full = [
        &[0x30, 0x46][..],
        &[0x02, 0x21, 0x00],
        &[0xff; 32],
        &[0x02, 0x21, 0x00],
        &[0x80; 32],
    ]
    .concat();
    assert_eq!(read(&full).unwrap()[..], [[0xff; 32], [0x80; 32]].concat());
    for bad in [
        &b""[..],
        b"\x30",
        b"\x30\x00",
        b"\x31\x06\x02\x01\x01\x02\x01\x02",     // not a SEQUENCE
        b"\x30\x81\x06\x02\x01\x01\x02\x01\x02", // a length in too many bytes
        b"\x30\x80\x02\x01\x01\x02\x01\x02\x00\x00", // an indefinite length
        b"\x30\x03\x02\x01\x01",                 // no s
        b"\x30\x06\x02\x01\x00\x02\x01\x02",     // r = 0
        b"\x30\x06\x02\x01\x81\x02\x01\x02",     // r negative
        b"\x30\x07\x02\x02\x00\x01\x02\x01\x02", // r padded
        b"\x30\x05\x02\x00\x02\x01\x02",         // r empty
        b"\x30\x06\x03\x01\x01\x02\x01\x02",     // not an INTEGER
        b"\x30\x06\x02\x05\x01\x02\x01\x02",     // r longer than the input
    ] {
        assert_eq!(read(bad), MALFORMED_SIGNATURE, "{bad:02x?}");
    }
    let long = [
        &[0x30, 0x26, 0x02, 0x21, 0x01][..],
        &[0; 32],
        &[0x02, 0x01, 0x01],
    ]
    .concat();
    assert_eq!(read(&long), MALFORMED_SIGNATURE);
    let trailing = Err(WebAuthnError::TrailingBytes(Part::Signature));
    assert_eq!(read(b"\x30\x06\x02\x01\x01\x02\x01\x02\x00"), trailing);
    assert_eq!(
        read(b"\x30\x09\x02\x01\x01\x02\x01\x02\x02\x01\x03"),
        trailing
    );
}

#[test]
fn refuses_truncated_or_extended_certificates() {
    let good = SoftAuthenticator::es256(b"alice").certificate();
    assert!(
        Certificate::parse(&good)
            .unwrap()
            .check_packed_rules(&[0; 16])
            .is_ok()
    );
    for length in 0..good.len() {
        assert!(Certificate::parse(&good[..length]).is_err(), "{length}");
    }
    assert_eq!(
        Certificate::parse(&[&good[..], &[0]].concat()),
        Err(WebAuthnError::TrailingBytes(Part::Certificate))
    );
}

#[test]
fn accepts_integers_of_certificates_in_strict_der_only() {
    let good = SoftAuthenticator::es256(b"alice").certificate();
    // Version 3 and the serial number 1, together 8 bytes: room for a longer serial number.
    const VERSION_AND_SERIAL: &[u8] = &[0xa0, 3, 2, 1, 2, 2, 1, 1];
    let start = good
        .windows(8)
        .position(|window| window == VERSION_AND_SERIAL)
        .unwrap();
    let with = |serial: &[u8; 8]| {
        let mut bytes = good.clone();
        bytes[start..start + 8].copy_from_slice(serial);
        Certificate::parse(&bytes).map(drop)
    };
    let malformed = Err(WebAuthnError::Malformed(Part::Certificate));
    for good in [
        b"\x02\x06\x01\x00\x00\x00\x00\x00",
        b"\x02\x06\x00\x80\x00\x00\x00\x00",
        b"\x02\x06\xff\x7f\x00\x00\x00\x00",
    ] {
        assert_eq!(with(good), Ok(()), "{good:02x?}");
    }
    for bad in [
        b"\x02\x06\x00\x00\x00\x00\x00\x01",
        b"\x02\x06\x00\x7f\x00\x00\x00\x00",
        b"\x02\x06\xff\x80\x00\x00\x00\x00",
        b"\xa0\x04\x02\x02\x00\x02\x02\x00",
        b"\xa0\x03\x02\x01\x02\x02\x00\x05",
    ] {
        assert_eq!(with(bad), malformed, "{bad:02x?}");
    }
}

#[test]
fn refuses_certificates_that_break_the_rules_of_packed() {
    let good = SoftAuthenticator::es256(b"alice").certificate();
    let changed = |from: &[u8], to: &[u8]| {
        let start = good
            .windows(from.len())
            .rposition(|window| window == from)
            .unwrap();
        let mut bytes = good.clone();
        bytes[start..start + from.len()].copy_from_slice(to);
        Certificate::parse(&bytes).and_then(|leaf| leaf.check_packed_rules(&[0; 16]))
    };
    let invalid = Err(WebAuthnError::AttestationInvalid);
    assert_eq!(
        changed(b"Authenticator Attestation", b"Authenticator attestation"),
        invalid
    );
    // Version 2; another attribute than country; no basic constraints; aaguid marked critical.
    assert_eq!(changed(&[0xa0, 3, 2, 1, 2], &[0xa0, 3, 2, 1, 1]), invalid);
    assert_eq!(changed(&[6, 3, 0x55, 4, 6], &[6, 3, 0x55, 4, 7]), invalid);
    assert_eq!(
        changed(&[6, 3, 0x55, 0x1d, 0x13], &[6, 3, 0x55, 0x1d, 0x14]),
        invalid
    );
    let other_model = Certificate::parse(&good)
        .unwrap()
        .check_packed_rules(&[1; 16]);
    assert_eq!(other_model, invalid);
}

proptest! {
    /// The p256 crate decides the same.
    #[test]
    fn accepts_exactly_the_points_of_p256(x: [u8; 32], random_y: [u8; 32], bit in 0_u8..) {
        let compressed = [&[2], &x[..]].concat();
        let y = p256::PublicKey::from_sec1_bytes(&compressed).map_or(random_y, |key| {
            key.to_encoded_point(false).y().copied().unwrap().into()
        });
        let mut other = y;
        other[usize::from(bit / 8)] ^= 1 << (bit % 8);
        for y in [y, other, random_y] {
            let is_point = p256::PublicKey::from_sec1_bytes(&[&[4], &x[..], &y].concat()).is_ok();
            let key = CosePublicKey::Es256 { x, y };
            prop_assert_eq!(CosePublicKey::parse(&key.to_cbor()).is_ok(), is_point);
        }
    }

    #[test]
    fn no_bytes_make_a_parser_panic(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let _ = ClientData::parse(&bytes);
        let _ = AuthenticatorData::parse(&bytes);
        let _ = AttestationObject::parse(&bytes);
        let _ = CosePublicKey::parse(&bytes);
        let _ = ecdsa_signature_from_der(&bytes);
        let _ = Certificate::parse(&bytes);
    }

    #[test]
    fn no_altered_byte_makes_a_parser_panic(position in 0..900_usize, byte: u8) {
        for attestation in [Attestation::None, Attestation::PackedCertified, Attestation::FidoU2f] {
            let mut object = registration(attestation);
            let position = position % object.len();
            object[position] = byte;
            if let Ok(parsed) = AttestationObject::parse(&object) {
                let _ = AuthenticatorData::parse(&parsed.authenticator_data);
            }
            let mut certificate = SoftAuthenticator::es256(b"alice").certificate();
            let position = position % certificate.len();
            certificate[position] = byte;
            let _ = Certificate::parse(&certificate);
        }
    }
}
