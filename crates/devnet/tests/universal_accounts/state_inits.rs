//! The state init that somebody else sends: deposits, limits and the bytes that count.

use super::*;

/// Sends a state init to its account.
fn initialise(
    chain: &Chain,
    state_init: &UniversalStateInit,
    deposit: Balance,
) -> FinalExecutionOutcomeView {
    let actions = vec![initialise_universal(state_init, deposit)];
    let outcome = run(chain, ALICE, &universal_name(state_init), actions);
    chain.settle().unwrap();
    outcome
}

/// One whose nine keys cost more storage than an account without balance may use.
fn large() -> UniversalStateInit {
    let keys: Vec<_> = (0..9).map(|index| key(&format!("key {index}"))).collect();
    with_keys(&keys)
}

/// One with two keys.
fn other() -> UniversalStateInit {
    with_keys(&[owner(), key(BOB)])
}

const LARGE_BYTES: u128 = 100 + 9 * 82;

#[test]
fn anybody_initialises_an_account_and_the_deposit_comes_back() {
    let chain = open();
    let before = balance(&chain, ALICE);
    let outcome = initialise(&chain, &owned(), near(1));
    value(&outcome);
    let name = universal_name(&owned());
    let shown = view(&chain, &name);
    assert_eq!((shown.amount, shown.storage_usage), (near(0), 182));
    assert!(shown.state.is_initialized());
    assert_eq!(balance(&chain, ALICE), minus(before, burnt(&outcome)));
    assert!(burnt(&outcome) > Balance::from_millinear(7));
    // An account that exists is not charged for.
    let fund = vec![transfer(near(1))];
    value(&run(&chain, ALICE, &universal_name(&other()), fund));
    let outcome = initialise(&chain, &other(), near(1));
    assert!(burnt(&outcome) < Balance::from_millinear(1));
    assert_eq!(held(&chain), chain.total_supply());
}

#[test]
fn the_account_keeps_what_its_storage_lacks() {
    let chain = open();
    let name = universal_name(&large());
    let stake = yocto(LARGE_BYTES * 10_000_000_000_000_000_000);
    let short = initialise(&chain, &large(), minus(stake, yocto(1)));
    let error = failure(&short);
    assert!(
        error.contains(r#""LackBalanceForState":{"account_id""#),
        "{error}"
    );
    assert!(error.contains(r#""amount":"1""#), "{error}");
    assert!(chain.view_account(&id(&name)).is_err());

    let before = balance(&chain, ALICE);
    let outcome = initialise(&chain, &large(), near(1));
    value(&outcome);
    assert_eq!(balance(&chain, &name), stake);
    let paid = plus(stake, burnt(&outcome));
    assert_eq!(balance(&chain, ALICE), minus(before, paid));
    assert_eq!(held(&chain), chain.total_supply());
}

#[test]
fn a_repeated_state_init_changes_nothing_and_returns_its_deposit() {
    let chain = open();
    value(&initialise(&chain, &large(), near(1)));
    let name = universal_name(&large());
    let account = view(&chain, &name);
    let before = balance(&chain, ALICE);
    let outcome = initialise(&chain, &large(), near(1));
    value(&outcome);
    assert_eq!(view(&chain, &name), account);
    assert_eq!(balance(&chain, ALICE), minus(before, burnt(&outcome)));
    assert_eq!(held(&chain), chain.total_supply());
}

#[test]
fn who_initialises_an_account_does_not_act_as_it() {
    let chain = open();
    let name = universal_name(&owned());
    for action in [
        add_full_key(&key(ALICE)),
        deploy(test_contract()),
        delete_account(ALICE),
    ] {
        let actions = vec![initialise_universal(&owned(), near(0)), action];
        let error = failure(&run(&chain, ALICE, &name, actions));
        assert!(error.contains("ActorNoPermission"), "{error}");
        assert!(chain.view_account(&id(&name)).is_err());
    }
}

#[test]
fn code_and_entries_are_installed_with_the_keys() {
    let chain = open();
    deployed(&chain, ALICE, vec![publish_by_account(test_contract())]);
    let state_init = UniversalStateInit::V1(UniversalStateInitV1 {
        code: Some(by_account(ALICE)),
        data: BTreeMap::from([(b"k".to_vec(), b"first".to_vec())]),
        access_keys: BTreeSet::from([owner().public_key().into()]),
    });
    value(&initialise(&chain, &state_init, near(0)));
    let name = universal_name(&state_init);
    let stored = chain.view_call(&id(&name), "get", b"").unwrap().result;
    assert_eq!(stored, b"first");
    // The account, its key, its entry and the name of its contract.
    let bytes = 100 + 82 + 46 + ALICE.len() as u64;
    assert_eq!(view(&chain, &name).storage_usage, bytes);
}

#[test]
fn a_relayer_initialises_an_account_for_another() {
    let chain = open();
    let name = universal_name(&owned());
    let actions = vec![initialise_universal(&owned(), near(1))];
    let relayed = delegate(&chain, &key(ALICE), 1, &name, actions);
    let before = balance(&chain, ALICE);
    let outcome = run(&chain, RELAYER, ALICE, vec![relayed]);
    value(&outcome);
    chain.settle().unwrap();
    assert_eq!(failures(&outcome), 0);
    assert!(is_initialised(&chain, &name));
    // The relayer's deposit comes back to the account that asked.
    assert_eq!(balance(&chain, ALICE), plus(before, near(1)));

    let elsewhere = vec![initialise_universal(&other(), near(0))];
    let relayed = delegate(&chain, &key(ALICE), 2, &name, elsewhere);
    assert_eq!(
        refused(&chain, sign(&chain, RELAYER, ALICE, vec![relayed])),
        InvalidTxError::ActionsValidation(
            ActionsValidationError::InvalidUniversalStateInitReceiver {
                receiver_id: id(&name),
                derived_id: id(&universal_name(&other())),
            }
        )
    );
}

#[test]
fn a_contract_initialises_an_account_from_protocol_88() {
    let code = wat::parse_str(include_str!("../common/universal.wat")).unwrap();
    for protocol in [87, 88] {
        let chain = open_at(protocol);
        value(&run(&chain, BOB, BOB, vec![deploy(code.clone())]));
        let spawn = |raw: &RawStateInit| run(&chain, ALICE, BOB, vec![call("spawn", &raw.0)]);
        let outcome = spawn(&owned().to_raw());
        if protocol == 87 {
            let error = failure(&outcome);
            assert!(error.contains("unknown or invalid import"), "{error}");
            continue;
        }
        value(&outcome);
        chain.settle().unwrap();
        assert!(is_initialised(&chain, &universal_name(&owned())));
        assert_eq!(held(&chain), chain.total_supply());
        // The machine tells the contract that bytes are no state init.
        let error = failure(&spawn(&RawStateInit(vec![9])));
        assert!(error.contains("explicit guest panic"), "{error}");
    }
}

#[test]
fn refuses_bytes_that_are_not_the_canonical_state_init_of_the_receiver() {
    let chain = open();
    let refusal = |receiver: &str, raw: RawStateInit| {
        let action = universal_state_init(raw, near(0));
        refused_actions(&chain, receiver, vec![action])
    };
    assert_eq!(
        refusal(BOB, owned().to_raw()),
        ActionsValidationError::InvalidUniversalStateInitReceiver {
            receiver_id: id(BOB),
            derived_id: id(&universal_name(&owned())),
        }
    );
    let mut trailing = owned().to_raw();
    trailing.0.push(0);
    // Two keys in the wrong order.
    let mut unsorted = other().to_raw();
    let keys = unsorted.0.split_off(10);
    unsorted.0.extend_from_slice(&keys[33..]);
    unsorted.0.extend_from_slice(&keys[..33]);
    assert!(UniversalStateInit::from_raw_lenient(&unsorted).is_ok());
    for raw in [
        trailing,
        unsorted,
        RawStateInit(vec![]),
        RawStateInit(vec![1]),
    ] {
        let receiver = near_primitives::utils::derive_universal_account_id(&raw);
        let expected = ActionsValidationError::MalformedUniversalStateInit;
        assert_eq!(refusal(receiver.as_str(), raw), expected);
    }
}

#[test]
fn names_the_feature_before_protocol_88() {
    for protocol in [84, 85, 87] {
        let chain = open_at(protocol);
        let action = initialise_universal(&owned(), near(0));
        assert_eq!(
            refused_actions(&chain, &universal_name(&owned()), vec![action]),
            ActionsValidationError::UnsupportedProtocolFeature {
                protocol_feature: "UniversalAccounts".to_owned(),
                version: protocol
            }
        );
    }
}

fn with_entries(entries: impl Iterator<Item = (Vec<u8>, Vec<u8>)>) -> UniversalStateInit {
    UniversalStateInit::V1(UniversalStateInitV1 {
        code: None,
        data: entries.collect(),
        access_keys: BTreeSet::new(),
    })
}

#[test]
fn limits_keys_and_entries_of_a_receipt_together_and_the_length_of_each() {
    use near_crypto::{MlDsa65PublicKeyHandle, PublicKeyHandle};
    let chain = open();
    let refusal = |state_init: &UniversalStateInit, times| {
        let actions = vec![initialise_universal(state_init, near(0)); times];
        refused_actions(&chain, &universal_name(state_init), actions)
    };
    let keys = |count: u16| {
        let handle = |index: u16| {
            let mut bytes = [0; 32];
            bytes[..2].copy_from_slice(&index.to_be_bytes());
            PublicKeyHandle::MlDsa65(MlDsa65PublicKeyHandle(bytes))
        };
        UniversalStateInit::V1(UniversalStateInitV1 {
            code: None,
            data: BTreeMap::new(),
            access_keys: (0..count).map(handle).collect(),
        })
    };
    let limit = 1_024;
    for (state_init, times, number_of_keys) in [(keys(1_025), 1, 1_025), (keys(600), 2, 1_200)] {
        assert_eq!(
            refusal(&state_init, times),
            ActionsValidationError::TotalNumberOfStateInitKeysExceeded {
                number_of_keys,
                limit
            }
        );
    }
    let entries =
        |count: u16| with_entries((0..count).map(|index| (index.to_be_bytes().to_vec(), vec![])));
    assert_eq!(
        refusal(&entries(1_501), 1),
        ActionsValidationError::TotalNumberOfStateInitEntriesExceeded {
            number_of_entries: 1_501,
            limit: 1_500
        }
    );
    assert_eq!(
        refusal(&with_entries([(vec![0; 2_049], vec![])].into_iter()), 1),
        ActionsValidationError::UniversalStateInitKeyLengthExceeded {
            length: 2_049,
            limit: 2_048
        }
    );
    assert_eq!(
        refusal(&with_entries([(vec![], vec![0; 4_194_305])].into_iter()), 1),
        ActionsValidationError::UniversalStateInitValueLengthExceeded {
            length: 4_194_305,
            limit: 4_194_304
        }
    );
}
