//! One function for each decoder of hostile input. A function panics when a rule is broken: a value that was read is
//! written back the same, or two readers agree. `cargo fuzz` drives them; the test replays the corpus.

use borsh::BorshDeserialize;
use latchkey_intent::approval::Intent;
use latchkey_near_transaction::{
    Action, ActionFields, Balance, CryptoHash, DelegateAction, PublicKey, ReceivedDelegate,
    SignedTransaction, TransactionRequest, TransactionRequestFields,
};
use latchkey_webauthn::{
    AttestationObject, AuthenticatorData, ClientData, CosePublicKey, Expectations, NativeVerifier,
    Origin, OriginPolicy, RpId, TopOrigins, UserVerification, WebAuthnAuthentication,
    WebAuthnRegistration,
};

#[cfg(test)]
mod tests;

/// A target's name and its body.
pub type Target = (&'static str, fn(&[u8]));

/// Every target, by name.
pub const TARGETS: [Target; 21] = [
    ("signed_transaction", signed_transaction),
    ("received_delegate", received_delegate),
    ("transaction_request", transaction_request),
    ("near_texts", near_texts),
    ("nep413_payload", nep413_payload),
    ("json_text", json_text),
    ("private_key_text", private_key_text),
    ("sealed_private_key", sealed_private_key),
    ("approval", approval),
    ("client_data", client_data),
    ("attestation_object", attestation_object),
    ("authenticator_data", authenticator_data),
    ("cose_key", cose_key),
    ("ecdsa_signature", ecdsa_signature),
    ("der", der),
    ("x509", x509),
    ("origin", origin),
    ("registration", registration),
    ("vrf_challenge", vrf_challenge),
    ("vrf_keypair", vrf_keypair),
    ("shamir_number", shamir_number),
];

/// The borsh encoding of a signed transaction: it is read to its last byte, and written back the same.
pub fn signed_transaction(data: &[u8]) {
    if let Ok(signed) = SignedTransaction::from_borsh(data) {
        assert_eq!(signed.borsh_bytes, data);
    }
}

/// A signed delegate as a stranger sends it: the relay's reader agrees with the one that reads what wallets write.
pub fn received_delegate(data: &[u8]) {
    let Ok(received) = ReceivedDelegate::from_borsh(data) else {
        return;
    };
    assert_eq!(received.borsh_bytes, data);
    let _ = received.is_signature_valid();
    // This one accepts fewer: arguments that are UTF-8, access keys for real account ids.
    if let Ok(delegate) = DelegateAction::deserialize(&mut &*data) {
        assert_eq!(received.sender_id, delegate.sender_id);
        assert_eq!(received.receiver_id, delegate.receiver_id);
        assert_eq!(received.actions.len(), delegate.actions.len());
        assert_eq!(received.nonce, delegate.nonce.0);
        assert_eq!(received.max_block_height, delegate.max_block_height);
        assert_eq!(received.public_key, delegate.public_key);
        let kinds = received.actions.iter().map(|action| action.kind as u8);
        let tags = delegate
            .actions
            .iter()
            .map(|action| borsh::to_vec(action).expect("it was encoded before")[0]);
        assert!(kinds.eq(tags));
    }
}

/// A transaction as TypeScript gives it: what is accepted has a digest text that is JSON.
pub fn transaction_request(data: &[u8]) {
    if let Ok(fields) = serde_json::from_slice::<TransactionRequestFields>(data)
        && let Ok(request) = TransactionRequest::try_from(fields)
    {
        let text = latchkey_intent::transactions_text(&[request]);
        let read: serde_json::Value = serde_json::from_str(&text).expect("a digest's text is JSON");
        assert_eq!(read.to_string(), text, "canonical");
    }
    if let Ok(fields) = serde_json::from_slice::<ActionFields>(data) {
        let _ = Action::try_from(fields);
    }
}

/// Keys, hashes and numbers as text: each has one form only.
pub fn near_texts(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if let Ok(key) = text.parse::<PublicKey>() {
        assert_eq!(key.to_string(), text);
    }
    if let Ok(hash) = text.parse::<CryptoHash>() {
        assert_eq!(hash.to_string(), text);
    }
    if let Ok(amount) = Balance::parse(text, "amount") {
        assert_eq!(amount.to_string(), text);
    }
}

/// The tagged borsh encoding of a NEP-413 payload.
pub fn nep413_payload(data: &[u8]) {
    if let Ok(payload) = latchkey_nep413::Payload::from_bytes(data) {
        assert_eq!(payload.to_bytes().expect("it was encoded before"), data);
    }
}

/// JSON: our reader accepts what serde_json accepts, but for what nests too deep for one of them.
pub fn json_text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let ours = latchkey_json::validate(text).is_ok();
    let theirs = serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok();
    let depth = text
        .bytes()
        .filter(|byte| matches!(byte, b'[' | b'{'))
        .count();
    assert!(ours == theirs || depth > latchkey_json::MAX_DEPTH);
    let _ = latchkey_json::read_members(text, |_, _| Ok(()));
}

/// A NEAR private key's text.
pub fn private_key_text(data: &[u8]) {
    if let Ok(key) = latchkey_key_derivation::PrivateKey::from_text(data) {
        assert_eq!(key.to_text().as_bytes(), data);
    }
}

/// A private key at rest: nothing opens that was not sealed with the key.
pub fn sealed_private_key(data: &[u8]) {
    use latchkey_key_derivation::{EncryptedPrivateKey, PrfOutput, derive_near_encryption_key};
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let (encrypted_data, iv) = text.split_once(' ').unwrap_or((text, ""));
    let encrypted = EncryptedPrivateKey {
        encrypted_data: encrypted_data.into(),
        iv: iv.into(),
    };
    let prf = PrfOutput::new(vec![7; 32]).expect("32 bytes");
    assert!(
        derive_near_encryption_key("alice.testnet", &prf)
            .open_private_key(&encrypted)
            .is_err()
    );
}

/// A challenge and client data, a line each: they approve no digest but the one that they were made for.
pub fn approval(data: &[u8]) {
    let Some(end) = data.iter().position(|byte| *byte == b'\n') else {
        return;
    };
    let (challenge, client_data) = data.split_at(end);
    let Ok(challenge) = serde_json::from_slice(challenge) else {
        return;
    };
    let approves = |digest: &[u8; 32]| {
        let intent = Intent {
            account: "alice.testnet",
            rp_id: "wallet.example",
            digest,
        };
        intent.check_approval(&challenge, client_data).is_ok()
    };
    assert!(!(approves(&[0; 32]) && approves(&[7; 32])));
}

/// `clientDataJSON`.
pub fn client_data(data: &[u8]) {
    let _ = ClientData::parse(data);
}

/// An attestation object and, in it, authenticator data.
pub fn attestation_object(data: &[u8]) {
    if let Ok(object) = AttestationObject::parse(data) {
        let _ = AuthenticatorData::parse(&object.authenticator_data);
    }
}

/// Authenticator data.
pub fn authenticator_data(data: &[u8]) {
    let _ = AuthenticatorData::parse(data);
}

/// A COSE key: what is read can be written and read again.
pub fn cose_key(data: &[u8]) {
    if let Ok(key) = CosePublicKey::parse(data) {
        assert_eq!(CosePublicKey::parse(&key.to_cbor()), Ok(key));
    }
}

/// An ECDSA signature in DER.
pub fn ecdsa_signature(data: &[u8]) {
    let _ = latchkey_webauthn::ecdsa_signature_from_der(data);
}

/// DER: each value has one form only, and so has a positive integer.
pub fn der(data: &[u8]) {
    if let Ok(values) = latchkey_webauthn::fuzzing::read_der(data) {
        let written: Vec<u8> = values
            .iter()
            .flat_map(|(tag, contents)| write_der(*tag, contents))
            .collect();
        assert_eq!(written, data);
    }
    if let Ok(magnitude) = latchkey_webauthn::fuzzing::read_der_integer(data) {
        let sign: &[u8] = if magnitude[0] & 0x80 == 0 { &[] } else { &[0] };
        assert_ne!(magnitude[0], 0, "shortest");
        assert_eq!(write_der(0x02, &[sign, magnitude].concat()), data);
    }
}

fn write_der(tag: u8, contents: &[u8]) -> Vec<u8> {
    let length = u16::try_from(contents.len()).expect("no longer value is read");
    let [high, low] = length.to_be_bytes();
    let head = match length {
        0..0x80 => vec![tag, low],
        0x80..0x100 => vec![tag, 0x81, low],
        _ => vec![tag, 0x82, high, low],
    };
    [head.as_slice(), contents].concat()
}

/// An attestation certificate: its key can be written as COSE and read again.
pub fn x509(data: &[u8]) {
    if let Ok((key, _)) = latchkey_webauthn::fuzzing::read_certificate(data) {
        assert_eq!(CosePublicKey::parse(&key.to_cbor()), Ok(key));
    }
}

/// Origins and rpIds: the canonical form is its own canonical form.
pub fn origin(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if let Ok(origin) = Origin::parse(text) {
        assert_eq!(Origin::parse(origin.as_str()), Ok(origin.clone()));
        assert!(!origin.host().is_empty());
    }
    if let Ok(rp_id) = RpId::parse(text) {
        assert_eq!(RpId::parse(rp_id.as_str()).as_ref(), Ok(&rp_id));
    }
}

/// Whole credentials as JSON, through every check and the signatures: registration and authentication.
pub fn registration(data: &[u8]) {
    let rp_id = RpId::parse("example.org").expect("a domain name");
    let expected = Expectations {
        challenge: &[7; 32],
        rp_id: &rp_id,
        origin_policy: &OriginPolicy::default(),
        allowed_origins: &[],
        top_origins: TopOrigins::Any,
        user_verification: UserVerification::Preferred,
    };
    if let Ok(registration) = serde_json::from_slice::<WebAuthnRegistration>(data) {
        let _ = latchkey_webauthn::verify_registration(&registration, &expected, &NativeVerifier);
    }
    if let Ok(authentication) = serde_json::from_slice::<WebAuthnAuthentication>(data) {
        let key = CosePublicKey::EdDsa { x: [1; 32] }.to_cbor();
        let _ = latchkey_webauthn::verify_authentication(
            &authentication,
            &expected,
            &key,
            &NativeVerifier,
        );
    }
}

/// A VRF challenge as JSON; its proof, checked.
pub fn vrf_challenge(data: &[u8]) {
    let Ok(challenge) = serde_json::from_slice::<latchkey_vrf::VrfChallenge>(data) else {
        return;
    };
    if let Ok(input) = challenge.input() {
        let _ = input.hash();
    }
    let _ = challenge.webauthn_challenge();
    assert!(!(challenge.is_bound_to(&[0; 32]) && challenge.is_bound_to(&[7; 32])));
}

/// A VRF keypair at rest.
pub fn vrf_keypair(data: &[u8]) {
    if let Ok(keypair) = latchkey_vrf::VrfKeypair::from_bytes(data) {
        assert_eq!(keypair.to_bytes().as_slice(), data);
    }
}

/// A number of the lock as text, and an element of the group: each has one form only.
pub fn shamir_number(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if let Ok(bytes) = latchkey_shamir3pass::number_from_text(text) {
        assert_eq!(latchkey_shamir3pass::number_to_text(&bytes), text);
    }
    let group = latchkey_shamir3pass::Group::rfc3526_2048();
    if let Ok(element) = group.element_from_text(text) {
        assert_eq!(group.element_to_text(&element), text);
    }
    let _ = latchkey_shamir3pass::Exponent::from_text(&group, text);
}
