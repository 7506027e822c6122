//! Attestation objects and the formats `none`, `packed` and `fido-u2f` (Level 3, sections 6.5.4 and 8).

use crate::{
    Algorithm, AttestedCredential, AuthenticatorData, CosePublicKey, Part, SignatureVerifier,
    WebAuthnError,
    cbor::{Key, Reader},
    limits,
    signature::verify_signature,
    x509::Certificate,
};

/// The attestation formats accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttestationFormat {
    /// No attestation (section 8.7). The wallet requests this.
    None,
    /// WebAuthn's own format (section 8.2), self-signed or with a certificate.
    Packed,
    /// U2F authenticators (section 8.6).
    FidoU2f,
}

impl AttestationFormat {
    /// The registered name: `none`, `packed` or `fido-u2f`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Packed => "packed",
            Self::FidoU2f => "fido-u2f",
        }
    }
}

/// The attestation statement of an accepted format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttestationStatement {
    /// `none`: an empty map.
    None,
    /// `packed` without certificates: signed by the credential's own key.
    PackedSelf {
        /// The signature's algorithm, that of the credential's key.
        algorithm: Algorithm,
        /// The signature over authenticator data and the client data's hash.
        signature: Vec<u8>,
    },
    /// `packed` with certificates: signed by the first certificate's key.
    PackedCertified {
        /// The signature's algorithm.
        algorithm: Algorithm,
        /// The signature over authenticator data and the client data's hash.
        signature: Vec<u8>,
        /// X.509 certificates in DER, the leaf first; 1 to 4.
        certificates: Vec<Vec<u8>>,
    },
    /// `fido-u2f`.
    FidoU2f {
        /// The ES256 signature in DER, over U2F's registration message.
        signature: Vec<u8>,
        /// The one X.509 certificate, in DER.
        certificate: Vec<u8>,
    },
}

/// An attestation object: authenticator data, and a statement about its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttestationObject {
    /// The authenticator data as signed.
    pub authenticator_data: Vec<u8>,
    /// The statement.
    pub statement: AttestationStatement,
}

impl AttestationObject {
    /// Parses an attestation object that fills `bytes` (at most 12288).
    ///
    /// # Errors
    /// [`WebAuthnError::UnsupportedAttestationFormat`], or the errors of malformed input.
    pub fn parse(bytes: &[u8]) -> Result<Self, WebAuthnError> {
        if bytes.len() > limits::ATTESTATION_OBJECT {
            return Err(WebAuthnError::TooLarge(Part::AttestationObject));
        }
        let (mut format, mut statement, mut authenticator_data) = (None, None, None);
        let mut reader = Reader::new(bytes, Part::AttestationObject);
        reader.map(|key, reader| {
            match key {
                Key::Text("fmt") => format = Some(reader.text()?),
                // The format may follow the statement, so parse the statement last.
                Key::Text("attStmt") => statement = bytes.get(reader.skip()?),
                Key::Text("authData") => authenticator_data = Some(reader.bytes()?),
                _ => return Err(WebAuthnError::Malformed(Part::AttestationObject)),
            }
            Ok(())
        })?;
        reader.finish()?;
        let (Some(format), Some(statement), Some(authenticator_data)) =
            (format, statement, authenticator_data)
        else {
            return Err(WebAuthnError::Malformed(Part::AttestationObject));
        };
        Ok(Self {
            authenticator_data: authenticator_data.to_vec(),
            statement: AttestationStatement::parse(format, statement)?,
        })
    }
}

impl AttestationStatement {
    /// The statement's format.
    #[must_use]
    pub const fn format(&self) -> AttestationFormat {
        match self {
            Self::None => AttestationFormat::None,
            Self::PackedSelf { .. } | Self::PackedCertified { .. } => AttestationFormat::Packed,
            Self::FidoU2f { .. } => AttestationFormat::FidoU2f,
        }
    }

    fn parse(format: &str, bytes: &[u8]) -> Result<Self, WebAuthnError> {
        let StatementFields {
            algorithm,
            signature,
            certificates,
            has_others,
        } = StatementFields::parse(bytes)?;
        if !matches!(format, "none" | "packed" | "fido-u2f") {
            return Err(WebAuthnError::UnsupportedAttestationFormat);
        }
        if has_others {
            return Err(WebAuthnError::AttestationInvalid);
        }
        match (format, algorithm, signature, certificates.as_deref()) {
            ("none", None, None, None) => Ok(Self::None),
            ("packed", Some(algorithm), Some(signature), None) => {
                let algorithm = Algorithm::from_cose_id(algorithm)?;
                Ok(Self::PackedSelf {
                    algorithm,
                    signature: signature.to_vec(),
                })
            }
            ("packed", Some(algorithm), Some(signature), Some(certificates)) => {
                Ok(Self::PackedCertified {
                    algorithm: Algorithm::from_cose_id(algorithm)?,
                    signature: signature.to_vec(),
                    certificates: certificates.iter().map(|der| der.to_vec()).collect(),
                })
            }
            ("fido-u2f", None, Some(signature), Some([certificate])) => Ok(Self::FidoU2f {
                signature: signature.to_vec(),
                certificate: certificate.to_vec(),
            }),
            _ => Err(WebAuthnError::AttestationInvalid),
        }
    }

    /// Checks the statement's signature and the rules of its format.
    ///
    /// `authenticator_data` are the bytes of `parsed`.
    pub(crate) fn verify(
        &self,
        authenticator_data: &[u8],
        parsed: &AuthenticatorData,
        credential: &AttestedCredential,
        client_data_hash: &[u8; 32],
        verifier: &impl SignatureVerifier,
    ) -> Result<(), WebAuthnError> {
        let signed = || [authenticator_data, client_data_hash].concat();
        let ok = match self {
            Self::None => true,
            Self::PackedSelf {
                algorithm,
                signature,
            } => {
                if *algorithm != credential.public_key.algorithm() {
                    return Err(WebAuthnError::AttestationInvalid);
                }
                verify_signature(verifier, &credential.public_key, &signed(), signature)
            }
            Self::PackedCertified {
                algorithm,
                signature,
                certificates,
            } => {
                let leaf = certificates
                    .first()
                    .ok_or(WebAuthnError::AttestationInvalid)?;
                let leaf = Certificate::parse(leaf)?;
                leaf.check_packed_rules(&credential.aaguid)?;
                if *algorithm != leaf.public_key.algorithm() {
                    return Err(WebAuthnError::AttestationInvalid);
                }
                verify_signature(verifier, &leaf.public_key, &signed(), signature)
            }
            Self::FidoU2f {
                signature,
                certificate,
            } => {
                let leaf = Certificate::parse(certificate)?;
                let message = u2f_message(parsed, credential, client_data_hash)?;
                // Section 8.6: the certificate's key is a P-256 key.
                if leaf.public_key.algorithm() != Algorithm::Es256 {
                    return Err(WebAuthnError::AttestationInvalid);
                }
                verify_signature(verifier, &leaf.public_key, &message, signature)
            }
        };
        if ok {
            Ok(())
        } else {
            Err(WebAuthnError::AttestationSignatureInvalid)
        }
    }
}

/// The message that U2F signs in a registration: `00 || rpIdHash || clientDataHash || credentialId || 04 x y`.
fn u2f_message(
    parsed: &AuthenticatorData,
    credential: &AttestedCredential,
    client_data_hash: &[u8; 32],
) -> Result<Vec<u8>, WebAuthnError> {
    // U2F supports P-256 only.
    let CosePublicKey::Es256 { x, y } = &credential.public_key else {
        return Err(WebAuthnError::AttestationInvalid);
    };
    Ok([
        &[0],
        &parsed.rp_id_hash[..],
        client_data_hash,
        &credential.credential_id,
        &[4],
        x,
        y,
    ]
    .concat())
}

/// The fields of all accepted formats.
struct StatementFields<'b> {
    algorithm: Option<i64>,
    signature: Option<&'b [u8]>,
    certificates: Option<Vec<&'b [u8]>>,
    has_others: bool,
}

impl<'b> StatementFields<'b> {
    fn parse(bytes: &'b [u8]) -> Result<Self, WebAuthnError> {
        let mut fields = Self {
            algorithm: None,
            signature: None,
            certificates: None,
            has_others: false,
        };
        let mut reader = Reader::new(bytes, Part::AttestationObject);
        reader.map(|key, reader| {
            match key {
                Key::Text("alg") => fields.algorithm = Some(reader.int()?),
                Key::Text("sig") => fields.signature = Some(signature(reader)?),
                Key::Text("x5c") => fields.certificates = Some(certificates(reader)?),
                // A field of an unsupported format, or a field that the format does not have.
                _ => {
                    reader.skip()?;
                    fields.has_others = true;
                }
            }
            Ok(())
        })?;
        reader.finish()?;
        Ok(fields)
    }
}

fn signature<'b>(reader: &mut Reader<'b>) -> Result<&'b [u8], WebAuthnError> {
    let signature = reader.bytes()?;
    if signature.len() > limits::SIGNATURE {
        return Err(WebAuthnError::TooLarge(Part::Signature));
    }
    Ok(signature)
}

fn certificates<'b>(reader: &mut Reader<'b>) -> Result<Vec<&'b [u8]>, WebAuthnError> {
    let count = reader.array()?;
    if count == 0 {
        return Err(WebAuthnError::AttestationInvalid);
    }
    if count > limits::CERTIFICATES {
        return Err(WebAuthnError::TooLarge(Part::Certificate));
    }
    (0..count)
        .map(|_| {
            let certificate = reader.bytes()?;
            if certificate.len() > limits::CERTIFICATE {
                return Err(WebAuthnError::TooLarge(Part::Certificate));
            }
            Ok(certificate)
        })
        .collect()
}
