//! What the fuzz targets drive and this crate otherwise keeps to itself (feature `fuzzing`).

use crate::{CosePublicKey, Part, WebAuthnError, der::Der, x509::Certificate};

/// All DER values of `bytes`, one after the other: (tag, contents).
///
/// # Errors
/// [`WebAuthnError::Malformed`].
pub fn read_der(bytes: &[u8]) -> Result<Vec<(u8, &[u8])>, WebAuthnError> {
    let mut der = Der::new(bytes, Part::Certificate);
    let mut values = Vec::new();
    while !der.is_empty() {
        values.push(der.any()?);
    }
    Ok(values)
}

/// The magnitude of the positive DER integer that fills `bytes`.
///
/// # Errors
/// [`WebAuthnError::Malformed`] or [`WebAuthnError::TrailingBytes`].
pub fn read_der_integer(bytes: &[u8]) -> Result<&[u8], WebAuthnError> {
    let mut der = Der::new(bytes, Part::Certificate);
    let magnitude = der.positive_integer()?;
    der.finish()?;
    Ok(magnitude)
}

/// The public key of an attestation certificate, and whether the certificate obeys the rules of `packed` attestation.
///
/// # Errors
/// [`WebAuthnError`], for anything but one certificate that fills `der`.
pub fn read_certificate(der: &[u8]) -> Result<(CosePublicKey, bool), WebAuthnError> {
    let certificate = Certificate::parse(der)?;
    let obeys = certificate.check_packed_rules(&[0; 16]).is_ok();
    Ok((certificate.public_key, obeys))
}
