#![allow(clippy::unwrap_used, clippy::panic)]

use latchkey_vrf::ChallengeInput;
use proptest::prelude::*;

use super::*;

const ACCOUNT: &str = "alice.testnet";
const RP_ID: &str = "wallet.example";
const DIGEST: IntentDigest = [7; 32];
const OUTPUT: [u8; 64] = [9; 64];

fn intent() -> Intent<'static> {
    Intent {
        account: ACCOUNT,
        rp_id: RP_ID,
        digest: &DIGEST,
    }
}

/// A challenge whose every field belongs together, for `digest`.
fn challenge_for(account: &str, rp_id: &str, digest: IntentDigest) -> VrfChallenge {
    let input = ChallengeInput {
        user_id: account,
        rp_id,
        block_height: 12345,
        block_hash: [3; 32],
        intent_digest: Some(digest),
        session_policy_digest: None,
    };
    VrfChallenge {
        vrf_input: Base64UrlUnpadded::encode_string(&input.hash()),
        vrf_output: Base64UrlUnpadded::encode_string(&OUTPUT),
        vrf_proof: Base64UrlUnpadded::encode_string(&[0; 80]),
        vrf_public_key: Base64UrlUnpadded::encode_string(&[0; 32]),
        user_id: account.to_owned(),
        rp_id: rp_id.to_owned(),
        block_height: "12345".to_owned(),
        block_hash: Base64UrlUnpadded::encode_string(&[3; 32]),
        intent_digest: Some(Base64UrlUnpadded::encode_string(&digest)),
        session_policy_digest: None,
    }
}

fn challenge() -> VrfChallenge {
    challenge_for(ACCOUNT, RP_ID, DIGEST)
}

fn client_data(kind: &str, challenge: &[u8]) -> Vec<u8> {
    let challenge = Base64UrlUnpadded::encode_string(challenge);
    format!(r#"{{"type":"{kind}","challenge":"{challenge}","origin":"https://wallet.example","crossOrigin":false}}"#)
        .into_bytes()
}

fn good_client_data() -> Vec<u8> {
    client_data("webauthn.get", &[9; 32])
}

fn refusal(challenge: &VrfChallenge, client_data: &[u8]) -> Mismatch {
    match intent().check_approval(challenge, client_data) {
        Err(ApprovalError::IntentDigestMismatch(mismatch)) => mismatch,
        other => panic!("{other:?}"),
    }
}

#[test]
fn accepts_an_approval_of_just_this_intent() {
    assert_eq!(
        intent().check_approval(&challenge(), &good_client_data()),
        Ok(())
    );
}

#[test]
fn accepts_an_rp_id_in_another_case() {
    assert_eq!(
        intent().check_approval(
            &challenge_for(ACCOUNT, "Wallet.Example", DIGEST),
            &good_client_data()
        ),
        Ok(())
    );
}

#[test]
fn accepts_a_challenge_that_binds_a_session_policy_too() {
    let mut challenge = challenge();
    challenge.session_policy_digest = Some(Base64UrlUnpadded::encode_string(&[5; 32]));
    assert_eq!(refusal(&challenge, &good_client_data()), Mismatch::VrfInput);
    let input = ChallengeInput {
        session_policy_digest: Some([5; 32]),
        ..challenge.input().unwrap()
    };
    challenge.vrf_input = Base64UrlUnpadded::encode_string(&input.hash());
    assert_eq!(
        intent().check_approval(&challenge, &good_client_data()),
        Ok(())
    );
}

#[test]
fn rejects_a_challenge_made_for_another_digest() {
    assert_eq!(
        refusal(&challenge_for(ACCOUNT, RP_ID, [8; 32]), &good_client_data()),
        Mismatch::Digest
    );
}

#[test]
fn rejects_a_challenge_that_names_our_digest_over_another_input() {
    let mut challenge = challenge_for(ACCOUNT, RP_ID, [8; 32]);
    challenge.intent_digest = Some(Base64UrlUnpadded::encode_string(&DIGEST));
    assert_eq!(refusal(&challenge, &good_client_data()), Mismatch::VrfInput);
}

#[test]
fn rejects_a_challenge_without_a_digest() {
    let mut challenge = challenge();
    challenge.intent_digest = None;
    let input = challenge.input().unwrap().hash();
    challenge.vrf_input = Base64UrlUnpadded::encode_string(&input);
    assert_eq!(refusal(&challenge, &good_client_data()), Mismatch::Digest);
}

#[test]
fn rejects_a_challenge_of_another_account_or_site() {
    assert_eq!(
        refusal(
            &challenge_for("bob.testnet", RP_ID, DIGEST),
            &good_client_data()
        ),
        Mismatch::Account
    );
    assert_eq!(
        refusal(
            &challenge_for(ACCOUNT, "evil.example", DIGEST),
            &good_client_data()
        ),
        Mismatch::RpId
    );
    let mut renamed = challenge_for("bob.testnet", RP_ID, DIGEST);
    renamed.user_id = ACCOUNT.to_owned();
    assert_eq!(refusal(&renamed, &good_client_data()), Mismatch::VrfInput);
}

#[test]
fn rejects_a_challenge_of_another_block() {
    let mut height = challenge();
    height.block_height = "12346".to_owned();
    assert_eq!(refusal(&height, &good_client_data()), Mismatch::VrfInput);
    let mut hash = challenge();
    hash.block_hash = Base64UrlUnpadded::encode_string(&[4; 32]);
    assert_eq!(refusal(&hash, &good_client_data()), Mismatch::VrfInput);
}

#[test]
fn rejects_an_assertion_of_another_challenge() {
    assert_eq!(
        refusal(&challenge(), &client_data("webauthn.get", &[8; 32])),
        Mismatch::Challenge
    );
    assert_eq!(
        refusal(&challenge(), &client_data("webauthn.get", &OUTPUT)),
        Mismatch::Challenge
    );
    assert_eq!(
        refusal(&challenge(), &client_data("webauthn.get", &[])),
        Mismatch::Challenge
    );
}

#[test]
fn rejects_another_ceremony() {
    for kind in ["webauthn.create", "payment.get", ""] {
        assert_eq!(
            refusal(&challenge(), &client_data(kind, &[9; 32])),
            Mismatch::Ceremony,
            "{kind}"
        );
    }
}

#[test]
fn rejects_malformed_parts() {
    let check = |challenge: &VrfChallenge, data: &[u8]| {
        intent().check_approval(challenge, data).unwrap_err()
    };
    assert!(matches!(
        check(&challenge(), b"{}"),
        ApprovalError::ClientData(_)
    ));
    assert!(matches!(
        check(&challenge(), b"not json"),
        ApprovalError::ClientData(_)
    ));
    let mut output = challenge();
    output.vrf_output = Base64UrlUnpadded::encode_string(&[9; 63]);
    assert!(matches!(
        check(&output, &good_client_data()),
        ApprovalError::Challenge(_)
    ));
    let mut height = challenge();
    height.block_height = "-1".to_owned();
    assert!(matches!(
        check(&height, &good_client_data()),
        ApprovalError::Challenge(_)
    ));
}

proptest! {
    #[test]
    fn no_other_digest_is_approved_s9(digest: [u8; 32], claimed: bool) {
        prop_assume!(digest != DIGEST);
        let mut challenge = challenge_for(ACCOUNT, RP_ID, digest);
        if claimed {
            challenge.intent_digest = Some(Base64UrlUnpadded::encode_string(&DIGEST));
        }
        let refused = intent().check_approval(&challenge, &good_client_data());
        prop_assert!(matches!(refused, Err(ApprovalError::IntentDigestMismatch(_))));
    }

    #[test]
    fn no_client_data_makes_it_panic(bytes: Vec<u8>) {
        prop_assert!(intent().check_approval(&challenge(), &bytes).is_err());
    }
}

const ORIGIN: &str = "https://wallet.example";

fn authenticator_data(rp_id: &str, flags: u8) -> Vec<u8> {
    let mut data = Sha256::digest(rp_id).to_vec();
    data.push(flags);
    data.extend([0; 4]);
    data
}

fn asked_by(origin: &str) -> Vec<u8> {
    String::from_utf8(good_client_data())
        .unwrap()
        .replace(ORIGIN, origin)
        .into_bytes()
}

const VERIFIED: u8 = Flags::USER_PRESENT | Flags::USER_VERIFIED;

#[test]
fn accepts_a_ceremony_of_the_site_and_of_the_wallets_own_page() {
    let data = authenticator_data(RP_ID, VERIFIED);
    for origin in [
        ORIGIN,
        "https://login.wallet.example",
        "https://wallet.example:8443",
        "https://related.example",
    ] {
        assert_eq!(
            intent().check_ceremony(&asked_by(origin), &data, "https://related.example"),
            Ok(()),
            "{origin}"
        );
    }
}

#[test]
fn refuses_a_ceremony_of_another_page() {
    let data = authenticator_data(RP_ID, VERIFIED);
    for origin in [
        "https://evil.example",
        "https://evilwallet.example",
        "http://wallet.example",
        "https://wallet.example.evil.com",
        "null",
        "",
    ] {
        assert_eq!(
            intent().check_ceremony(&asked_by(origin), &data, ORIGIN),
            mismatch(Mismatch::Origin),
            "{origin}"
        );
    }
}

#[test]
fn refuses_an_authenticator_of_another_site_and_an_unverified_user() {
    let check = |data: &[u8]| intent().check_ceremony(&good_client_data(), data, ORIGIN);
    assert_eq!(
        check(&authenticator_data("other.example", VERIFIED)),
        mismatch(Mismatch::Authenticator)
    );
    for flags in [0, Flags::USER_PRESENT, Flags::USER_VERIFIED] {
        assert_eq!(
            check(&authenticator_data(RP_ID, flags)),
            mismatch(Mismatch::UserVerification)
        );
    }
    assert!(matches!(
        check(&[0; 36]),
        Err(ApprovalError::AuthenticatorData(_))
    ));
}
