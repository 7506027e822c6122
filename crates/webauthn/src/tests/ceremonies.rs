//! Whole ceremonies of the software authenticator: what must pass, and each thing that must not.

use crate::{
    AttestationFormat, Base64Url, CeremonyType, Expectations, NativeVerifier, Origin, OriginPolicy,
    OriginPolicyOption, RpId, TopOrigins, True, UserVerification, VerifiedAuthentication,
    VerifiedRegistration, WebAuthnError, check_registration,
    testing::{Attestation, Ceremony, SoftAuthenticator},
    verify_authentication, verify_registration,
};

const CHALLENGE: [u8; 32] = [7; 32];
const ALL_SUBDOMAINS: OriginPolicy = OriginPolicy::AllSubdomains(True);

fn ceremony() -> Ceremony {
    Ceremony::new("wallet.example", "https://wallet.example", &CHALLENGE)
}

fn origin(text: &str) -> Origin {
    Origin::parse(text).unwrap()
}

/// Runs `check` with the expectations that [`ceremony`] meets.
fn expecting<T>(check: impl FnOnce(&mut Expectations<'_>) -> T) -> T {
    check(&mut Expectations {
        challenge: &CHALLENGE,
        rp_id: &RpId::parse("wallet.example").unwrap(),
        origin_policy: &ALL_SUBDOMAINS,
        allowed_origins: &[],
        top_origins: TopOrigins::OneOf(&[]),
        user_verification: UserVerification::Required,
    })
}

fn register(
    authenticator: &SoftAuthenticator,
    ceremony: &Ceremony,
) -> Result<VerifiedRegistration, WebAuthnError> {
    let registration = authenticator.register(ceremony);
    expecting(|expected| verify_registration(&registration, expected, &NativeVerifier))
}

fn authenticate(
    authenticator: &SoftAuthenticator,
    ceremony: &Ceremony,
) -> Result<VerifiedAuthentication, WebAuthnError> {
    let authentication = authenticator.authenticate(ceremony);
    let key = authenticator.public_key().to_cbor();
    expecting(|expected| verify_authentication(&authentication, expected, &key, &NativeVerifier))
}

/// Both ceremonies must fail alike.
fn assert_both_fail(ceremony: &Ceremony, error: WebAuthnError) {
    let authenticator = SoftAuthenticator::es256(b"alice");
    assert_eq!(register(&authenticator, ceremony), Err(error));
    assert_eq!(authenticate(&authenticator, ceremony), Err(error));
}

#[test]
fn accepts_every_algorithm() {
    for authenticator in [
        SoftAuthenticator::es256(b"alice"),
        SoftAuthenticator::ed25519(b"alice"),
        SoftAuthenticator::rs256(b"alice"),
    ] {
        for attestation in [Attestation::None, Attestation::PackedSelf, Attestation::PackedCertified] {
            let registered = register(&authenticator, &Ceremony { attestation, ..ceremony() }).unwrap();
            assert_eq!(registered.public_key, authenticator.public_key());
            assert_eq!(registered.credential_id, authenticator.credential_id);
        }
        let authenticated = authenticate(&authenticator, &Ceremony { sign_count: 9, ..ceremony() }).unwrap();
        assert_eq!(authenticated.credential_id, authenticator.credential_id);
        assert_eq!(authenticated.ceremony.sign_count, 9);
        assert!(authenticated.ceremony.user_verified && authenticated.ceremony.backup_state);
    }
}

#[test]
fn accepts_a_u2f_authenticator() {
    let attested = Ceremony { attestation: Attestation::FidoU2f, ..ceremony() };
    let registered = register(&SoftAuthenticator::es256(b"alice"), &attested).unwrap();
    assert_eq!(registered.attestation_format, AttestationFormat::FidoU2f);
}
