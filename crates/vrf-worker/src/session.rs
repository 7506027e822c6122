//! The worker's state: the keypair, the lock's group and a pending lock operation.

use base64ct::{Base64UrlUnpadded, Encoding};
use latchkey_key_derivation::{
    EncryptionKey, NONCE_LENGTH, PrfOutput, Sealed, derive_vrf_encryption_key, derive_vrf_seed,
};
use latchkey_shamir3pass::{Group, Unwrap, Wrap};
use latchkey_vrf::{ChallengeRequest, VrfChallenge, VrfKeypair};

use crate::{
    BootstrapKeypair, DerivedVrfKeypair, EncryptedVrfKeypair, Outcome, ServerEncryptedVrfKeypair,
    VrfStatus, VrfWorkerError,
};

#[cfg(test)]
mod tests;

/// The worker's state.
#[derive(Default)]
pub(crate) struct Worker {
    held: Option<Held>,
    group: Option<Group>,
    wrap: Option<Wrap>,
    unwrap: Option<Unwrap>,
}

/// A keypair in memory.
struct Held {
    keypair: VrfKeypair,
    /// None for a bootstrap keypair.
    session: Option<Session>,
}

struct Session {
    account_id: String,
    unlocked_at_ms: f64,
}

impl Worker {
    /// Sets the lock's group. Drops a pending operation of another group, whose numbers mean nothing here.
    pub(crate) fn configure(&mut self, prime: &str) -> Outcome<()> {
        let group = Group::from_text(prime)?;
        if self.group.as_ref() != Some(&group) {
            (self.wrap, self.unwrap) = (None, None);
        }
        self.group = Some(group);
        Ok(())
    }

    pub(crate) fn status(&self, now_ms: f64) -> VrfStatus {
        let session = self.held.as_ref().and_then(|held| held.session.as_ref());
        VrfStatus {
            active: session.is_some(),
            account_id: session.map(|session| session.account_id.clone()),
            vrf_public_key: self.held.as_ref().map(Held::public_key),
            session_duration_ms: session.map(|session| now_ms - session.unlocked_at_ms),
        }
    }

    /// Forgets the keypair and pending operations; keeps the group.
    pub(crate) fn logout(&mut self) {
        *self = Self {
            group: self.group.take(),
            ..Self::default()
        };
    }

    pub(crate) fn bootstrap(
        &mut self,
        request: Option<&ChallengeRequest>,
    ) -> Outcome<BootstrapKeypair> {
        let keypair = VrfKeypair::make()?;
        let challenge = request
            .map(|request| keypair.challenge(request))
            .transpose()?;
        let held = Held {
            keypair,
            session: None,
        };
        Ok(BootstrapKeypair {
            vrf_public_key: self.replace(held),
            challenge,
        })
    }

    pub(crate) fn derive(
        &mut self,
        account_id: &str,
        prf_first: &PrfOutput,
        kept_at: Option<f64>,
    ) -> Outcome<DerivedVrfKeypair> {
        let keypair = VrfKeypair::derive(&derive_vrf_seed(account_id, prf_first));
        let encrypted_vrf_keypair = seal(&derive_vrf_encryption_key(prf_first), &keypair)?;
        let vrf_public_key = encode(&keypair.public_key());
        if let Some(now_ms) = kept_at {
            self.hold(account_id, keypair, now_ms);
        }
        Ok(DerivedVrfKeypair {
            vrf_public_key,
            encrypted_vrf_keypair,
        })
    }

    /// Opens the stored keypair with the passkey; returns the public key.
    pub(crate) fn unlock(
        &mut self,
        account_id: &str,
        prf_first: &PrfOutput,
        encrypted: &EncryptedVrfKeypair,
        now_ms: f64,
    ) -> Outcome<String> {
        let plaintext = derive_vrf_encryption_key(prf_first).open(&encrypted.to_sealed()?)?;
        Ok(self.hold(account_id, VrfKeypair::from_bytes(&plaintext)?, now_ms))
    }

    pub(crate) fn challenge(&self, request: &ChallengeRequest) -> Outcome<VrfChallenge> {
        let held = self.held.as_ref().ok_or(VrfWorkerError::NotUnlocked)?;
        Ok(held.keypair.challenge(request)?)
    }

    pub(crate) fn start_wrap(&mut self) -> Outcome<String> {
        if self.held.is_none() {
            return Err(VrfWorkerError::NoKeypair);
        }
        let group = self.group.get_or_insert_with(Group::rfc3526_2048);
        let wrap = Wrap::start(group)?;
        let kek_c = wrap.kek_c(group);
        self.wrap = Some(wrap);
        Ok(kek_c)
    }

    pub(crate) fn finish_wrap(
        &mut self,
        kek_cs: &str,
        server_key_id: String,
    ) -> Outcome<ServerEncryptedVrfKeypair> {
        let wrap = self.wrap.take().ok_or(VrfWorkerError::NotStarted)?;
        if server_key_id.is_empty() {
            return Err(VrfWorkerError::KeyIdMissing);
        }
        let held = self.held.as_ref().ok_or(VrfWorkerError::NoKeypair)?;
        let group = self.group.get_or_insert_with(Group::rfc3526_2048);
        let wrapped = wrap.finish(group, kek_cs, &*held.keypair.to_bytes())?;
        Ok(ServerEncryptedVrfKeypair {
            ciphertext_vrf_b64u: wrapped.ciphertext_b64u,
            kek_s_b64u: wrapped.kek_s_b64u,
            server_key_id,
        })
    }

    pub(crate) fn start_unwrap(&mut self, kek_s: &str) -> Outcome<String> {
        let group = self.group.get_or_insert_with(Group::rfc3526_2048);
        let (unwrap, kek_cs) = Unwrap::start(group, kek_s)?;
        self.unwrap = Some(unwrap);
        Ok(kek_cs)
    }

    /// Opens the keypair that the server's lock guards; returns the public key.
    pub(crate) fn finish_unwrap(
        &mut self,
        account_id: &str,
        kek_c: &str,
        ciphertext: &str,
        now_ms: f64,
    ) -> Outcome<String> {
        let unwrap = self.unwrap.take().ok_or(VrfWorkerError::NotStarted)?;
        let group = self.group.get_or_insert_with(Group::rfc3526_2048);
        let plaintext = unwrap.finish(group, kek_c, ciphertext)?;
        Ok(self.hold(account_id, VrfKeypair::from_bytes(&plaintext)?, now_ms))
    }

    fn hold(&mut self, account_id: &str, keypair: VrfKeypair, now_ms: f64) -> String {
        let session = Session {
            account_id: account_id.to_owned(),
            unlocked_at_ms: now_ms,
        };
        let held = Held {
            keypair,
            session: Some(session),
        };
        self.replace(held)
    }

    /// Replaces the keypair in memory and drops a pending wrap of the former; returns the public key.
    fn replace(&mut self, held: Held) -> String {
        let public_key = held.public_key();
        self.held = Some(held);
        self.wrap = None;
        public_key
    }
}

impl Held {
    fn public_key(&self) -> String {
        encode(&self.keypair.public_key())
    }
}

impl EncryptedVrfKeypair {
    fn to_sealed(&self) -> Outcome<Sealed> {
        let decode = |text: &str| {
            Base64UrlUnpadded::decode_vec(text).map_err(|_| VrfWorkerError::MalformedCiphertext)
        };
        let nonce: [u8; NONCE_LENGTH] = decode(&self.chacha20_nonce_b64u)?
            .try_into()
            .map_err(|_| VrfWorkerError::MalformedCiphertext)?;
        Ok(Sealed {
            ciphertext: decode(&self.encrypted_vrf_data_b64u)?,
            nonce,
        })
    }
}

fn seal(key: &EncryptionKey, keypair: &VrfKeypair) -> Outcome<EncryptedVrfKeypair> {
    let sealed = key.seal(&*keypair.to_bytes())?;
    Ok(EncryptedVrfKeypair {
        encrypted_vrf_data_b64u: encode(&sealed.ciphertext),
        chacha20_nonce_b64u: encode(&sealed.nonce),
    })
}

fn encode(bytes: &[u8]) -> String {
    Base64UrlUnpadded::encode_string(bytes)
}
