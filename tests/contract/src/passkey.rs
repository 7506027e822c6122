//! A wallet as the registry sees it: a passkey, its VRF keys, and their messages.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use latchkey_devnet::{Head, development_key};
use latchkey_intent::{device2_register_digest, register_digest, register_existing_digest};
use latchkey_vrf::{ChallengeInput, VrfKeypair};
use latchkey_webauthn::testing::{Ceremony, SoftAuthenticator};
use near_crypto::PublicKey;
use serde_json::{Value, json};

/// An account's passkey, the same in every run.
pub struct Passkey {
    /// The account id.
    pub account: String,
    /// The rpId of its honest ceremonies.
    pub rp_id: String,
    /// The origin of its honest ceremonies.
    pub origin: String,
    /// The authenticator.
    pub authenticator: SoftAuthenticator,
    /// The VRF key of the registration.
    pub bootstrap: VrfKeypair,
    /// The VRF key derived from the passkey.
    pub derived: VrfKeypair,
}

/// The fields that a VRF proof binds.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The account.
    pub user_id: String,
    /// The rpId.
    pub rp_id: String,
    /// The block's height.
    pub block_height: u64,
    /// The block's hash.
    pub block_hash: [u8; 32],
    /// The digest of what the user approves.
    pub intent: [u8; 32],
    /// The digest of a session policy.
    pub session_policy: Option<[u8; 32]>,
}

/// A departure from an honest ceremony.
#[derive(Clone, Copy)]
pub enum Edit {
    /// None.
    None,
    /// The proof is valid, but binds other fields.
    Claim(fn(&mut Claim)),
    /// Browser or authenticator behave differently; all signatures are valid.
    Ceremony(fn(&mut Ceremony)),
    /// The arguments are altered in transit.
    Sent(fn(&mut Value)),
}

impl Passkey {
    /// The rpId of an honest ceremony.
    pub const RP_ID: &str = "wallet.example";
    /// The origin of an honest ceremony.
    pub const ORIGIN: &str = "https://wallet.example";

    /// A passkey that signs with ES256.
    #[must_use]
    pub fn new(account: &str) -> Self {
        Self::with(account, SoftAuthenticator::es256(account.as_bytes()))
    }

    /// A passkey of the given authenticator.
    #[must_use]
    pub fn with(account: &str, authenticator: SoftAuthenticator) -> Self {
        let seed = |purpose: u8| {
            let mut seed = [purpose; 32];
            seed.iter_mut()
                .zip(account.bytes())
                .for_each(|(target, byte)| *target ^= byte);
            seed
        };
        Self {
            account: account.to_owned(),
            rp_id: Self::RP_ID.to_owned(),
            origin: Self::ORIGIN.to_owned(),
            authenticator,
            bootstrap: VrfKeypair::derive(&seed(1)),
            derived: VrfKeypair::derive(&seed(2)),
        }
    }

    /// Another passkey of an account, with its own bootstrap VRF key.
    #[must_use]
    pub fn another(account: &str, seed: &str) -> Self {
        let mut passkey = Self::with(account, SoftAuthenticator::es256(seed.as_bytes()));
        passkey.bootstrap = VrfKeypair::derive(&[seed.len() as u8; 32]);
        passkey
    }

    /// The credential id in the registry's form: base64url text.
    #[must_use]
    pub fn credential_id(&self) -> String {
        URL_SAFE_NO_PAD.encode(&self.authenticator.credential_id)
    }

    /// The account's access key.
    #[must_use]
    pub fn near_key(&self) -> PublicKey {
        development_key(&self.account).public_key()
    }

    /// An honest claim at the head.
    #[must_use]
    pub fn claim(&self, head: &Head, intent: [u8; 32]) -> Claim {
        Claim {
            user_id: self.account.clone(),
            rp_id: self.rp_id.clone(),
            block_height: head.height,
            block_hash: head.hash.0,
            intent,
            session_policy: None,
        }
    }

    /// The arguments of create_account_and_register_user.
    #[must_use]
    pub fn registration(&self, head: &Head, edit: Edit) -> Value {
        let mut args = self.new_device(head, register_digest(&self.account), edit);
        args["new_account_id"] = json!(self.account);
        args["new_public_key"] = json!(self.near_key().to_string());
        edit.sent(args)
    }

    /// The arguments of link_device_register_user for the account's device `number`.
    #[must_use]
    pub fn linking(&self, head: &Head, number: u8, edit: Edit) -> Value {
        edit.sent(self.new_device(head, device2_register_digest(&self.account, number), edit))
    }

    fn new_device(&self, head: &Head, intent: [u8; 32], edit: Edit) -> Value {
        let (vrf_data, challenge) = edit.claim(self.claim(head, intent)).prove(&self.bootstrap);
        let ceremony = edit.ceremony(Ceremony::new(&self.rp_id, &self.origin, &challenge));
        json!({
            "vrf_data": vrf_data,
            "webauthn_registration": self.authenticator.register(&ceremony),
            "deterministic_vrf_public_key": self.derived.public_key(),
            "authenticator_options": {
                "user_verification": "preferred",
                "origin_policy": {"all_subdomains": true},
            },
        })
    }

    /// The arguments of register_existing_passkey for the account's device `number`, with a challenge by the derived
    /// VRF key.
    #[must_use]
    pub fn existing(&self, head: &Head, number: u8, edit: Edit) -> Value {
        let intent = register_existing_digest(&self.account, number);
        let (vrf_data, challenge) = edit.claim(self.claim(head, intent)).prove(&self.derived);
        let ceremony = edit.ceremony(Ceremony::new(&self.rp_id, &self.origin, &challenge));
        let public_key = self.authenticator.public_key().to_cbor();
        edit.sent(json!({
            "vrf_data": vrf_data,
            "webauthn_authentication": self.authenticator.authenticate(&ceremony),
            "credential_public_key": URL_SAFE_NO_PAD.encode(public_key),
            "transports": ["internal", "hybrid"],
            "deterministic_vrf_public_key": self.derived.public_key(),
            "authenticator_options": {
                "user_verification": "preferred",
                "origin_policy": {"all_subdomains": true},
            },
        }))
    }

    /// The arguments of check_can_register_user for the same registration.
    #[must_use]
    pub fn check(registration: &Value) -> Value {
        json!({
            "vrf_data": registration["vrf_data"],
            "webauthn_registration": registration["webauthn_registration"],
            "authenticator_options": registration["authenticator_options"],
        })
    }

    /// The arguments of verify_authentication_response, with a challenge by the derived VRF key.
    #[must_use]
    pub fn authentication(&self, head: &Head, edit: Edit) -> Value {
        self.authentication_by(&self.derived, head, edit)
    }

    /// The arguments of verify_authentication_response, with a challenge by the given VRF key.
    #[must_use]
    pub fn authentication_by(&self, key: &VrfKeypair, head: &Head, edit: Edit) -> Value {
        let (vrf_data, challenge) = edit.claim(self.claim(head, [7; 32])).prove(key);
        let ceremony = edit.ceremony(Ceremony::new(&self.rp_id, &self.origin, &challenge));
        edit.sent(json!({
            "vrf_data": vrf_data,
            "webauthn_authentication": self.authenticator.authenticate(&ceremony),
        }))
    }
}

impl Claim {
    /// Proves the claim. Returns the wire form and the WebAuthn challenge.
    #[must_use]
    pub fn prove(&self, key: &VrfKeypair) -> (Value, [u8; 32]) {
        let input = ChallengeInput {
            user_id: &self.user_id,
            rp_id: &self.rp_id,
            block_height: self.block_height,
            block_hash: self.block_hash,
            intent_digest: Some(self.intent),
            session_policy_digest: self.session_policy,
        }
        .hash();
        let proof = key.prove(&input);
        let vrf_data = json!({
            "vrf_input_data": input,
            "vrf_output": proof.output.as_slice(),
            "vrf_proof": proof.proof.as_slice(),
            "public_key": key.public_key(),
            "user_id": self.user_id,
            "rp_id": self.rp_id,
            "block_height": self.block_height,
            "block_hash": self.block_hash,
            "intent_digest_32": self.intent,
            "session_policy_digest_32": self.session_policy,
        });
        (vrf_data, *proof.output.first_chunk().unwrap())
    }
}

impl Edit {
    fn claim(self, mut claim: Claim) -> Claim {
        if let Self::Claim(edit) = self {
            edit(&mut claim);
        }
        claim
    }

    fn ceremony(self, mut ceremony: Ceremony) -> Ceremony {
        if let Self::Ceremony(edit) = self {
            edit(&mut ceremony);
        }
        ceremony
    }

    fn sent(self, mut arguments: Value) -> Value {
        if let Self::Sent(edit) = self {
            edit(&mut arguments);
        }
        arguments
    }
}
