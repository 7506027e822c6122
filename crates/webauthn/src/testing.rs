//! A software authenticator with its browser, for tests. It makes credentials that verify, and with other
//! settings credentials that must not.
//!
//! Everything follows from a seed, so every run makes the same credentials.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    clippy::indexing_slicing,
    reason = "for tests only"
)]

use ed25519_dalek::Signer as _;
use minicbor::Encoder;
use p256::ecdsa::signature::SignatureEncoding as _;
use rand_core::SeedableRng as _;
use rsa::traits::PublicKeyParts as _;
use sha2::Sha256;

use crate::{
    AssertionResponse, AttestationResponse, AttestedCredential, AuthenticatorData, Base64Url,
    CeremonyType, CosePublicKey, Flags, WebAuthnAuthentication, WebAuthnRegistration,
    signature::sha256,
};

/// An authenticator with one credential.
pub struct SoftAuthenticator {
    key: Key,
    /// The credential id, 32 bytes.
    pub credential_id: Vec<u8>,
    /// The model that it claims to be; zeros by default.
    pub aaguid: [u8; 16],
    /// Signs attestations that carry a certificate.
    attestation_key: p256::ecdsa::SigningKey,
}

enum Key {
    Es256(p256::ecdsa::SigningKey),
    EdDsa(ed25519_dalek::SigningKey),
    Rs256(Box<rsa::RsaPrivateKey>),
}

/// One ceremony, as browser and user perform it.
#[derive(Debug, Clone)]
pub struct Ceremony {
    /// The rpId that the authenticator hashes.
    pub rp_id: String,
    /// The origin that the browser writes.
    pub origin: String,
    /// The challenge.
    pub challenge: Vec<u8>,
    /// `type` of the client data; `None` for the ceremony's own.
    pub kind: Option<CeremonyType>,
    /// `crossOrigin` of the client data.
    pub cross_origin: Option<bool>,
    /// `topOrigin` of the client data.
    pub top_origin: Option<String>,
    /// The flag UP.
    pub user_present: bool,
    /// The flag UV.
    pub user_verified: bool,
    /// The flag BE.
    pub backup_eligible: bool,
    /// The flag BS.
    pub backup_state: bool,
    /// The signature counter.
    pub sign_count: u32,
    /// The attestation of a registration.
    pub attestation: Attestation,
    /// `userHandle` of an authentication.
    pub user_handle: Option<Vec<u8>>,
}

/// The attestation of a registration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attestation {
    /// `none`.
    None,
    /// `packed`, signed by the credential's own key.
    PackedSelf,
    /// `packed`, signed by a certificate's key.
    PackedCertified,
    /// `fido-u2f`.
    FidoU2f,
}

impl Ceremony {
    /// A ceremony that the wallet accepts: user present and verified, a synced passkey, no attestation.
    #[must_use]
    pub fn new(rp_id: &str, origin: &str, challenge: &[u8]) -> Self {
        Self {
            rp_id: rp_id.to_owned(),
            origin: origin.to_owned(),
            challenge: challenge.to_vec(),
            kind: None,
            cross_origin: Some(false),
            top_origin: None,
            user_present: true,
            user_verified: true,
            backup_eligible: true,
            backup_state: true,
            sign_count: 0,
            attestation: Attestation::None,
            user_handle: None,
        }
    }

    /// `clientDataJSON` in the browsers' serialisation (Level 3, section 5.8.1.1).
    #[must_use]
    pub fn client_data_json(&self, kind: CeremonyType) -> Vec<u8> {
        let kind = match self.kind.unwrap_or(kind) {
            CeremonyType::Create => "webauthn.create",
            CeremonyType::Get => "webauthn.get",
        };
        let challenge = Base64Url(self.challenge.clone()).to_text();
        let quote = |text: &str| serde_json::to_string(text).unwrap();
        let mut json = format!(
            r#"{{"type":"{kind}","challenge":"{challenge}","origin":{}"#,
            quote(&self.origin)
        );
        if let Some(cross_origin) = self.cross_origin {
            json.push_str(&format!(r#","crossOrigin":{cross_origin}"#));
        }
        if let Some(top_origin) = &self.top_origin {
            json.push_str(&format!(r#","topOrigin":{}"#, quote(top_origin)));
        }
        json.push('}');
        json.into_bytes()
    }

    fn authenticator_data(
        &self,
        attested_credential: Option<AttestedCredential>,
    ) -> AuthenticatorData {
        let flags = [
            (self.user_present, Flags::USER_PRESENT),
            (self.user_verified, Flags::USER_VERIFIED),
            (self.backup_eligible, Flags::BACKUP_ELIGIBLE),
            (self.backup_state, Flags::BACKUP_STATE),
        ];
        AuthenticatorData {
            rp_id_hash: sha256(self.rp_id.as_bytes()),
            flags: Flags(
                flags
                    .iter()
                    .filter(|(set, _)| *set)
                    .fold(0, |bits, (_, bit)| bits | bit),
            ),
            sign_count: self.sign_count,
            attested_credential,
            extensions: None,
        }
    }
}

impl SoftAuthenticator {
    /// An authenticator whose credential signs with ES256.
    #[must_use]
    pub fn es256(seed: &[u8]) -> Self {
        Self::with_key(seed, Key::Es256(p256_key(&[b"es256:", seed].concat())))
    }

    /// An authenticator whose credential signs with Ed25519.
    #[must_use]
    pub fn ed25519(seed: &[u8]) -> Self {
        Self::with_key(
            seed,
            Key::EdDsa(ed25519_dalek::SigningKey::from_bytes(&sha256(seed))),
        )
    }

    /// An authenticator whose credential signs with RS256 (2048 bits). Generating its key takes a second.
    #[must_use]
    pub fn rs256(seed: &[u8]) -> Self {
        let mut rng = rand_chacha::ChaCha20Rng::from_seed(sha256(seed));
        Self::with_key(
            seed,
            Key::Rs256(Box::new(rsa::RsaPrivateKey::new(&mut rng, 2048).unwrap())),
        )
    }

    fn with_key(seed: &[u8], key: Key) -> Self {
        Self {
            key,
            credential_id: sha256(&[b"credential:", seed].concat()).to_vec(),
            aaguid: [0; 16],
            attestation_key: p256_key(&[b"attestation:", seed].concat()),
        }
    }

    /// The credential's public key.
    #[must_use]
    pub fn public_key(&self) -> CosePublicKey {
        match &self.key {
            Key::Es256(key) => {
                let point = key.verifying_key().to_encoded_point(false);
                CosePublicKey::Es256 {
                    x: (*point.x().unwrap()).into(),
                    y: (*point.y().unwrap()).into(),
                }
            }
            Key::EdDsa(key) => CosePublicKey::EdDsa {
                x: key.verifying_key().to_bytes(),
            },
            Key::Rs256(key) => CosePublicKey::Rs256 {
                n: key.n().to_bytes_be(),
                e: key.e().to_bytes_be(),
            },
        }
    }

    /// What `navigator.credentials.create()` would return.
    #[must_use]
    pub fn register(&self, ceremony: &Ceremony) -> WebAuthnRegistration {
        let client_data_json = ceremony.client_data_json(CeremonyType::Create);
        let public_key = self.public_key();
        let credential = AttestedCredential {
            aaguid: self.aaguid,
            credential_id: self.credential_id.clone(),
            public_key_cose: public_key.to_cbor(),
            public_key,
        };
        let authenticator_data = ceremony.authenticator_data(Some(credential)).to_bytes();
        let attestation_object =
            self.attestation_object(ceremony, &authenticator_data, &sha256(&client_data_json));
        WebAuthnRegistration {
            id: Base64Url(self.credential_id.clone()).to_text(),
            raw_id: Base64Url(self.credential_id.clone()),
            kind: "public-key".to_owned(),
            authenticator_attachment: Some("platform".to_owned()),
            response: AttestationResponse {
                client_data_json: Base64Url(client_data_json),
                attestation_object: Base64Url(attestation_object),
                transports: Some(vec!["internal".to_owned(), "hybrid".to_owned()]),
            },
        }
    }

    /// What `navigator.credentials.get()` would return.
    #[must_use]
    pub fn authenticate(&self, ceremony: &Ceremony) -> WebAuthnAuthentication {
        let client_data_json = ceremony.client_data_json(CeremonyType::Get);
        let authenticator_data = ceremony.authenticator_data(None).to_bytes();
        let signature = self.sign(&[&authenticator_data[..], &sha256(&client_data_json)].concat());
        WebAuthnAuthentication {
            id: Base64Url(self.credential_id.clone()).to_text(),
            raw_id: Base64Url(self.credential_id.clone()),
            kind: "public-key".to_owned(),
            authenticator_attachment: Some("platform".to_owned()),
            response: AssertionResponse {
                client_data_json: Base64Url(client_data_json),
                authenticator_data: Base64Url(authenticator_data),
                signature: Base64Url(signature),
                user_handle: ceremony.user_handle.clone().map(Base64Url),
            },
        }
    }

    /// Signs in WebAuthn's encoding: DER for ES256, else raw.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> Vec<u8> {
        match &self.key {
            Key::Es256(key) => ecdsa_der(key, message),
            Key::EdDsa(key) => key.sign(message).to_bytes().to_vec(),
            Key::Rs256(key) => rsa::pkcs1v15::SigningKey::<Sha256>::new((**key).clone())
                .sign(message)
                .to_vec(),
        }
    }

    fn attestation_object(
        &self,
        ceremony: &Ceremony,
        authenticator_data: &[u8],
        client_data_hash: &[u8; 32],
    ) -> Vec<u8> {
        let signed = [authenticator_data, client_data_hash].concat();
        let format = match ceremony.attestation {
            Attestation::None => "none",
            Attestation::PackedSelf | Attestation::PackedCertified => "packed",
            Attestation::FidoU2f => "fido-u2f",
        };
        let mut cbor = Encoder::new(Vec::new());
        match ceremony.attestation {
            Attestation::None => {
                cbor.map(0).unwrap();
            }
            Attestation::PackedSelf => {
                let algorithm = self.public_key().algorithm().cose_id();
                cbor.map(2)
                    .unwrap()
                    .str("alg")
                    .unwrap()
                    .i64(algorithm)
                    .unwrap();
                cbor.str("sig").unwrap().bytes(&self.sign(&signed)).unwrap();
            }
            Attestation::PackedCertified => {
                cbor.map(3).unwrap().str("alg").unwrap().i64(-7).unwrap();
                cbor.str("sig")
                    .unwrap()
                    .bytes(&ecdsa_der(&self.attestation_key, &signed))
                    .unwrap();
                cbor.str("x5c")
                    .unwrap()
                    .array(1)
                    .unwrap()
                    .bytes(&self.certificate())
                    .unwrap();
            }
            Attestation::FidoU2f => {
                let message = self.u2f_message(ceremony, client_data_hash);
                cbor.map(2).unwrap().str("sig").unwrap();
                cbor.bytes(&ecdsa_der(&self.attestation_key, &message))
                    .unwrap();
                cbor.str("x5c")
                    .unwrap()
                    .array(1)
                    .unwrap()
                    .bytes(&self.certificate())
                    .unwrap();
            }
        }
        attestation_object(format, &cbor.into_writer(), authenticator_data)
    }

    fn u2f_message(&self, ceremony: &Ceremony, client_data_hash: &[u8; 32]) -> Vec<u8> {
        let CosePublicKey::Es256 { x, y } = self.public_key() else {
            return Vec::new();
        };
        let rp_id_hash = sha256(ceremony.rp_id.as_bytes());
        [
            &[0],
            &rp_id_hash[..],
            client_data_hash,
            &self.credential_id,
            &[4],
            &x,
            &y,
        ]
        .concat()
    }

    /// A self-signed attestation certificate that meets Level 3, section 8.2.1.
    #[must_use]
    pub fn certificate(&self) -> Vec<u8> {
        const ECDSA_WITH_SHA256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
        let algorithm = der(0x30, &[&der(0x06, &[ECDSA_WITH_SHA256])]);
        let attribute = |kind: u8, tag: u8, text: &[u8]| {
            der(
                0x31,
                &[&der(
                    0x30,
                    &[&der(0x06, &[&[0x55, 0x04, kind]]), &der(tag, &[text])],
                )],
            )
        };
        let name = der(
            0x30,
            &[
                &attribute(0x06, 0x13, b"ZZ"),
                &attribute(0x0a, 0x0c, b"Latchkey tests"),
                &attribute(0x0b, 0x0c, b"Authenticator Attestation"),
                &attribute(0x03, 0x0c, b"Software authenticator"),
            ],
        );
        let validity = der(
            0x30,
            &[
                &der(0x17, &[b"200101000000Z"]),
                &der(0x17, &[b"491231235959Z"]),
            ],
        );
        let point = self.attestation_key.verifying_key().to_encoded_point(false);
        let key_algorithm = der(
            0x30,
            &[
                &der(0x06, &[&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]]),
                &der(0x06, &[&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]]),
            ],
        );
        let public_key = der(
            0x30,
            &[&key_algorithm, &der(0x03, &[&[0], point.as_bytes()])],
        );
        let not_an_authority = der(
            0x30,
            &[
                &der(0x06, &[&[0x55, 0x1d, 0x13]]),
                &der(0x01, &[&[0xff]]),
                &der(0x04, &[&der(0x30, &[])]),
            ],
        );
        let model = der(
            0x30,
            &[
                &der(
                    0x06,
                    &[&[
                        0x2b, 0x06, 0x01, 0x04, 0x01, 0x82, 0xe5, 0x1c, 0x01, 0x01, 0x04,
                    ]],
                ),
                &der(0x04, &[&der(0x04, &[&self.aaguid])]),
            ],
        );
        let tbs = der(
            0x30,
            &[
                &der(0xa0, &[&der(0x02, &[&[2]])]),
                &der(0x02, &[&[1]]),
                &algorithm,
                &name,
                &validity,
                &name,
                &public_key,
                &der(0xa3, &[&der(0x30, &[&not_an_authority, &model])]),
            ],
        );
        let signature = ecdsa_der(&self.attestation_key, &tbs);
        der(0x30, &[&tbs, &algorithm, &der(0x03, &[&[0], &signature])])
    }
}

/// An attestation object with this statement, in CBOR.
pub(crate) fn attestation_object(
    format: &str,
    statement: &[u8],
    authenticator_data: &[u8],
) -> Vec<u8> {
    let mut cbor = Encoder::new(Vec::new());
    cbor.map(3)
        .unwrap()
        .str("fmt")
        .unwrap()
        .str(format)
        .unwrap()
        .str("attStmt")
        .unwrap();
    let mut cbor = Encoder::new([&cbor.into_writer(), statement].concat());
    cbor.str("authData")
        .unwrap()
        .bytes(authenticator_data)
        .unwrap();
    cbor.into_writer()
}

fn p256_key(seed: &[u8]) -> p256::ecdsa::SigningKey {
    p256::ecdsa::SigningKey::from_bytes(&sha256(seed).into()).unwrap()
}

fn ecdsa_der(key: &p256::ecdsa::SigningKey, message: &[u8]) -> Vec<u8> {
    let signature: p256::ecdsa::Signature = key.sign(message);
    signature.to_der().as_bytes().to_vec()
}

/// One DER value of at most 65535 bytes.
pub(crate) fn der(tag: u8, contents: &[&[u8]]) -> Vec<u8> {
    let contents = contents.concat();
    let length = u16::try_from(contents.len()).unwrap().to_be_bytes();
    let mut bytes = vec![tag];
    match contents.len() {
        0..=0x7f => bytes.push(length[1]),
        0x80..=0xff => bytes.extend([0x81, length[1]]),
        _ => bytes.extend([0x82, length[0], length[1]]),
    }
    bytes.extend(contents);
    bytes
}
