//! Attestation objects and their certificates.

use minicbor::Encoder;

use super::{authenticator_data, registration};
use crate::{
    AttestationObject, CosePublicKey, Part, WebAuthnError,
    der::Der,
    testing::{Attestation, SoftAuthenticator, attestation_object, der},
    x509::{Certificate, public_key},
};

/// What the rules of `packed` say of a certificate whose last `from` is replaced by `to`, which is as long, so that no
/// length around it changes.
fn check_changed(from: &[u8], to: &[u8]) -> Result<(), WebAuthnError> {
    let mut bytes = SoftAuthenticator::es256(b"alice").certificate();
    let start = bytes.windows(to.len()).rposition(|window| window == from);
    bytes[start.unwrap()..][..to.len()].copy_from_slice(to);
    Certificate::parse(&bytes).and_then(|leaf| leaf.check_packed_rules(&[0; 16]))
}

#[test]
fn refuses_attestation_objects_of_other_shapes() {
    let object = |format: &str, statement: &[u8]| {
        AttestationObject::parse(&attestation_object(
            format,
            statement,
            &authenticator_data(),
        ))
        .map(drop)
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
fn accepts_parts_up_to_their_largest_size() {
    let object_of_size = |size: usize| {
        let without_data = attestation_object("none", b"\xa0", &[0; 256]).len() - 256;
        let object = attestation_object("none", b"\xa0", &vec![0; size - without_data]);
        assert_eq!(object.len(), size);
        AttestationObject::parse(&object).map(drop)
    };
    let statement = |signature: usize, certificates: &[usize]| {
        let mut cbor = Encoder::new(Vec::new());
        cbor.map(3).unwrap().str("alg").unwrap().i8(-7).unwrap();
        cbor.str("sig").unwrap().bytes(&vec![0; signature]).unwrap();
        let count = certificates.len().try_into().unwrap();
        cbor.str("x5c").unwrap().array(count).unwrap();
        for length in certificates {
            cbor.bytes(&vec![0; *length]).unwrap();
        }
        let object = attestation_object("packed", &cbor.into_writer(), &authenticator_data());
        AttestationObject::parse(&object).map(drop)
    };
    assert_eq!(object_of_size(12_288), Ok(()));
    assert_eq!(
        object_of_size(12_289),
        Err(WebAuthnError::TooLarge(Part::AttestationObject))
    );
    assert_eq!(statement(512, &[2_048, 1, 1, 1]), Ok(()));
    assert_eq!(
        statement(513, &[1]),
        Err(WebAuthnError::TooLarge(Part::Signature))
    );
    for certificates in [&[2_049][..], &[1; 5]] {
        assert_eq!(
            statement(64, certificates),
            Err(WebAuthnError::TooLarge(Part::Certificate))
        );
    }
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
    let invalid = Err(WebAuthnError::AttestationInvalid);
    assert_eq!(
        check_changed(b"Authenticator Attestation", b"Authenticator attestation"),
        invalid
    );
    // Version 2; another attribute than country; no basic constraints.
    assert_eq!(
        check_changed(&[0xa0, 3, 2, 1, 2], &[0xa0, 3, 2, 1, 1]),
        invalid
    );
    assert_eq!(
        check_changed(&[6, 3, 0x55, 4, 6], &[6, 3, 0x55, 4, 7]),
        invalid
    );
    assert_eq!(
        check_changed(&[6, 3, 0x55, 0x1d, 0x13], &[6, 3, 0x55, 0x1d, 0x14]),
        invalid
    );
    let other_model = Certificate::parse(&good)
        .unwrap()
        .check_packed_rules(&[1; 16]);
    assert_eq!(other_model, invalid);
}

#[test]
fn refuses_extensions_of_certificates_that_contradict_packed() {
    const CONSTRAINTS: &[u8] = &[6, 3, 0x55, 0x1d, 0x13];
    const AAGUID: &[u8] = &[6, 11, 0x2b, 6, 1, 4, 1, 0x82, 0xe5, 0x1c, 1, 1, 4];
    let yes = der(1, &[&[0xff]]);
    let constraints = |value: &[u8]| der(0x30, &[CONSTRAINTS, &der(4, &[&der(0x30, &[value])])]);
    let aaguid = |length: usize| der(0x30, &[AAGUID, &der(4, &[&der(4, &[&vec![0; length]])])]);
    let no_authority = der(0x30, &[CONSTRAINTS, &yes, &der(4, &[&der(0x30, &[])])]);
    let invalid = Err(WebAuthnError::AttestationInvalid);
    let twice = Err(WebAuthnError::DuplicateKey(Part::Certificate));
    assert_eq!(check_changed(&no_authority, &no_authority), Ok(()));
    assert_eq!(check_changed(&no_authority, &constraints(&yes)), invalid);
    assert_eq!(check_changed(&aaguid(16), &constraints(&[0; 24])), twice);
    let both = [no_authority, aaguid(16)].concat();
    assert_eq!(
        check_changed(&both, &[aaguid(5), aaguid(6)].concat()),
        twice
    );
    let critical = der(0x30, &[AAGUID, &yes, &der(4, &[&der(4, &[&[0; 16]])])]);
    assert_eq!(
        check_changed(&both, &[constraints(&[]), critical].concat()),
        invalid
    );
}

#[test]
fn reads_the_keys_of_other_algorithms_from_certificates() {
    let read = |algorithm: &[&[u8]], key: &[u8]| {
        let info = [der(0x30, algorithm), der(3, &[&[0], key])].concat();
        public_key(Der::new(&info, Part::Certificate))
    };
    // 1.3.101.112, and 1.2.840.113549.1.1.1 with its parameter NULL.
    let ed25519 = der(6, &[&[0x2b, 0x65, 0x70]]);
    let rsa = der(6, &[&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1]]);
    assert_eq!(
        read(&[&ed25519], &[5; 32]),
        Ok(CosePublicKey::EdDsa { x: [5; 32] })
    );
    let (n, e) = (vec![0xff; 256], vec![1, 0, 1]);
    let numbers = der(0x30, &[&der(2, &[&[0], &n]), &der(2, &[&e])]);
    assert_eq!(
        read(&[&rsa, &der(5, &[])], &numbers),
        Ok(CosePublicKey::Rs256 { n, e })
    );
    assert_eq!(
        read(&[&der(6, &[&[0x2b, 0x65, 0x71]])], &[5; 57]),
        Err(WebAuthnError::UnsupportedAlgorithm)
    );
}
