//! Bytes designed to break a parser.
// Specification: core 5

mod attestation;
mod authenticator_data;
mod client_data;
mod der;
mod keys;
mod signatures;

use p256::elliptic_curve::sec1::ToEncodedPoint as _;
use proptest::prelude::*;

use crate::{
    AttestationObject, AuthenticatorData, ClientData, CosePublicKey, ecdsa_signature_from_der,
    testing::{Attestation, Ceremony, SoftAuthenticator},
    x509::Certificate,
};

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
