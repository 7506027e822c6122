//! Creating and deleting accounts, staking, delegate actions, refunds and the supply.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use common::*;
use near_crypto::{KeyType, PublicKey, SecretKey, Signer};
use near_primitives::action::StakeAction;
use near_primitives::action::delegate::{DelegateAction, NonDelegateAction, SignedDelegateAction};
use near_primitives::transaction::Action;
use near_primitives::types::Balance;
use near_primitives::utils::derive_eth_implicit_account_id;

#[test]
fn makes_a_sub_account_with_its_key_for_seven_thousandths() {
    let chain = open();
    let before = balance(&chain, ALICE);
    let key = SecretKey::from_random(KeyType::ED25519);
    let actions = vec![create(), transfer(near(2)), add_full_key(&key)];
    let outcome = run(&chain, ALICE, "new.alice.testnet", actions);
    value(&outcome);
    assert_eq!(balance(&chain, "new.alice.testnet"), near(2));
    assert_eq!(
        chain
            .view_account(&id("new.alice.testnet"))
            .unwrap()
            .storage_usage,
        182
    );
    chain
        .view_access_key(&id("new.alice.testnet"), &key.public_key())
        .unwrap();
    let cost = before
        .checked_sub(balance(&chain, ALICE))
        .unwrap()
        .checked_sub(near(2))
        .unwrap();
    assert_eq!(cost, burnt(&outcome));
    // The charge of 0.007 NEAR replaces the cost of the creation's gas.
    assert!(
        cost > Balance::from_millinear(7) && cost < Balance::from_micronear(7_200),
        "{cost}"
    );
}

#[test]
fn refuses_existing_accounts_and_sub_accounts_of_others() {
    let chain = open();
    let before = chain.state_root_dump();
    let exists = run(&chain, "testnet", BOB, vec![create(), transfer(near(1))]);
    assert_eq!(
        failure(&exists),
        r#"{"ActionError":{"index":0,"kind":{"AccountAlreadyExists":{"account_id":"bob.testnet"}}}}"#
    );
    assert!(
        failure(&run(&chain, BOB, "new.alice.testnet", vec![create()]))
            .contains("CreateAccountNotAllowed")
    );
    assert!(
        failure(&run(&chain, BOB, "toplevel", vec![create()]))
            .contains("CreateAccountOnlyByRegistrar")
    );
    assert!(
        failure(&run(&chain, BOB, "no.testnet", vec![transfer(near(1))]))
            .contains("AccountDoesNotExist")
    );
    let after = chain.state_root_dump();
    assert_eq!(
        before.keys().collect::<Vec<_>>(),
        after.keys().collect::<Vec<_>>()
    );
    assert_eq!(held(&chain), chain.total_supply());
}

#[test]
fn an_account_that_cannot_pay_for_its_storage_is_not_made() {
    let chain = open();
    let actions = vec![create(), deploy(test_contract())];
    let outcome = run(&chain, ALICE, "poor.alice.testnet", actions);
    assert!(
        failure(&outcome).contains(r#""LackBalanceForState":{"account_id":"poor.alice.testnet""#)
    );
    assert!(chain.view_account(&id("poor.alice.testnet")).is_err());
}

#[test]
fn only_the_owner_may_change_keys_and_code() {
    let chain = open();
    let key = SecretKey::from_random(KeyType::ED25519);
    let outcome = failure(&run(&chain, ALICE, BOB, vec![add_full_key(&key)]));
    assert!(outcome.contains("ActorNoPermission"), "{outcome}");
    assert!(
        failure(&run(&chain, ALICE, BOB, vec![deploy(test_contract())]))
            .contains("ActorNoPermission")
    );
    assert!(
        failure(&run(&chain, ALICE, BOB, vec![delete_account(ALICE)]))
            .contains("ActorNoPermission")
    );
}

#[test]
fn a_transfer_makes_an_implicit_account_whose_key_is_its_name() {
    let chain = open();
    let key = SecretKey::from_random(KeyType::ED25519);
    let PublicKey::ED25519(public) = key.public_key() else {
        panic!()
    };
    let name: String = public.0.iter().map(|byte| format!("{byte:02x}")).collect();
    value(&run(&chain, ALICE, &name, vec![transfer(near(3))]));
    assert_eq!(balance(&chain, &name), near(3));
    let back = chain
        .sign(&name, &key, ALICE, vec![transfer(near(1))])
        .unwrap();
    value(&chain.run(back).unwrap());
    assert!(
        failure(&run(&chain, ALICE, &"ab".repeat(32), vec![create()]))
            .contains("OnlyImplicitAccountCreation")
    );
}

/// `tests/vectors/passkey-account.json`: interop.md, section 14.
#[test]
fn the_pinned_id_of_a_passkeys_account_is_the_one_of_near_primitives() {
    let file: serde_json::Value =
        serde_json::from_str(include_str!("../../../tests/vectors/passkey-account.json")).unwrap();
    let text = |name: &str| file[name].as_str().unwrap();
    let key: PublicKey = text("nearPublicKey").parse().unwrap();
    let PublicKey::ED25519(public) = &key else {
        panic!()
    };
    let id = near_primitives::utils::derive_near_implicit_account_id(public);
    assert_eq!(id, text("accountId"));
}

#[test]
fn a_transfer_makes_an_account_of_ethereums_form_that_runs_the_networks_wallet_contract() {
    // near-primitives' known answer for the key of the seed "test".
    let public_key = PublicKey::from_seed(KeyType::SECP256K1, "test");
    let derived = derive_eth_implicit_account_id(public_key.unwrap_as_secp256k1());
    let name = "0x96791e923f8cf697ad9c3290f2c9059f0231b24c";
    assert_eq!(derived, name);

    // Receipt, transfer and creation, each to send and to execute; from protocol 85 the creation costs
    // 0.007 NEAR with the gas that it executes.
    let plain = 2 * (108_059_500_000 + 115_123_062_500);
    for (protocol, creation, charge) in [
        (84, 2 * 3_850_000_000_000, 0),
        (85, 7_700_000_000_000, 6_280_000_000_000_000_000_000),
        (88, 7_700_000_000_000, 6_280_000_000_000_000_000_000),
    ] {
        let chain = open_at(protocol);
        let twice = vec![transfer(near(1)), transfer(near(1))];
        let error = failure(&run(&chain, ALICE, name, twice));
        assert!(error.contains("AccountDoesNotExist"), "{error}");
        let error = failure(&run(&chain, ALICE, name, vec![create()]));
        let expected = "OnlyImplicitAccountCreationAllowed";
        assert!(error.contains(expected), "{error}");

        let outcome = run(&chain, ALICE, name, vec![transfer(near(3))]);
        value(&outcome);
        let burns = (plain + creation) * 100_000_000 + charge;
        assert_eq!(burnt(&outcome), Balance::from_yoctonear(burns));
        let view = chain.view_account(&id(name)).unwrap();
        assert_eq!((view.amount, view.storage_usage), (near(3), 132));
        let wallet = "3PpYvRxBfC5BkZxTw8ZFG3D52w1ZRhvDDWirKoxphMDn";
        assert_eq!(view.global_contract_hash.unwrap().to_string(), wallet);

        // Nobody acts as it but its contract.
        let error = failure(&run(&chain, ALICE, name, vec![add_full_key(&key(ALICE))]));
        assert!(error.contains("ActorNoPermission"), "{error}");
        let error = failure(&run(&chain, ALICE, name, vec![call("rlp_execute", b"")]));
        assert!(error.contains("CodeDoesNotExist"), "{error}");
        value(&run(&chain, BOB, name, vec![transfer(near(1))]));
        assert_eq!(balance(&chain, name), near(4));
        assert_eq!(held(&chain), chain.total_supply());
    }
}

#[test]
fn a_deleted_account_leaves_its_balance_to_the_beneficiary() {
    let chain = open();
    deploy_test_contract(&chain, ALICE);
    value(&run(&chain, BOB, ALICE, vec![call("set", b"x")]));
    let bob = balance(&chain, BOB);
    let held_before = balance(&chain, ALICE);
    let outcome = run(&chain, ALICE, ALICE, vec![delete_account(BOB)]);
    value(&outcome);
    assert!(chain.view_account(&id(ALICE)).is_err());
    let got = balance(&chain, BOB).checked_sub(bob).unwrap();
    assert!(
        got < held_before && got > held_before.checked_sub(Balance::from_millinear(2)).unwrap()
    );
    let left = chain.state_root_dump();
    assert!(!left.keys().any(|key| {
        key.windows(ALICE.len())
            .any(|part| part == ALICE.as_bytes())
    }));
    assert_eq!(held(&chain), chain.total_supply());
}

#[test]
fn staking_locks_the_stake() {
    let chain = open();
    let stake = |amount| {
        let public_key = key(ALICE).public_key();
        vec![Action::Stake(Box::new(StakeAction {
            stake: amount,
            public_key,
        }))]
    };
    value(&run(&chain, ALICE, ALICE, stake(near(10))));
    assert_eq!(chain.view_account(&id(ALICE)).unwrap().locked, near(10));
    assert!(failure(&run(&chain, ALICE, ALICE, stake(near(1_000)))).contains("TriesToStake"));
    assert!(failure(&run(&chain, BOB, BOB, stake(Balance::ZERO))).contains("TriesToUnstake"));
    let little = failure(&run(&chain, BOB, BOB, stake(Balance::from_millinear(500))));
    assert!(little.contains("InsufficientStake"), "{little}");
    assert!(
        failure(&run(&chain, ALICE, ALICE, vec![delete_account(BOB)]))
            .contains("DeleteAccountStaking")
    );
}

#[test]
fn a_relayer_pays_for_a_delegate_action_that_the_sender_signed() {
    let chain = open();
    deploy_test_contract(&chain, BOB);
    let signer = Signer::InMemory(near_crypto::InMemorySigner {
        account_id: id(ALICE),
        public_key: key(ALICE).public_key(),
        secret_key: key(ALICE),
    });
    let delegate = |nonce, max_block_height| {
        let actions = vec![NonDelegateAction::try_from(call("set", b"by alice")).unwrap()];
        let action = DelegateAction {
            sender_id: id(ALICE),
            receiver_id: id(BOB),
            actions,
            nonce,
            max_block_height,
            public_key: key(ALICE).public_key(),
        };
        SignedDelegateAction::sign(&signer, action)
    };
    let later = chain.head().height + 100;
    let alice = balance(&chain, ALICE);
    let relayer = balance(&chain, "relayer.testnet");
    let outcome = run(
        &chain,
        "relayer.testnet",
        ALICE,
        vec![delegate(1, later).into()],
    );
    value(&outcome);
    assert_eq!(failures(&outcome), 0);
    assert_eq!(
        chain.view_call(&id(BOB), "get", b"").unwrap().result,
        b"by alice"
    );
    assert_eq!(balance(&chain, ALICE), alice);
    assert_eq!(
        balance(&chain, "relayer.testnet"),
        relayer.checked_sub(burnt(&outcome)).unwrap()
    );
    assert_eq!(
        chain
            .view_access_key(&id(ALICE), &key(ALICE).public_key())
            .unwrap()
            .nonce,
        1
    );

    let again = run(
        &chain,
        "relayer.testnet",
        ALICE,
        vec![delegate(1, later).into()],
    );
    assert!(failure(&again).contains("DelegateActionInvalidNonce"));
    let expired = run(
        &chain,
        "relayer.testnet",
        ALICE,
        vec![delegate(2, chain.head().height - 1).into()],
    );
    assert!(failure(&expired).contains("DelegateActionExpired"));
    let mut forged = delegate(2, later);
    forged.delegate_action.nonce = 3;
    let forged = run(&chain, "relayer.testnet", ALICE, vec![forged.into()]);
    assert!(failure(&forged).contains("DelegateActionInvalidSignature"));
    let misdirected = run(
        &chain,
        "relayer.testnet",
        BOB,
        vec![delegate(2, later).into()],
    );
    assert!(failure(&misdirected).contains("DelegateActionSenderDoesNotMatchTxReceiver"));
    assert_eq!(held(&chain), chain.total_supply());
}

#[test]
fn a_delegate_action_is_limited_to_the_permission_of_its_key() {
    let chain = open();
    deploy_test_contract(&chain, BOB);
    let limited = SecretKey::from_random(KeyType::ED25519);
    let added = add_call_key(&limited, BOB, &["echo"], None);
    value(&run(&chain, ALICE, ALICE, vec![added]));
    let made_at = chain
        .view_access_key(&id(ALICE), &limited.public_key())
        .unwrap()
        .nonce;
    let signer = Signer::InMemory(near_crypto::InMemorySigner {
        account_id: id(ALICE),
        public_key: limited.public_key(),
        secret_key: limited.clone(),
    });
    let relayed = |receiver: &str, action: Action, nonce| {
        let delegate = DelegateAction {
            sender_id: id(ALICE),
            receiver_id: id(receiver),
            actions: vec![NonDelegateAction::try_from(action).unwrap()],
            nonce,
            max_block_height: chain.head().height + 100,
            public_key: limited.public_key(),
        };
        let signed = SignedDelegateAction::sign(&signer, delegate);
        run(&chain, "relayer.testnet", ALICE, vec![signed.into()])
    };
    let allowed = relayed(BOB, call("echo", b"ok"), made_at + 1);
    value(&allowed);
    assert_eq!(failures(&allowed), 0);

    let before = chain.state_root_dump();
    for (receiver, action, nonce, reason) in [
        (
            BOB,
            call("set", b""),
            made_at + 2,
            r#"{"MethodNameMismatch":{"method_name":"set"}}"#,
        ),
        (
            "testnet",
            call("echo", b""),
            made_at + 2,
            "ReceiverMismatch",
        ),
        (
            BOB,
            transfer(near(1)),
            made_at + 2,
            r#""RequiresFullAccess""#,
        ),
        (
            BOB,
            call_with("echo", b"", 10, Balance::from_yoctonear(1)),
            made_at + 2,
            r#""DepositWithFunctionCall""#,
        ),
        (
            BOB,
            call("echo", b""),
            made_at + 1,
            "DelegateActionInvalidNonce",
        ),
        (
            BOB,
            call("echo", b""),
            u64::MAX,
            "DelegateActionNonceTooLarge",
        ),
    ] {
        let error = failure(&relayed(receiver, action, nonce));
        assert!(error.contains(reason), "{error}");
    }
    // Sender and receiver are unchanged; only the relayer paid.
    let changed: Vec<_> = chain
        .state_root_dump()
        .into_iter()
        .filter(|(key, value)| before.get(key) != Some(value))
        .map(|(key, _)| String::from_utf8_lossy(&key).into_owned())
        .collect();
    assert!(
        changed.iter().all(|key| key.contains("relayer.testnet")),
        "{changed:?}"
    );

    let stranger = SecretKey::from_random(KeyType::ED25519);
    let delegate = DelegateAction {
        sender_id: id(ALICE),
        receiver_id: id(BOB),
        actions: vec![NonDelegateAction::try_from(call("echo", b"")).unwrap()],
        nonce: 1,
        max_block_height: chain.head().height + 100,
        public_key: stranger.public_key(),
    };
    let signer = Signer::InMemory(near_crypto::InMemorySigner {
        account_id: id(ALICE),
        public_key: stranger.public_key(),
        secret_key: stranger,
    });
    let signed = SignedDelegateAction::sign(&signer, delegate);
    let unknown = run(&chain, "relayer.testnet", ALICE, vec![signed.into()]);
    assert!(failure(&unknown).contains("AccessKeyNotFound"));
}

#[test]
fn small_accounts_need_no_balance_for_their_storage() {
    let chain = open();
    let keys = |count| {
        (0..count)
            .map(|_| add_full_key(&SecretKey::from_random(KeyType::ED25519)))
            .collect::<Vec<_>>()
    };
    // 100 bytes for the account and 82 for each full-access key; 770 are free (NEP-448).
    let eight = [vec![create()], keys(8)].concat();
    value(&run(&chain, ALICE, "eight.alice.testnet", eight));
    let made = chain.view_account(&id("eight.alice.testnet")).unwrap();
    assert_eq!((made.amount, made.storage_usage), (Balance::ZERO, 756));

    let nine = [vec![create()], keys(9)].concat();
    let error = failure(&run(&chain, ALICE, "nine.alice.testnet", nine.clone()));
    // 838 bytes at 10^19 yocto.
    assert_eq!(
        error,
        r#"{"ActionError":{"index":null,"kind":{"LackBalanceForState":{"account_id":"nine.alice.testnet","amount":"8380000000000000000000"}}}}"#
    );
    let enough = Balance::from_yoctonear(8_380_000_000_000_000_000_000);
    let paid = [nine, vec![transfer(enough)]].concat();
    value(&run(&chain, ALICE, "nine.alice.testnet", paid));
    assert_eq!(held(&chain), chain.total_supply());
}

#[test]
fn failures_neither_create_nor_lose_tokens() {
    for version in 84..=88 {
        let chain = open_at(version);
        deploy_test_contract(&chain, ALICE);
        deploy_test_contract(&chain, BOB);
        run(
            &chain,
            BOB,
            ALICE,
            vec![call_with("call_then", b"fail", 50, near(1))],
        );
        run(
            &chain,
            BOB,
            ALICE,
            vec![call_with("call_then", b"echo", 300, near(1))],
        );
        run(
            &chain,
            BOB,
            ALICE,
            vec![call_with("weights", b"", 100, near(1))],
        );
        run(
            &chain,
            BOB,
            "x.bob.testnet",
            vec![create(), transfer(near(1)), deploy(test_contract())],
        );
        run(
            &chain,
            BOB,
            "x.bob.testnet",
            vec![create(), transfer(near(1))],
        );
        run(&chain, BOB, "gone.testnet", vec![transfer(near(1))]);
        run(
            &chain,
            BOB,
            ALICE,
            vec![call_with("loop", b"", 100, near(1))],
        );
        assert_eq!(held(&chain), chain.total_supply(), "protocol {version}");
    }
}
