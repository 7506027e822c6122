#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use latchkey_vrf::{ChallengeInput, VrfKeypair};
use latchkey_webauthn::testing::{Attestation, Ceremony, SoftAuthenticator};

use super::*;

const ACCOUNT: &str = "alice.w3a-v1.testnet";
const RP_ID: &str = "wallet.example";
const ORIGIN: &str = "https://wallet.example";

type Change<'a> = &'a dyn Fn(&mut Ceremony);

/// A challenge of this intent that its key proves.
fn challenge(intent_digest: [u8; 32]) -> ClaimedChallenge<'static> {
    let input = ChallengeInput {
        user_id: ACCOUNT,
        rp_id: RP_ID,
        block_height: 12_345,
        block_hash: [7; 32],
        intent_digest: Some(intent_digest),
        session_policy_digest: None,
    };
    let keypair = VrfKeypair::derive(&[1; 32]);
    let input_hash = input.hash();
    let proven = keypair.prove(&input_hash);
    ClaimedChallenge {
        input,
        input_hash,
        output: proven.output,
        proof: proven.proof,
        public_key: keypair.public_key(),
    }
}

/// The check of a registration whose ceremony and credential were changed.
fn check(
    challenge: &ClaimedChallenge<'_>,
    change: impl Fn(&mut Ceremony),
    alter: impl Fn(&mut WebAuthnRegistration),
) -> Result<(), RegistrationError> {
    let mut ceremony = Ceremony::new(RP_ID, ORIGIN, &challenge.output[..32]);
    change(&mut ceremony);
    let mut credential = SoftAuthenticator::es256(b"alice").register(&ceremony);
    alter(&mut credential);
    Registration {
        challenge: *challenge,
        credential: &credential,
    }
    .check()
}

#[test]
fn a_registration_as_the_wallet_makes_it_passes_from_any_origin() {
    let challenge = challenge(register_digest(ACCOUNT));
    for origin in [ORIGIN, "https://elsewhere.example", "http://localhost:5173"] {
        let change = |ceremony: &mut Ceremony| {
            ceremony.origin = origin.to_owned();
            ceremony.cross_origin = Some(true);
            ceremony.top_origin = Some("https://shop.example".to_owned());
        };
        assert_eq!(check(&challenge, change, |_| ()), Ok(()), "{origin}");
    }
    for attestation in [Attestation::PackedSelf, Attestation::PackedCertified] {
        let change = |ceremony: &mut Ceremony| ceremony.attestation = attestation;
        assert_eq!(check(&challenge, change, |_| ()), Ok(()), "{attestation:?}");
    }
}

#[test]
fn a_challenge_of_another_intent_or_without_a_proof_is_refused() {
    let refusal = |challenge: &_| check(challenge, |_| (), |_| ()).err();
    let other = challenge(register_digest("bob.w3a-v1.testnet"));
    assert_eq!(refusal(&other), Some(RegistrationError::OtherIntent));
    let mut forged = challenge(register_digest(ACCOUNT));
    forged.proof[3] ^= 1;
    assert_eq!(
        refusal(&forged),
        Some(RegistrationError::Challenge(ClaimError::ProofInvalid))
    );
    let mut moved = challenge(register_digest(ACCOUNT));
    moved.input.block_height += 20;
    assert_eq!(
        refusal(&moved),
        Some(RegistrationError::Challenge(ClaimError::OtherInput))
    );
}

#[test]
fn a_passkey_that_was_asked_for_something_else_is_refused() {
    let challenge = challenge(register_digest(ACCOUNT));
    let refusal = |change: Change<'_>| check(&challenge, change, |_| ()).err();
    let changes: [(Change<'_>, WebAuthnError); 6] = [
        (
            &|ceremony| ceremony.challenge = vec![0; 32],
            WebAuthnError::ChallengeMismatch,
        ),
        (
            &|ceremony| ceremony.kind = Some(latchkey_webauthn::CeremonyType::Get),
            WebAuthnError::WrongCeremony,
        ),
        (
            &|ceremony| ceremony.rp_id = "other.example".to_owned(),
            WebAuthnError::RpIdHashMismatch,
        ),
        (
            &|ceremony| ceremony.user_present = false,
            WebAuthnError::UserNotPresent,
        ),
        (
            &|ceremony| ceremony.user_verified = false,
            WebAuthnError::UserNotVerified,
        ),
        (
            &|ceremony| ceremony.origin = "http://wallet.example".to_owned(),
            WebAuthnError::OriginInvalid,
        ),
    ];
    for (change, error) in changes {
        assert_eq!(refusal(change), Some(RegistrationError::Credential(error)));
    }
}

#[test]
fn a_credential_that_is_not_the_attested_one_is_refused() {
    let challenge = challenge(register_digest(ACCOUNT));
    let alter = |credential: &mut WebAuthnRegistration| {
        credential.raw_id.0[0] ^= 1;
        credential.id = credential.raw_id.to_text();
    };
    let mismatch = WebAuthnError::CredentialIdMismatch;
    assert_eq!(
        check(&challenge, |_| (), alter).err(),
        Some(RegistrationError::Credential(mismatch))
    );
    let truncate = |credential: &mut WebAuthnRegistration| {
        credential.response.attestation_object.0.pop();
    };
    assert!(matches!(
        check(&challenge, |_| (), truncate),
        Err(RegistrationError::Credential(_))
    ));
}
