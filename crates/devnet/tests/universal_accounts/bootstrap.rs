//! The transaction by which an account initialises itself.

use super::*;

/// What the state init of one ed25519 key burns at conversion and then executes, in gas. Its 43 bytes are
/// the version, no code, no entries, one key with its tag.
const CONVERSION: u128 = RECEIPT + 500_000_000_000 + 43 * 78_000_000 + 101_765_125_000;
const EXECUTION: u128 = RECEIPT + 7_430_000_000_000 + 43 * 74_000_000 + 101_765_125_000;

fn bootstrap(chain: &Chain, nonce: u64) -> SignedTransaction {
    sign_own(chain, nonce, vec![initialise_universal(&owned(), near(0))])
}

fn key_nonce(chain: &Chain, name: &str, key: &SecretKey) -> u64 {
    let shown = chain.view_access_key(&id(name), &key.public_key());
    shown.unwrap().nonce
}

#[test]
fn a_key_that_the_state_init_names_signs_it_to_the_yocto() {
    let chain = open();
    // What executes is bought at ten times the block's price.
    let needed = yocto(CONVERSION * PRICE + EXECUTION * 10 * PRICE);
    let (name, nonce) = fund(&chain, minus(needed, yocto(1)));
    assert_eq!(
        refused(&chain, bootstrap(&chain, nonce + 1)),
        InvalidTxError::NotEnoughBalance {
            signer_id: id(&name),
            balance: minus(needed, yocto(1)),
            cost: needed
        }
    );
    value(&run(&chain, BOB, &name, vec![transfer(yocto(1))]));
    let outcome = chain.run(bootstrap(&chain, nonce + 1)).unwrap();
    value(&outcome);
    assert_eq!(burnt(&outcome), yocto((CONVERSION + EXECUTION) * PRICE));
    let shown = view(&chain, &name);
    assert_eq!(shown.amount, minus(needed, burnt(&outcome)));
    assert_eq!((shown.storage_usage, shown.bootstrap_nonce), (182, None));
    assert_eq!(held(&chain), chain.total_supply());
}

#[test]
fn its_keys_then_sign_like_any_other() {
    let chain = open();
    let (name, nonce) = fund(&chain, near(2));
    let height = chain.head().height + 1;
    let first = bootstrap(&chain, nonce + 1);
    value(&chain.run(first.clone()).unwrap());
    // Above the consumed nonce, and above the height's.
    let installed = key_nonce(&chain, &name, &owner());
    assert_eq!(installed, ((height - 1) * 1_000_000).max(nonce + 1));
    let pay = chain.sign(&name, &owner(), BOB, vec![transfer(near(1))]);
    value(&chain.run(pay.unwrap()).unwrap());
    assert_eq!(balance(&chain, BOB), near(101));
    // The state init again, by the ordinary way, changes nothing.
    let again = vec![initialise_universal(&owned(), near(0))];
    let again = chain.sign(&name, &owner(), &name, again).unwrap();
    value(&chain.run(again).unwrap());
    assert_eq!(view(&chain, &name).storage_usage, 182);
    assert_eq!(held(&chain), chain.total_supply());
}

#[test]
fn a_key_that_the_account_has_deleted_does_not_come_back() {
    let chain = open();
    let (name, nonce) = fund(&chain, near(1));
    value(&chain.run(bootstrap(&chain, nonce + 1)).unwrap());
    let replaced = vec![add_full_key(&key("new")), delete_key(&owner())];
    let replaced = chain.sign(&name, &owner(), &name, replaced).unwrap();
    value(&chain.run(replaced).unwrap());
    for nonce in [1, nonce + 2, chain.head().height * 1_000_000] {
        let error = format!("{:?}", refused(&chain, bootstrap(&chain, nonce)));
        assert!(error.contains("AccessKeyNotFound"), "{error}");
    }
}

#[test]
fn its_nonce_is_the_next_one_in_any_version_and_mode() {
    let chain = open();
    let (name, bootstrap_nonce) = fund(&chain, near(1));
    let actions = || vec![initialise_universal(&owned(), near(0))];
    for tx_nonce in [bootstrap_nonce, bootstrap_nonce + 2] {
        let expected = InvalidTxError::InvalidNonce {
            tx_nonce,
            ak_nonce: bootstrap_nonce,
        };
        assert_eq!(refused(&chain, bootstrap(&chain, tx_nonce)), expected);
        for mode in [NonceMode::Monotonic, NonceMode::Strict] {
            let nonce = (TransactionNonce::from_nonce(tx_nonce), mode);
            let signed = sign_v1(&chain, &name, &owner(), &name, nonce, actions());
            assert_eq!(refused(&chain, signed), expected);
        }
    }
    let next = TransactionNonce::from_nonce(bootstrap_nonce + 1);
    let nonce = (next, NonceMode::Monotonic);
    let signed = sign_v1(&chain, &name, &owner(), &name, nonce, actions());
    value(&chain.run(signed).unwrap());
    assert!(is_initialised(&chain, &name));
}

#[test]
fn only_the_state_init_of_the_account_speaks_for_its_keys() {
    let chain = open();
    let (name, nonce) = fund(&chain, near(1));
    let missing = |signed| {
        let error = format!("{:?}", refused(&chain, signed));
        assert!(error.contains("AccessKeyNotFound"), "{error}");
    };
    let actions = || vec![initialise_universal(&owned(), near(0))];
    // Another key, no state init, another receiver, a lane, and a state init inside a delegate action.
    missing(sign_as(
        &chain,
        &name,
        &key(BOB),
        &name,
        nonce + 1,
        actions(),
    ));
    missing(sign_own(&chain, nonce + 1, vec![transfer(near(1))]));
    missing(sign_as(
        &chain,
        &name,
        &owner(),
        BOB,
        nonce + 1,
        vec![transfer(near(1))],
    ));
    let lane = TransactionNonce::from_nonce_and_index(nonce + 1, 0);
    let lane = (lane, NonceMode::Strict);
    missing(sign_v1(&chain, &name, &owner(), &name, lane, actions()));
    let nested = delegate(&chain, &key(ALICE), 1, &name, actions());
    missing(sign_own(&chain, nonce + 1, vec![nested]));
    assert_eq!(view(&chain, &name).bootstrap_nonce, Some(nonce));
}

#[test]
fn further_actions_act_as_the_account_once_it_is_initialised() {
    let chain = open();
    let (name, nonce) = fund(&chain, near(1));
    let further = key("a further key");
    // Before the state init nothing but a transfer succeeds, and the nonce is consumed.
    let actions = vec![
        add_full_key(&further),
        initialise_universal(&owned(), near(0)),
    ];
    let outcome = chain.run(sign_own(&chain, nonce + 1, actions)).unwrap();
    let error = failure(&outcome);
    assert!(error.contains("AccountNotInitialized"), "{error}");
    assert_eq!(view(&chain, &name).bootstrap_nonce, Some(nonce + 1));

    let actions = vec![
        initialise_universal(&owned(), near(0)),
        add_full_key(&further),
    ];
    value(&chain.run(sign_own(&chain, nonce + 2, actions)).unwrap());
    assert!(key_nonce(&chain, &name, &further) > nonce);
}

#[test]
fn a_state_init_that_fails_consumes_its_nonce_and_the_next_takes_the_one_after() {
    let chain = open();
    let state_init = UniversalStateInit::V1(UniversalStateInitV1 {
        code: Some(by_account(ALICE)),
        data: BTreeMap::new(),
        access_keys: BTreeSet::from([owner().public_key().into()]),
    });
    let name = universal_name(&state_init);
    value(&run(&chain, ALICE, &name, vec![transfer(near(1))]));
    let nonce = view(&chain, &name).bootstrap_nonce.unwrap();
    let bootstrap = |nonce| {
        let actions = vec![initialise_universal(&state_init, near(0))];
        sign_as(&chain, &name, &owner(), &name, nonce, actions)
    };
    let outcome = chain.run(bootstrap(nonce + 1)).unwrap();
    let error = failure(&outcome);
    assert!(error.contains("GlobalContractDoesNotExist"), "{error}");
    let shown = view(&chain, &name);
    assert_eq!(shown.bootstrap_nonce, Some(nonce + 1));
    assert_eq!(shown.amount, minus(near(1), burnt(&outcome)));
    assert!(matches!(
        chain.view_access_key(&id(&name), &owner().public_key()),
        Err(ViewError::UnknownAccessKey)
    ));
    assert_eq!(held(&chain), chain.total_supply());

    deployed(&chain, ALICE, vec![publish_by_account(test_contract())]);
    value(&chain.run(bootstrap(nonce + 2)).unwrap());
    assert_eq!(
        view(&chain, &name).global_contract_account_id,
        Some(id(ALICE))
    );
}

#[test]
fn a_key_of_ml_dsa_65_starts_an_account_too() {
    let chain = open();
    let owner = SecretKey::from_random(KeyType::MLDSA65);
    let state_init = with_keys([&owner]);
    let name = universal_name(&state_init);
    value(&run(&chain, ALICE, &name, vec![transfer(near(1))]));
    let nonce = view(&chain, &name).bootstrap_nonce.unwrap() + 1;
    let actions = vec![initialise_universal(&state_init, near(0))];
    let signed = sign_as(&chain, &name, &owner, &name, nonce, actions);
    value(&chain.run(signed).unwrap());
    assert_eq!(view(&chain, &name).storage_usage, 182);
    let pay = chain.sign(&name, &owner, BOB, vec![transfer(yocto(1))]);
    value(&chain.run(pay.unwrap()).unwrap());
    assert_eq!(held(&chain), chain.total_supply());
}

#[test]
fn an_account_that_was_deleted_begins_above_its_first_life() {
    let chain = open();
    let (name, first) = fund(&chain, near(1));
    let bytes = bootstrap(&chain, first + 1);
    value(&chain.run(bytes).unwrap());
    let gone = chain.sign(&name, &owner(), &name, vec![delete_account(BOB)]);
    value(&chain.run(gone.unwrap()).unwrap());
    chain.settle().unwrap();
    let (_, second) = fund(&chain, near(1));
    assert!(second > first + 1);
    assert!(!is_initialised(&chain, &name));
    let tx_nonce = first + 1;
    let old = sign_own(
        &chain,
        tx_nonce,
        vec![initialise_universal(&owned(), near(0))],
    );
    let expected = InvalidTxError::InvalidNonce {
        tx_nonce,
        ak_nonce: second,
    };
    assert_eq!(refused(&chain, old), expected);
    assert_eq!(held(&chain), chain.total_supply());
}
