//! Why a credential was refused. No variant carries bytes of the input.

use core::fmt;

/// The part of a credential that an error concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The credential object itself: type, ids, hints.
    Credential,
    /// `clientDataJSON`.
    ClientData,
    /// The authenticator data.
    AuthenticatorData,
    /// The attestation object.
    AttestationObject,
    /// The COSE public key.
    CoseKey,
    /// An attestation certificate.
    Certificate,
    /// A signature.
    Signature,
    /// An origin policy.
    OriginPolicy,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Credential => "credential",
            Self::ClientData => "client data",
            Self::AuthenticatorData => "authenticator data",
            Self::AttestationObject => "attestation object",
            Self::CoseKey => "COSE key",
            Self::Certificate => "certificate",
            Self::Signature => "signature",
            Self::OriginPolicy => "origin policy",
        })
    }
}

/// Why a credential was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WebAuthnError {
    /// The bytes do not have the standard's form.
    #[error("the {0} is malformed")]
    Malformed(Part),
    /// Longer than [`crate::limits`] allows.
    #[error("the {0} is too large")]
    TooLarge(Part),
    /// Bytes follow the end.
    #[error("bytes follow after the end of the {0}")]
    TrailingBytes(Part),
    /// A map has a duplicate key.
    #[error("the {0} names a key twice")]
    DuplicateKey(Part),
    /// `type` is not `public-key`.
    #[error("the credential's type is not public-key")]
    CredentialTypeInvalid,
    /// `id`, `rawId` and the attested credential id are not the same.
    #[error("the credential's ids differ")]
    CredentialIdMismatch,
    /// The client data belongs to the other ceremony.
    #[error("the client data is of another ceremony")]
    WrongCeremony,
    /// The client data's challenge is not the expected one.
    #[error("the challenge is not the expected one")]
    ChallengeMismatch,
    /// Not an origin, or neither https nor http on localhost.
    #[error("the origin is not https, nor http on localhost")]
    OriginInvalid,
    /// The origin policy does not admit this origin.
    #[error("the origin is not allowed")]
    OriginNotAllowed,
    /// The ceremony ran inside a page that may not embed the wallet.
    #[error("the top origin is not allowed")]
    TopOriginNotAllowed,
    /// Not a domain name.
    #[error("the rpId is not a domain name")]
    RpIdInvalid,
    /// The authenticator signed for another rpId.
    #[error("the authenticator data is of another rpId")]
    RpIdHashMismatch,
    /// The flag UP is not set.
    #[error("the user was not present")]
    UserNotPresent,
    /// The flag UV is not set.
    #[error("the user was not verified")]
    UserNotVerified,
    /// The flag BS is set without BE.
    #[error("the credential is backed up but not eligible for backup")]
    BackupStateInvalid,
    /// A registration without a credential.
    #[error("the attested credential is missing")]
    AttestedCredentialMissing,
    /// An assertion with an attested credential.
    #[error("an assertion carries an attested credential")]
    AttestedCredentialUnexpected,
    /// Not ES256, RS256 or EdDSA over Ed25519, or a key too weak.
    #[error("the algorithm or key size is not supported")]
    UnsupportedAlgorithm,
    /// The coordinates of a P-256 key are no point of that curve.
    #[error("the P-256 key is not a point of the curve")]
    PointNotOnCurve,
    /// Not `none`, `packed` or `fido-u2f`.
    #[error("the attestation format is not supported")]
    UnsupportedAttestationFormat,
    /// The attestation breaks a rule of its format.
    #[error("the attestation breaks a rule of its format")]
    AttestationInvalid,
    /// The attestation's signature does not verify.
    #[error("the attestation signature is wrong")]
    AttestationSignatureInvalid,
    /// The assertion's signature does not verify.
    #[error("the assertion signature is wrong")]
    SignatureInvalid,
}
