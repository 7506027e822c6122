//! Authenticator data, which the authenticator signs (Level 3, section 6.1).

use crate::{Part, WebAuthnError, cbor::Reader, cose::CosePublicKey, limits};

/// The flags byte of authenticator data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flags(pub u8);

impl Flags {
    /// UP: the user was present.
    pub const USER_PRESENT: u8 = 0x01;
    /// UV: the user was verified, by PIN or biometrics.
    pub const USER_VERIFIED: u8 = 0x04;
    /// BE: the credential may be backed up.
    pub const BACKUP_ELIGIBLE: u8 = 0x08;
    /// BS: the credential is backed up now.
    pub const BACKUP_STATE: u8 = 0x10;
    /// AT: an attested credential follows.
    pub const ATTESTED_CREDENTIAL: u8 = 0x40;
    /// ED: extensions follow.
    pub const EXTENSIONS: u8 = 0x80;

    /// Whether all bits of `mask` are set.
    #[must_use]
    pub const fn has(self, mask: u8) -> bool {
        self.0 & mask == mask
    }
}

/// Authenticator data: 37 bytes and the parts that the flags announce.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthenticatorData {
    /// SHA-256 of the rpId.
    pub rp_id_hash: [u8; 32],
    /// The flags.
    pub flags: Flags,
    /// The signature counter; always 0 for synced passkeys.
    pub sign_count: u32,
    /// The new credential, in a registration.
    pub attested_credential: Option<AttestedCredential>,
    /// The extensions' CBOR map, well-formed but not interpreted.
    pub extensions: Option<Vec<u8>>,
}

/// A new credential (Level 3, section 6.5.1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttestedCredential {
    /// The authenticator's model; zeros if it does not tell.
    pub aaguid: [u8; 16],
    /// The credential id, 1 to 1023 bytes.
    pub credential_id: Vec<u8>,
    /// The public key.
    pub public_key: CosePublicKey,
    /// The public key's bytes as received, which the registry stores.
    pub public_key_cose: Vec<u8>,
}

impl AuthenticatorData {
    /// Parses authenticator data that fills `bytes` (37 to 3072).
    ///
    /// # Errors
    /// [`WebAuthnError::BackupStateInvalid`] for BS without BE, or the errors of malformed input.
    pub fn parse(bytes: &[u8]) -> Result<Self, WebAuthnError> {
        const MALFORMED: WebAuthnError = WebAuthnError::Malformed(Part::AuthenticatorData);
        if bytes.len() > limits::AUTHENTICATOR_DATA {
            return Err(WebAuthnError::TooLarge(Part::AuthenticatorData));
        }
        let (rp_id_hash, rest) = bytes.split_first_chunk::<32>().ok_or(MALFORMED)?;
        let (&[flags], rest) = rest.split_first_chunk::<1>().ok_or(MALFORMED)?;
        let (sign_count, rest) = rest.split_first_chunk::<4>().ok_or(MALFORMED)?;
        let flags = Flags(flags);
        if flags.has(Flags::BACKUP_STATE) && !flags.has(Flags::BACKUP_ELIGIBLE) {
            return Err(WebAuthnError::BackupStateInvalid);
        }
        let (attested_credential, rest) = if flags.has(Flags::ATTESTED_CREDENTIAL) {
            let (credential, rest) = AttestedCredential::parse_prefix(rest)?;
            (Some(credential), rest)
        } else {
            (None, rest)
        };
        let (extensions, rest) = if flags.has(Flags::EXTENSIONS) {
            let length = extensions_length(rest)?;
            let (extensions, rest) = rest.split_at_checked(length).ok_or(MALFORMED)?;
            (Some(extensions.to_vec()), rest)
        } else {
            (None, rest)
        };
        if !rest.is_empty() {
            return Err(WebAuthnError::TrailingBytes(Part::AuthenticatorData));
        }
        Ok(Self {
            rp_id_hash: *rp_id_hash,
            flags,
            sign_count: u32::from_be_bytes(*sign_count),
            attested_credential,
            extensions,
        })
    }

    /// The bytes that [`AuthenticatorData::parse`] reads. Derives the flags AT and ED from the content.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let announced = Flags::ATTESTED_CREDENTIAL | Flags::EXTENSIONS;
        let mut flags = self.flags.0 & !announced;
        if self.attested_credential.is_some() {
            flags |= Flags::ATTESTED_CREDENTIAL;
        }
        if self.extensions.is_some() {
            flags |= Flags::EXTENSIONS;
        }
        let mut bytes = self.rp_id_hash.to_vec();
        bytes.push(flags);
        bytes.extend(self.sign_count.to_be_bytes());
        if let Some(credential) = &self.attested_credential {
            // The id's length fits 16 bits, because parsed ids have at most 1023 bytes.
            let id_length = u16::try_from(credential.credential_id.len()).unwrap_or(u16::MAX);
            bytes.extend(credential.aaguid);
            bytes.extend(id_length.to_be_bytes());
            bytes.extend(&credential.credential_id);
            bytes.extend(&credential.public_key_cose);
        }
        bytes.extend(self.extensions.iter().flatten());
        bytes
    }
}

impl AttestedCredential {
    fn parse_prefix(bytes: &[u8]) -> Result<(Self, &[u8]), WebAuthnError> {
        const MALFORMED: WebAuthnError = WebAuthnError::Malformed(Part::AuthenticatorData);
        let (aaguid, rest) = bytes.split_first_chunk::<16>().ok_or(MALFORMED)?;
        let (id_length, rest) = rest.split_first_chunk::<2>().ok_or(MALFORMED)?;
        let id_length = usize::from(u16::from_be_bytes(*id_length));
        if id_length > limits::CREDENTIAL_ID {
            return Err(WebAuthnError::TooLarge(Part::AuthenticatorData));
        }
        if id_length == 0 {
            return Err(MALFORMED);
        }
        let (credential_id, rest) = rest.split_at_checked(id_length).ok_or(MALFORMED)?;
        let (public_key, key_length) = CosePublicKey::parse_prefix(rest)?;
        let (public_key_cose, rest) = rest.split_at_checked(key_length).ok_or(MALFORMED)?;
        let credential = Self {
            aaguid: *aaguid,
            credential_id: credential_id.to_vec(),
            public_key,
            public_key_cose: public_key_cose.to_vec(),
        };
        Ok((credential, rest))
    }
}

/// The length of the extension map at the start of `bytes`.
fn extensions_length(bytes: &[u8]) -> Result<usize, WebAuthnError> {
    let mut reader = Reader::new(bytes, Part::AuthenticatorData);
    reader.map(|_, reader| reader.skip().map(drop))?;
    Ok(reader.position())
}
