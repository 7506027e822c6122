//! Keypairs, proofs and their verification, by the `vrf-wasm` crate.

use base64ct::{Base64UrlUnpadded, Encoding};
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use serde::de::DeserializeOwned;
use vrf_wasm::vrf::{
    VRFKeyPair, VRFProof,
    ecvrf::{ECVRFKeyPair, ECVRFPrivateKey, ECVRFProof, ECVRFPublicKey},
};
use zeroize::Zeroizing;

use crate::{
    ChallengeError, ChallengeRequest, OUTPUT_LENGTH, PROOF_LENGTH, PUBLIC_KEY_LENGTH, VrfChallenge,
};

#[cfg(test)]
mod tests;

/// Bytes of a secret key: a ristretto255 scalar, little-endian.
const SECRET_KEY_LENGTH: usize = 32;
/// Bytes of a keypair at rest: public key, then secret key.
const KEYPAIR_LENGTH: usize = PUBLIC_KEY_LENGTH + SECRET_KEY_LENGTH;

/// A VRF keypair. The secret is zeroed when it is dropped.
pub struct VrfKeypair {
    keypair: ECVRFKeyPair,
    /// The public key's bytes: kept, so that a challenge does not compress the point again.
    public_key: [u8; PUBLIC_KEY_LENGTH],
}

/// A VRF output with its proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VrfProof {
    /// The output, 64 bytes.
    pub output: [u8; OUTPUT_LENGTH],
    /// The proof, 80 bytes: gamma, c, s.
    pub proof: [u8; PROOF_LENGTH],
}

/// Why a VRF operation failed. No variant carries key bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VrfError {
    /// The platform gave no random bytes.
    #[error("no random bytes from the platform")]
    NoRandomness,
    /// Not 64 bytes of a public key and its secret key.
    #[error("not a VRF keypair")]
    KeypairInvalid,
    /// The proof does not match output, input and public key.
    #[error("the VRF proof is wrong")]
    ProofInvalid,
    /// The request for a challenge is malformed.
    #[error(transparent)]
    Challenge(#[from] ChallengeError),
}

impl VrfKeypair {
    /// Derives the keypair of a 32-byte seed: a ChaCha20 generator with that seed feeds `vrf-wasm`.
    #[must_use]
    pub fn derive(seed: &[u8; 32]) -> Self {
        Self::from(ECVRFKeyPair::generate(&mut ChaCha20Rng::from_seed(*seed)))
    }

    /// Makes a random keypair.
    ///
    /// # Errors
    /// [`VrfError::NoRandomness`].
    pub fn make() -> Result<Self, VrfError> {
        let mut seed = Zeroizing::new([0; 32]);
        getrandom::getrandom(&mut *seed).map_err(|_| VrfError::NoRandomness)?;
        Ok(Self::derive(&seed))
    }

    /// Reads a keypair from its 64 bytes at rest: public key, then secret key (little-endian).
    ///
    /// # Errors
    /// [`VrfError::KeypairInvalid`] for another length, a secret key that is zero or not reduced, or a
    /// public key that does not match the secret key.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, VrfError> {
        const INVALID: VrfError = VrfError::KeypairInvalid;
        let (public_key, secret_key) = bytes.split_at_checked(PUBLIC_KEY_LENGTH).ok_or(INVALID)?;
        if secret_key.len() != SECRET_KEY_LENGTH || public_key == [0; PUBLIC_KEY_LENGTH] {
            return Err(INVALID);
        }
        let secret_key: ECVRFPrivateKey = from_raw(secret_key).ok_or(INVALID)?;
        let keypair = Self::from(ECVRFKeyPair::from(secret_key));
        if keypair.public_key == public_key {
            Ok(keypair)
        } else {
            Err(INVALID)
        }
    }

    /// The keypair's 64 bytes at rest: public key, then secret key (little-endian).
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<[u8; KEYPAIR_LENGTH]> {
        let mut bytes = Zeroizing::new([0; KEYPAIR_LENGTH]);
        let (public_key, secret_key) = bytes.split_at_mut(PUBLIC_KEY_LENGTH);
        public_key.copy_from_slice(&self.public_key);
        secret_key.copy_from_slice(&*Zeroizing::new(self.keypair.secret_key_bytes()));
        bytes
    }

    /// The public key, 32 bytes.
    #[must_use]
    pub const fn public_key(&self) -> [u8; PUBLIC_KEY_LENGTH] {
        self.public_key
    }

    /// Computes output and proof of an input, deterministically.
    #[must_use]
    pub fn prove(&self, input: &[u8]) -> VrfProof {
        let (output, proof) = self.keypair.output(input);
        let (gamma, challenge, scalar) = proof.to_components();
        let mut bytes = [0; PROOF_LENGTH];
        let parts = gamma.iter().chain(&challenge).chain(&scalar);
        bytes
            .iter_mut()
            .zip(parts)
            .for_each(|(target, byte)| *target = *byte);
        VrfProof {
            output,
            proof: bytes,
        }
    }

    /// Makes the challenge of a ceremony.
    ///
    /// # Errors
    /// [`VrfError::Challenge`] when the request is malformed.
    pub fn challenge(&self, request: &ChallengeRequest) -> Result<VrfChallenge, VrfError> {
        let encode = |bytes: &[u8]| Base64UrlUnpadded::encode_string(bytes);
        let input = request.input()?;
        let hash = input.hash();
        let VrfProof { output, proof } = self.prove(&hash);
        Ok(VrfChallenge {
            vrf_input: encode(&hash),
            vrf_output: encode(&output),
            vrf_proof: encode(&proof),
            vrf_public_key: encode(&self.public_key()),
            user_id: request.user_id.clone(),
            rp_id: request.rp_id.clone(),
            block_height: request.block_height.clone(),
            block_hash: encode(&input.block_hash),
            intent_digest: request.intent_digest.clone(),
            session_policy_digest: request.session_policy_digest.clone(),
        })
    }
}

impl From<ECVRFKeyPair> for VrfKeypair {
    fn from(keypair: ECVRFKeyPair) -> Self {
        let public_key = keypair.public_key().compress();
        Self {
            keypair,
            public_key,
        }
    }
}

/// Verifies that `proof` (80 bytes) proves `output` (64 bytes) for `input` and `public_key` (32 bytes).
///
/// # Errors
/// [`VrfError::ProofInvalid`].
pub fn verify(
    public_key: &[u8; PUBLIC_KEY_LENGTH],
    input: &[u8],
    output: &[u8; OUTPUT_LENGTH],
    proof: &[u8; PROOF_LENGTH],
) -> Result<(), VrfError> {
    let parts = || {
        let (gamma, rest) = proof.split_first_chunk::<32>()?;
        let (challenge, rest) = rest.split_first_chunk::<16>()?;
        let proof = ECVRFProof::from_components(gamma, challenge, rest.first_chunk()?).ok()?;
        Some((proof, from_raw::<ECVRFPublicKey>(public_key)?))
    };
    let (proof, public_key) = parts().ok_or(VrfError::ProofInvalid)?;
    proof
        .verify_output(input, &public_key, output)
        .map_err(|_| VrfError::ProofInvalid)
}

/// Reads a key of `vrf-wasm` from its 32 bytes through serde, its only constructor; bincode encodes a key
/// as its bytes. Refuses a scalar that is not reduced and a point that is not canonical.
fn from_raw<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    bincode::deserialize(bytes).ok()
}
