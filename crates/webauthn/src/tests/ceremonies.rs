//! Whole ceremonies of the software authenticator: those that must pass, and each change that must fail.

use crate::{
    AttestationFormat, AttestationObject, Base64Url, CeremonyType, Expectations, NativeVerifier,
    Origin, OriginPolicy, OriginPolicyOption, Part, RpId, TopOrigins, True, UserVerification,
    VerifiedAuthentication, VerifiedRegistration, WebAuthnAuthentication, WebAuthnError,
    WebAuthnRegistration, check_registration,
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

/// Asserts that both ceremonies fail with `error`.
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
        for attestation in [
            Attestation::None,
            Attestation::PackedSelf,
            Attestation::PackedCertified,
        ] {
            let registered = register(
                &authenticator,
                &Ceremony {
                    attestation,
                    ..ceremony()
                },
            )
            .unwrap();
            assert_eq!(registered.public_key, authenticator.public_key());
            assert_eq!(registered.credential_id, authenticator.credential_id);
        }
        let authenticated = authenticate(
            &authenticator,
            &Ceremony {
                sign_count: 9,
                ..ceremony()
            },
        )
        .unwrap();
        assert_eq!(authenticated.credential_id, authenticator.credential_id);
        assert_eq!(authenticated.ceremony.sign_count, 9);
        assert!(authenticated.ceremony.user_verified && authenticated.ceremony.backup_state);
    }
}

#[test]
fn accepts_a_u2f_authenticator() {
    let attested = Ceremony {
        attestation: Attestation::FidoU2f,
        ..ceremony()
    };
    let registered = register(&SoftAuthenticator::es256(b"alice"), &attested).unwrap();
    assert_eq!(registered.attestation_format, AttestationFormat::FidoU2f);
}

#[test]
fn rejects_a_challenge_of_another_ceremony() {
    let other = Ceremony {
        challenge: vec![8; 32],
        ..ceremony()
    };
    assert_both_fail(&other, WebAuthnError::ChallengeMismatch);
    let longer = Ceremony {
        challenge: vec![7; 33],
        ..ceremony()
    };
    assert_both_fail(&longer, WebAuthnError::ChallengeMismatch);
}

#[test]
fn rejects_an_empty_challenge_even_if_expected() {
    let authenticator = SoftAuthenticator::es256(b"alice");
    let registration = authenticator.register(&Ceremony {
        challenge: Vec::new(),
        ..ceremony()
    });
    let result = expecting(|expected| {
        expected.challenge = &[];
        verify_registration(&registration, expected, &NativeVerifier)
    });
    assert_eq!(result, Err(WebAuthnError::ChallengeMismatch));
}

#[test]
fn rejects_client_data_of_the_other_ceremony() {
    let authenticator = SoftAuthenticator::es256(b"alice");
    let as_get = Ceremony {
        kind: Some(CeremonyType::Get),
        ..ceremony()
    };
    assert_eq!(
        register(&authenticator, &as_get),
        Err(WebAuthnError::WrongCeremony)
    );
    let as_create = Ceremony {
        kind: Some(CeremonyType::Create),
        ..ceremony()
    };
    assert_eq!(
        authenticate(&authenticator, &as_create),
        Err(WebAuthnError::WrongCeremony)
    );
}

#[test]
fn rejects_another_site() {
    for origin in [
        "https://other.example",
        "https://evilwallet.example",
        "https://example",
    ] {
        let other = Ceremony {
            origin: origin.to_owned(),
            ..ceremony()
        };
        assert_both_fail(&other, WebAuthnError::OriginNotAllowed);
    }
    for origin in [
        "http://wallet.example",
        "wallet.example",
        "null",
        "android:apk-key-hash:abc",
    ] {
        let other = Ceremony {
            origin: origin.to_owned(),
            ..ceremony()
        };
        assert_both_fail(&other, WebAuthnError::OriginInvalid);
    }
}

#[test]
fn rejects_another_rp_id() {
    let other = Ceremony {
        rp_id: "example".to_owned(),
        ..ceremony()
    };
    assert_both_fail(&other, WebAuthnError::RpIdHashMismatch);
}

#[test]
fn rejects_an_absent_or_unverified_user() {
    assert_both_fail(
        &Ceremony {
            user_present: false,
            ..ceremony()
        },
        WebAuthnError::UserNotPresent,
    );
    assert_both_fail(
        &Ceremony {
            user_verified: false,
            ..ceremony()
        },
        WebAuthnError::UserNotVerified,
    );
}

#[test]
fn accepts_an_unverified_user_if_verification_is_not_required() {
    let authenticator = SoftAuthenticator::es256(b"alice");
    let registration = authenticator.register(&Ceremony {
        user_verified: false,
        ..ceremony()
    });
    for user_verification in [UserVerification::Preferred, UserVerification::Discouraged] {
        let registered = expecting(|expected| {
            expected.user_verification = user_verification;
            verify_registration(&registration, expected, &NativeVerifier)
        });
        assert!(!registered.unwrap().ceremony.user_verified);
    }
}

#[test]
fn rejects_a_backup_that_is_not_eligible() {
    let impossible = Ceremony {
        backup_eligible: false,
        backup_state: true,
        ..ceremony()
    };
    assert_both_fail(&impossible, WebAuthnError::BackupStateInvalid);
    for (backup_eligible, backup_state) in [(false, false), (true, false), (true, true)] {
        let possible = Ceremony {
            backup_eligible,
            backup_state,
            ..ceremony()
        };
        let registered = register(&SoftAuthenticator::es256(b"alice"), &possible)
            .unwrap()
            .ceremony;
        assert_eq!(
            (registered.backup_eligible, registered.backup_state),
            (backup_eligible, backup_state)
        );
    }
}

#[test]
fn admits_only_listed_embedding_pages() {
    let host = origin("https://host.example");
    let embedded = Ceremony {
        cross_origin: Some(true),
        top_origin: Some(host.as_str().to_owned()),
        ..ceremony()
    };
    assert_both_fail(&embedded, WebAuthnError::TopOriginNotAllowed);
    let registration = SoftAuthenticator::es256(b"alice").register(&embedded);
    let hosts = [host.clone()];
    for top_origins in [TopOrigins::Any, TopOrigins::OneOf(&hosts)] {
        let registered = expecting(|expected| {
            let expected = Expectations {
                top_origins,
                ..expected.clone()
            };
            verify_registration(&registration, &expected, &NativeVerifier)
        });
        let ceremony = registered.unwrap().ceremony;
        assert!(ceremony.cross_origin);
        assert_eq!(ceremony.top_origin, Some(host.clone()));
    }
}

#[test]
fn accepts_a_browser_that_names_no_top_origin() {
    let embedded = Ceremony {
        cross_origin: Some(true),
        ..ceremony()
    };
    assert!(
        register(&SoftAuthenticator::es256(b"alice"), &embedded)
            .unwrap()
            .ceremony
            .cross_origin
    );
    let old = Ceremony {
        cross_origin: None,
        ..ceremony()
    };
    assert!(
        !register(&SoftAuthenticator::es256(b"alice"), &old)
            .unwrap()
            .ceremony
            .cross_origin
    );
}

#[test]
fn rejects_a_top_origin_of_a_page_that_is_not_embedded() {
    let odd = Ceremony {
        top_origin: Some("https://host.example".to_owned()),
        ..ceremony()
    };
    assert_both_fail(&odd, WebAuthnError::Malformed(Part::ClientData));
}

#[test]
fn rejects_ids_that_differ() {
    let authenticator = SoftAuthenticator::es256(b"alice");
    let mut registration = authenticator.register(&ceremony());
    registration.id.push('A');
    let check = |registration: &WebAuthnRegistration| {
        expecting(|expected| check_registration(registration, expected))
    };
    assert_eq!(
        check(&registration),
        Err(WebAuthnError::CredentialIdMismatch)
    );
    let other = Base64Url(vec![1; 32]);
    let registration = WebAuthnRegistration {
        id: other.to_text(),
        raw_id: other,
        ..authenticator.register(&ceremony())
    };
    assert_eq!(
        check(&registration),
        Err(WebAuthnError::CredentialIdMismatch)
    );
    let registration = WebAuthnRegistration {
        kind: "password".to_owned(),
        ..authenticator.register(&ceremony())
    };
    assert_eq!(
        check(&registration),
        Err(WebAuthnError::CredentialTypeInvalid)
    );
}

#[test]
fn rejects_fields_beyond_their_limits() {
    let registration = SoftAuthenticator::es256(b"alice").register(&ceremony());
    let too_large = Err(WebAuthnError::TooLarge(Part::Credential));
    let check = |change: &dyn Fn(&mut WebAuthnRegistration)| {
        let mut changed = registration.clone();
        change(&mut changed);
        expecting(|expected| check_registration(&changed, expected)).map(drop)
    };
    assert_eq!(check(&|_| {}), Ok(()));
    assert_eq!(
        check(&|r| r.raw_id = Base64Url(vec![0; 1023])),
        Err(WebAuthnError::CredentialIdMismatch)
    );
    assert_eq!(check(&|r| r.raw_id = Base64Url(vec![0; 1024])), too_large);
    for hints in [vec!["smart-card".to_owned(); 8], vec!["a".repeat(32)]] {
        assert_eq!(
            check(&|r| r.response.transports = Some(hints.clone())),
            Ok(())
        );
    }
    assert_eq!(
        check(&|r| r.response.transports = Some(vec!["usb".to_owned(); 9])),
        too_large
    );
    assert_eq!(
        check(&|r| r.response.transports = Some(vec!["a".repeat(33)])),
        too_large
    );
    assert_eq!(
        check(&|r| r.authenticator_attachment = Some("a".repeat(33))),
        too_large
    );
    assert_eq!(
        check(&|r| r.response.transports = Some(vec!["<script>".to_owned()])),
        Err(WebAuthnError::Malformed(Part::Credential))
    );
    assert_eq!(
        check(&|r| r.response.client_data_json.0.extend([b' '; 2048])),
        Err(WebAuthnError::TooLarge(Part::ClientData))
    );
    assert_eq!(
        check(&|r| r.response.attestation_object.0.extend([0; 12_288])),
        Err(WebAuthnError::TooLarge(Part::AttestationObject))
    );
}

#[test]
fn rejects_an_assertion_by_another_key_or_over_other_bytes() {
    let authenticator = SoftAuthenticator::es256(b"alice");
    let authentication = authenticator.authenticate(&ceremony());
    let key = authenticator.public_key().to_cbor();
    let verify = |authentication: &WebAuthnAuthentication, key: &[u8]| {
        expecting(|expected| verify_authentication(authentication, expected, key, &NativeVerifier))
            .map(drop)
    };
    for make in [
        SoftAuthenticator::es256,
        SoftAuthenticator::ed25519,
        SoftAuthenticator::rs256,
    ] {
        let (alice, bob) = (make(b"alice"), make(b"bob"));
        let authentication = alice.authenticate(&ceremony());
        let by = |key: &SoftAuthenticator| verify(&authentication, &key.public_key().to_cbor());
        assert_eq!(by(&alice), Ok(()));
        assert_eq!(by(&bob), Err(WebAuthnError::SignatureInvalid));
    }
    let mut altered = authentication.clone();
    *altered.response.authenticator_data.0.last_mut().unwrap() ^= 1;
    assert_eq!(verify(&altered, &key), Err(WebAuthnError::SignatureInvalid));
    let mut altered = authentication.clone();
    altered.response.client_data_json.0.insert(1, b' ');
    assert_eq!(verify(&altered, &key), Err(WebAuthnError::SignatureInvalid));
    for (length, refusal) in [
        (512, WebAuthnError::SignatureInvalid),
        (513, WebAuthnError::TooLarge(Part::Signature)),
    ] {
        let mut altered = authentication.clone();
        altered.response.signature = Base64Url(vec![0; length]);
        assert_eq!(verify(&altered, &key), Err(refusal));
    }
    let too_large = Err(WebAuthnError::TooLarge(Part::Credential));
    for (length, verdict) in [(64, Ok(())), (65, too_large)] {
        let mut altered = authentication.clone();
        altered.response.user_handle = Some(Base64Url(vec![0; length]));
        assert_eq!(verify(&altered, &key), verdict);
    }
}

#[test]
fn rejects_an_assertion_that_carries_a_credential() {
    let authenticator = SoftAuthenticator::es256(b"alice");
    let registration = authenticator.register(&ceremony());
    let attestation = AttestationObject::parse(&registration.response.attestation_object).unwrap();
    let mut authentication = authenticator.authenticate(&ceremony());
    authentication.response.authenticator_data = Base64Url(attestation.authenticator_data);
    let key = authenticator.public_key().to_cbor();
    let result = expecting(|expected| {
        verify_authentication(&authentication, expected, &key, &NativeVerifier)
    });
    assert_eq!(result, Err(WebAuthnError::AttestedCredentialUnexpected));
}

#[test]
fn rejects_every_altered_attestation() {
    let authenticator = SoftAuthenticator::es256(b"alice");
    for attestation in [
        Attestation::PackedSelf,
        Attestation::PackedCertified,
        Attestation::FidoU2f,
    ] {
        let mut registration = authenticator.register(&Ceremony {
            attestation,
            ..ceremony()
        });
        // The signature covers the client data's hash, and an extra space changes nothing else.
        registration.response.client_data_json.0.insert(1, b' ');
        let verified =
            expecting(|expected| verify_registration(&registration, expected, &NativeVerifier));
        assert_eq!(
            verified,
            Err(WebAuthnError::AttestationSignatureInvalid),
            "{attestation:?}"
        );
        assert!(expecting(|expected| check_registration(&registration, expected)).is_ok());
    }
}

#[test]
fn rejects_a_certificate_of_another_model() {
    let attested = Ceremony {
        attestation: Attestation::PackedCertified,
        ..ceremony()
    };
    let mut forged = SoftAuthenticator::es256(b"alice").register(&attested);
    let object = &mut forged.response.attestation_object.0;
    // The extension's value is an octet string of 16 bytes inside another. The issuer's signature is not checked.
    let start = object
        .windows(4)
        .position(|window| window == [0x04, 0x12, 0x04, 0x10])
        .unwrap();
    object[start + 4] = 1;
    let verified = expecting(|expected| verify_registration(&forged, expected, &NativeVerifier));
    assert_eq!(verified, Err(WebAuthnError::AttestationInvalid));
}

#[test]
fn rejects_u2f_with_another_algorithm() {
    let attested = Ceremony {
        attestation: Attestation::FidoU2f,
        ..ceremony()
    };
    assert_eq!(
        register(&SoftAuthenticator::ed25519(b"alice"), &attested),
        Err(WebAuthnError::AttestationInvalid)
    );
}

#[test]
fn policies_decide_which_origin_may_register() {
    let authenticator = SoftAuthenticator::es256(b"alice");
    let elsewhere = Ceremony {
        origin: "https://app.wallet.example:8443".to_owned(),
        ..ceremony()
    };
    let registration = authenticator.register(&elsewhere);
    let register_under = |policy: &OriginPolicy, allowed: &[Origin]| {
        expecting(|expected| {
            check_registration(
                &registration,
                &Expectations {
                    origin_policy: policy,
                    allowed_origins: allowed,
                    ..expected.clone()
                },
            )
        })
        .map(|registered| registered.ceremony.origin)
    };
    let app = origin("https://app.wallet.example:8443");
    assert_eq!(register_under(&ALL_SUBDOMAINS, &[]), Ok(app.clone()));
    let single = OriginPolicyOption::Single(True).resolve(&app).unwrap();
    assert_eq!(register_under(&single, &[]), Ok(app.clone()));
    let other = OriginPolicy::Single(origin("https://wallet.example"));
    assert_eq!(
        register_under(&other, std::slice::from_ref(&app)),
        Err(WebAuthnError::OriginNotAllowed)
    );
    let multiple = OriginPolicy::Multiple(vec![origin("https://wallet.example"), app.clone()]);
    assert_eq!(register_under(&multiple, &[]), Ok(app));
}
