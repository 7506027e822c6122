//! COSE keys.

use minicbor::Encoder;

use crate::{CosePublicKey, Part, WebAuthnError, testing::SoftAuthenticator};

/// A point of P-256.
fn point() -> ([u8; 32], [u8; 32]) {
    let CosePublicKey::Es256 { x, y } = SoftAuthenticator::es256(b"alice").public_key() else {
        unreachable!("an ES256 key");
    };
    (x, y)
}

#[test]
fn a_refusal_names_its_part() {
    let refusal = CosePublicKey::parse(&[]).unwrap_err();
    assert_eq!(refusal.to_string(), "the COSE key is malformed");
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
    assert_eq!(CosePublicKey::parse(&[0; 600]).map(drop), malformed);
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
