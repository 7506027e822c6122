//! Public keys in COSE form (RFC 9052, RFC 8230, RFC 9053), as authenticators give them.
//!
//! Our own: coset decodes hostile bytes into a value tree without our limits, and its size would count in the contract.

use minicbor::Encoder;

use crate::{
    Part, WebAuthnError,
    cbor::{Key, Reader},
    limits,
    p256_point::is_point,
};

/// The signature algorithms accepted, with their COSE numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// ECDSA over P-256 with SHA-256, COSE -7.
    Es256,
    /// EdDSA over Ed25519, COSE -8.
    EdDsa,
    /// RSASSA-PKCS1-v1_5 with SHA-256, COSE -257.
    Rs256,
}

impl Algorithm {
    /// The COSE number: -7, -8 or -257.
    #[must_use]
    pub const fn cose_id(self) -> i64 {
        match self {
            Self::Es256 => -7,
            Self::EdDsa => -8,
            Self::Rs256 => -257,
        }
    }

    /// The algorithm of a COSE number.
    ///
    /// # Errors
    /// [`WebAuthnError::UnsupportedAlgorithm`] for any other number.
    pub const fn from_cose_id(id: i64) -> Result<Self, WebAuthnError> {
        match id {
            -7 => Ok(Self::Es256),
            -8 => Ok(Self::EdDsa),
            -257 => Ok(Self::Rs256),
            _ => Err(WebAuthnError::UnsupportedAlgorithm),
        }
    }
}

/// A public key of one of the accepted algorithms.
///
/// Parsing checks that a P-256 key is a point of its curve. Whether an Ed25519 key is one, signature checks decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CosePublicKey {
    /// A point of P-256: two coordinates, big-endian.
    Es256 {
        /// The x coordinate.
        x: [u8; 32],
        /// The y coordinate.
        y: [u8; 32],
    },
    /// An Ed25519 public key (RFC 8032).
    EdDsa {
        /// The encoded point.
        x: [u8; 32],
    },
    /// An RSA public key of 2048 to 4096 bits.
    Rs256 {
        /// The modulus, big-endian, without leading zeros.
        n: Vec<u8>,
        /// The public exponent, big-endian, at most 4 bytes.
        e: Vec<u8>,
    },
}

// Labels of RFC 9052, section 7.1, and RFC 9053, sections 7.1 and 7.2; RFC 8230, section 4.
const KTY: i64 = 1;
const ALG: i64 = 3;
const CRV_OR_N: i64 = -1;
const X_OR_E: i64 = -2;
const Y: i64 = -3;
const KTY_OKP: i64 = 1;
const KTY_EC2: i64 = 2;
const KTY_RSA: i64 = 3;
const CRV_P256: i64 = 1;
const CRV_ED25519: i64 = 6;

impl CosePublicKey {
    /// Parses a COSE key that fills `bytes` (at most 600).
    ///
    /// # Errors
    /// [`WebAuthnError::Malformed`], [`WebAuthnError::TooLarge`], [`WebAuthnError::DuplicateKey`],
    /// [`WebAuthnError::TrailingBytes`], [`WebAuthnError::PointNotOnCurve`] or
    /// [`WebAuthnError::UnsupportedAlgorithm`].
    pub fn parse(bytes: &[u8]) -> Result<Self, WebAuthnError> {
        if bytes.len() > limits::COSE_KEY {
            return Err(WebAuthnError::TooLarge(Part::CoseKey));
        }
        let mut reader = Reader::new(bytes, Part::CoseKey);
        let key = Self::read(&mut reader)?;
        reader.finish()?;
        Ok(key)
    }

    /// Parses a COSE key at the start of `bytes` and returns its length too.
    pub(crate) fn parse_prefix(bytes: &[u8]) -> Result<(Self, usize), WebAuthnError> {
        let mut reader = Reader::new(bytes, Part::CoseKey);
        let key = Self::read(&mut reader)?;
        Ok((key, reader.position()))
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WebAuthnError> {
        let (mut kty, mut alg, mut curve) = (None, None, None);
        let (mut first, mut second, mut third) = (None, None, None);
        reader.map(|key, reader| {
            match key {
                Key::Int(KTY) => kty = Some(reader.int()?),
                Key::Int(ALG) => alg = Some(reader.int()?),
                // -1 is the curve of an EC2 or OKP key and the modulus of an RSA key. RFC 9052 allows
                // labels in any order, so the type of the value tells which.
                Key::Int(CRV_OR_N) => match reader.int_or_bytes()? {
                    Ok(number) => curve = Some(number),
                    Err(bytes) => first = Some(bytes),
                },
                Key::Int(X_OR_E) => second = Some(reader.bytes()?),
                Key::Int(Y) => third = Some(reader.bytes()?),
                _ => return Err(WebAuthnError::Malformed(Part::CoseKey)),
            }
            Ok(())
        })?;
        let malformed = WebAuthnError::Malformed(Part::CoseKey);
        match (
            Algorithm::from_cose_id(alg.ok_or(malformed)?)?,
            kty,
            curve,
            first,
            second,
            third,
        ) {
            (Algorithm::Es256, Some(KTY_EC2), Some(CRV_P256), None, Some(x), Some(y)) => {
                Self::es256(array(x)?, array(y)?)
            }
            (Algorithm::EdDsa, Some(KTY_OKP), Some(CRV_ED25519), None, Some(x), None) => {
                Ok(Self::EdDsa { x: array(x)? })
            }
            (Algorithm::Rs256, Some(KTY_RSA), None, Some(n), Some(e), None) => Self::rs256(n, e),
            _ => Err(malformed),
        }
    }

    /// Checks that the coordinates are a point and returns the P-256 key. Verifiers get the compressed point, so
    /// without this check another y of the same parity would pass for the same key.
    pub(crate) fn es256(x: [u8; 32], y: [u8; 32]) -> Result<Self, WebAuthnError> {
        if is_point(&x, &y) {
            Ok(Self::Es256 { x, y })
        } else {
            Err(WebAuthnError::PointNotOnCurve)
        }
    }

    /// Checks modulus and exponent and returns the RSA key.
    pub(crate) fn rs256(n: &[u8], e: &[u8]) -> Result<Self, WebAuthnError> {
        let (first, last) = (
            n.first().copied().unwrap_or(0),
            n.last().copied().unwrap_or(0),
        );
        let bits = (n.len() * 8).saturating_sub(first.leading_zeros() as usize);
        // RFC 8230, section 4: no leading zero bytes. A modulus is odd.
        let modulus_fits = limits::RSA_MODULUS_BITS.contains(&bits) && first != 0 && last & 1 == 1;
        let exponent_fits = matches!(e.len(), 1..=4)
            && e.first().is_some_and(|byte| *byte != 0)
            && e.last().is_some_and(|byte| byte & 1 == 1)
            && e != [1];
        if modulus_fits && exponent_fits {
            Ok(Self::Rs256 {
                n: n.to_vec(),
                e: e.to_vec(),
            })
        } else {
            Err(WebAuthnError::UnsupportedAlgorithm)
        }
    }

    /// The key's signature algorithm.
    #[must_use]
    pub const fn algorithm(&self) -> Algorithm {
        match self {
            Self::Es256 { .. } => Algorithm::Es256,
            Self::EdDsa { .. } => Algorithm::EdDsa,
            Self::Rs256 { .. } => Algorithm::Rs256,
        }
    }

    /// The key as CTAP2 canonical CBOR.
    #[must_use]
    pub fn to_cbor(&self) -> Vec<u8> {
        let mut encoder = Encoder::new(Vec::new());
        // Writing into a vector cannot fail: the error type is Infallible.
        let written = match self {
            Self::Es256 { x, y } => encode_ec2(&mut encoder, x, y),
            Self::EdDsa { x } => encode_okp(&mut encoder, x),
            Self::Rs256 { n, e } => encode_rsa(&mut encoder, n, e),
        };
        debug_assert!(written.is_ok());
        encoder.into_writer()
    }
}

/// A P-256 point in compressed SEC 1 form: `02` or `03`, then x; 33 bytes.
#[must_use]
pub(crate) fn compress_p256(x: &[u8; 32], y: &[u8; 32]) -> [u8; 33] {
    let [.., last] = y;
    let mut point = [0; 33];
    let (sign, coordinate) = point.split_at_mut(1);
    sign.fill(2 | (last & 1));
    coordinate.copy_from_slice(x);
    point
}

type Written = Result<(), minicbor::encode::Error<core::convert::Infallible>>;

fn encode_ec2(encoder: &mut Encoder<Vec<u8>>, x: &[u8], y: &[u8]) -> Written {
    encoder
        .map(5)?
        .i64(KTY)?
        .i64(KTY_EC2)?
        .i64(ALG)?
        .i64(Algorithm::Es256.cose_id())?;
    encoder
        .i64(CRV_OR_N)?
        .i64(CRV_P256)?
        .i64(X_OR_E)?
        .bytes(x)?
        .i64(Y)?
        .bytes(y)?;
    Ok(())
}

fn encode_okp(encoder: &mut Encoder<Vec<u8>>, x: &[u8]) -> Written {
    encoder
        .map(4)?
        .i64(KTY)?
        .i64(KTY_OKP)?
        .i64(ALG)?
        .i64(Algorithm::EdDsa.cose_id())?;
    encoder
        .i64(CRV_OR_N)?
        .i64(CRV_ED25519)?
        .i64(X_OR_E)?
        .bytes(x)?;
    Ok(())
}

fn encode_rsa(encoder: &mut Encoder<Vec<u8>>, n: &[u8], e: &[u8]) -> Written {
    encoder
        .map(4)?
        .i64(KTY)?
        .i64(KTY_RSA)?
        .i64(ALG)?
        .i64(Algorithm::Rs256.cose_id())?;
    encoder.i64(CRV_OR_N)?.bytes(n)?.i64(X_OR_E)?.bytes(e)?;
    Ok(())
}

fn array(bytes: &[u8]) -> Result<[u8; 32], WebAuthnError> {
    bytes
        .try_into()
        .map_err(|_| WebAuthnError::Malformed(Part::CoseKey))
}
