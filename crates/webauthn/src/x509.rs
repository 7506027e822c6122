//! Attestation certificates (RFC 5280): the leaf's public key, and what section 8.2.1 of WebAuthn
//! Level 3 asks of it. Validity times and issuers are not judged: there is no list of trusted makers.
//!
//! Our own: the contract needs a key and six facts of one certificate; x509-cert brings all of RFC 5280 into its size.

use crate::{
    CosePublicKey, Part, WebAuthnError,
    der::{BIT_STRING, BOOLEAN, Der, NULL, OCTET_STRING, OID, SEQUENCE, SET},
};

const MALFORMED: WebAuthnError = WebAuthnError::Malformed(Part::Certificate);

// Tags of TBSCertificate's optional fields.
const VERSION: u8 = 0xa0;
const ISSUER_UNIQUE_ID: u8 = 0x81;
const SUBJECT_UNIQUE_ID: u8 = 0x82;
const EXTENSIONS: u8 = 0xa3;
const VERSION_3: &[u8] = &[2];

// Object identifiers, DER contents.
const EC_PUBLIC_KEY: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]; // 1.2.840.10045.2.1
const PRIME256V1: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]; // 1.2.840.10045.3.1.7
const RSA_ENCRYPTION: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01]; // 1.2.840.113549.1.1.1
const ED25519: &[u8] = &[0x2b, 0x65, 0x70]; // 1.3.101.112
const COUNTRY: &[u8] = &[0x55, 0x04, 0x06]; // 2.5.4.6
const ORGANIZATION: &[u8] = &[0x55, 0x04, 0x0a]; // 2.5.4.10
const ORGANIZATIONAL_UNIT: &[u8] = &[0x55, 0x04, 0x0b]; // 2.5.4.11
const COMMON_NAME: &[u8] = &[0x55, 0x04, 0x03]; // 2.5.4.3
const BASIC_CONSTRAINTS: &[u8] = &[0x55, 0x1d, 0x13]; // 2.5.29.19
// id-fido-gen-ce-aaguid, 1.3.6.1.4.1.45724.1.1.4
const FIDO_AAGUID: &[u8] = &[
    0x2b, 0x06, 0x01, 0x04, 0x01, 0x82, 0xe5, 0x1c, 0x01, 0x01, 0x04,
];

const ATTESTATION_UNIT: &[u8] = b"Authenticator Attestation";

/// The fields of a certificate that attestation needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Certificate<'b> {
    pub(crate) public_key: CosePublicKey,
    is_version_3: bool,
    subject: Subject<'b>,
    /// `cA` of Basic Constraints; `None` without the extension.
    is_authority: Option<bool>,
    aaguid: Option<&'b [u8]>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Subject<'b> {
    has_country: bool,
    has_organization: bool,
    has_common_name: bool,
    unit: Option<&'b [u8]>,
}

impl<'b> Certificate<'b> {
    /// Parses one certificate that fills `der`.
    pub(crate) fn parse(der: &'b [u8]) -> Result<Self, WebAuthnError> {
        let mut outer = Der::new(der, Part::Certificate);
        let mut certificate = outer.enter(SEQUENCE)?;
        outer.finish()?;
        let mut tbs = certificate.enter(SEQUENCE)?;
        certificate.expect(SEQUENCE)?; // signatureAlgorithm
        certificate.expect(BIT_STRING)?; // signatureValue: the issuer's key is unknown
        certificate.finish()?;

        let is_version_3 = tbs.peek() == Some(VERSION) && version(&mut tbs)? == VERSION_3;
        tbs.integer()?; // serialNumber
        tbs.expect(SEQUENCE)?; // signature
        tbs.expect(SEQUENCE)?; // issuer
        tbs.expect(SEQUENCE)?; // validity
        let subject = subject(tbs.enter(SEQUENCE)?)?;
        let public_key = public_key(tbs.enter(SEQUENCE)?)?;
        for unique_id in [ISSUER_UNIQUE_ID, SUBJECT_UNIQUE_ID] {
            if tbs.peek() == Some(unique_id) {
                tbs.any()?;
            }
        }
        let mut found = Self {
            public_key,
            is_version_3,
            subject,
            is_authority: None,
            aaguid: None,
        };
        if !tbs.is_empty() {
            let mut explicit = tbs.enter(EXTENSIONS)?;
            found.read_extensions(explicit.enter(SEQUENCE)?)?;
            explicit.finish()?;
        }
        tbs.finish()?;
        Ok(found)
    }

    fn read_extensions(&mut self, mut extensions: Der<'b>) -> Result<(), WebAuthnError> {
        while !extensions.is_empty() {
            let mut extension = extensions.enter(SEQUENCE)?;
            let oid = extension.expect(OID)?;
            let critical =
                extension.peek() == Some(BOOLEAN) && extension.expect(BOOLEAN)? == [0xff];
            let mut value = Der::new(extension.expect(OCTET_STRING)?, Part::Certificate);
            extension.finish()?;
            match oid {
                BASIC_CONSTRAINTS if self.is_authority.is_none() => {
                    let mut constraints = value.enter(SEQUENCE)?;
                    let is_authority = constraints.peek() == Some(BOOLEAN)
                        && constraints.expect(BOOLEAN)? == [0xff];
                    self.is_authority = Some(is_authority);
                }
                FIDO_AAGUID if self.aaguid.is_none() => {
                    // Section 8.2.1: the extension must not be marked critical.
                    if critical {
                        return Err(WebAuthnError::AttestationInvalid);
                    }
                    self.aaguid = Some(value.expect(OCTET_STRING)?);
                    value.finish()?;
                }
                BASIC_CONSTRAINTS | FIDO_AAGUID => {
                    return Err(WebAuthnError::DuplicateKey(Part::Certificate));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks the requirements of section 8.2.1 for a `packed` attestation certificate.
    pub(crate) fn check_packed_rules(&self, aaguid: &[u8; 16]) -> Result<(), WebAuthnError> {
        let subject = &self.subject;
        let subject_is_right = subject.has_country
            && subject.has_organization
            && subject.has_common_name
            && subject.unit == Some(ATTESTATION_UNIT);
        let model_is_right = self.aaguid.is_none_or(|stated| stated == aaguid);
        if self.is_version_3
            && subject_is_right
            && self.is_authority == Some(false)
            && model_is_right
        {
            Ok(())
        } else {
            Err(WebAuthnError::AttestationInvalid)
        }
    }
}

fn version<'b>(tbs: &mut Der<'b>) -> Result<&'b [u8], WebAuthnError> {
    let mut explicit = tbs.enter(VERSION)?;
    let version = explicit.integer()?;
    explicit.finish()?;
    Ok(version)
}

fn subject(mut names: Der<'_>) -> Result<Subject<'_>, WebAuthnError> {
    let mut subject = Subject::default();
    while !names.is_empty() {
        let mut set = names.enter(SET)?;
        while !set.is_empty() {
            let mut attribute = set.enter(SEQUENCE)?;
            let oid = attribute.expect(OID)?;
            let (_, text) = attribute.any()?;
            attribute.finish()?;
            match oid {
                COUNTRY => subject.has_country = true,
                ORGANIZATION => subject.has_organization = true,
                COMMON_NAME => subject.has_common_name = true,
                ORGANIZATIONAL_UNIT if subject.unit.is_none() => subject.unit = Some(text),
                _ => {}
            }
        }
    }
    Ok(subject)
}

/// Parses SubjectPublicKeyInfo (RFC 5480, RFC 3279, RFC 8410) into the key type of COSE.
pub(crate) fn public_key(mut info: Der<'_>) -> Result<CosePublicKey, WebAuthnError> {
    let mut algorithm = info.enter(SEQUENCE)?;
    let oid = algorithm.expect(OID)?;
    let key = info.bit_string()?;
    info.finish()?;
    match oid {
        EC_PUBLIC_KEY => {
            if algorithm.expect(OID)? != PRIME256V1 {
                return Err(WebAuthnError::UnsupportedAlgorithm);
            }
            algorithm.finish()?;
            p256_point(key)
        }
        ED25519 => {
            algorithm.finish()?;
            Ok(CosePublicKey::EdDsa {
                x: key.try_into().map_err(|_| MALFORMED)?,
            })
        }
        RSA_ENCRYPTION => {
            algorithm.expect(NULL)?;
            algorithm.finish()?;
            let mut outer = Der::new(key, Part::Certificate);
            let mut numbers = outer.enter(SEQUENCE)?;
            outer.finish()?;
            let (n, e) = (numbers.positive_integer()?, numbers.positive_integer()?);
            numbers.finish()?;
            CosePublicKey::rs256(n, e)
        }
        _ => Err(WebAuthnError::UnsupportedAlgorithm),
    }
}

/// Parses an uncompressed point, `04 x y`.
fn p256_point(point: &[u8]) -> Result<CosePublicKey, WebAuthnError> {
    let coordinates = point.strip_prefix(&[4]).ok_or(MALFORMED)?;
    let (x, y) = coordinates.split_first_chunk::<32>().ok_or(MALFORMED)?;
    CosePublicKey::es256(*x, y.try_into().map_err(|_| MALFORMED)?)
}
