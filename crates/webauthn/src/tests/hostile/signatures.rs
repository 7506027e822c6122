//! ECDSA signatures.

use crate::{Part, WebAuthnError, ecdsa_signature_from_der};

const MALFORMED_SIGNATURE: Result<[u8; 64], WebAuthnError> =
    Err(WebAuthnError::Malformed(Part::Signature));

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
