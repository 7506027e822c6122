//! Of concurrent calls for one account, one wins, and the others pay only for gas. Calls for one credential do
//! not hinder each other.

use latchkey_contract_tests::{
    DEPOSIT, Edit, Method, Outcome, Passkey, RELAYER, STORAGE_BYTE_COST, World, at_each_protocol,
};
use latchkey_webauthn::testing::SoftAuthenticator;
use near_primitives::action::{Action, DeleteAccountAction};
use serde_json::{Value, json};

use crate::{ALICE, BOB, CAROL, invariants, with_alice};

at_each_protocol![
    of_two_registrations_of_one_account_one_wins,
    two_registrations_of_one_credential_both_win,
    a_registration_and_a_linking_of_one_credential_both_win,
    of_two_linkings_under_one_number_one_wins,
    a_reservation_is_neither_shown_nor_linkable,
    a_new_account_that_deletes_itself_immediately_keeps_its_record,
];

/// A call: signer, method and arguments.
type Call<'a> = (&'a str, Method, Value);

/// Sends both calls for the same block and returns which of them the registry accepted. Checks that a
/// refused call cost only gas.
#[track_caller]
fn race(world: &World, calls: [Call<'_>; 2]) -> [bool; 2] {
    let before = calls.each_ref().map(|(payer, ..)| world.balance(payer));
    let stored = world.surplus();
    let ids = calls.each_ref().map(|(payer, method, args)| {
        let signed = world.sign(payer, method.name(), args, DEPOSIT);
        world.chain.submit(signed).unwrap()
    });
    world.chain.settle().unwrap();

    let outcomes: [Outcome; 2] = ids.map(|id| world.outcome(&id));
    let verified = outcomes
        .each_ref()
        .map(|outcome| outcome.result.as_ref().unwrap()["verified"] == true);
    for (n, (payer, ..)) in calls.iter().enumerate() {
        if !verified[n] {
            let paid = before[n] - world.balance(payer);
            assert_eq!(paid, outcomes[n].tokens_burnt, "the loser's deposit");
        }
    }
    assert!(world.surplus() >= stored);
    verified
}

/// Sends both passkeys' registrations for the same block, each paid by another account. Exactly one must
/// succeed.
#[track_caller]
fn race_of_registrations(world: &World, passkeys: &[Passkey; 2]) -> [bool; 2] {
    let [first, second] = passkeys
        .each_ref()
        .map(|passkey| passkey.registration(&world.chain.head(), Edit::None));
    let verified = race(
        world,
        [
            (RELAYER, Method::Register, first),
            ("testnet", Method::Register, second),
        ],
    );
    assert_ne!(verified[0], verified[1]);
    verified
}

fn of_two_registrations_of_one_account_one_wins(version: u32) {
    let world = World::open(version);
    let passkeys = [Passkey::new(ALICE), Passkey::another(ALICE, "second")];
    let verified = race_of_registrations(&world, &passkeys);
    let winner = &passkeys[usize::from(verified[1])];
    assert_eq!(world.credential_ids(ALICE), json!([winner.credential_id()]));
    assert!(world.verifies(winner));
    invariants::hold(&world, &[ALICE]);
}

fn two_registrations_of_one_credential_both_win(version: u32) {
    let world = World::open(version);
    let authenticator = SoftAuthenticator::es256(ALICE.as_bytes());
    let passkeys = [Passkey::new(ALICE), Passkey::with(BOB, authenticator)];
    let head = world.chain.head();
    let [first, second] = passkeys
        .each_ref()
        .map(|passkey| passkey.registration(&head, Edit::None));
    let calls = [
        (RELAYER, Method::Register, first),
        ("testnet", Method::Register, second),
    ];
    assert_eq!(race(&world, calls), [true, true]);
    assert!(passkeys.iter().all(|passkey| world.verifies(passkey)));
    invariants::hold(&world, &[ALICE, BOB]);
}

fn a_registration_and_a_linking_of_one_credential_both_win(version: u32) {
    let world = with_alice(version);
    let carol = Passkey::another(CAROL, "second");
    let second = Passkey::another(ALICE, "second");
    let head = world.chain.head();
    let calls = [
        (
            RELAYER,
            Method::Register,
            carol.registration(&head, Edit::None),
        ),
        (ALICE, Method::Link, second.linking(&head, 2, Edit::None)),
    ];
    assert_eq!(race(&world, calls), [true, true]);
    assert_eq!(world.device_counter(ALICE), 2);
    invariants::hold(&world, &[ALICE, CAROL]);
}

fn of_two_linkings_under_one_number_one_wins(version: u32) {
    let world = with_alice(version);
    let [second, third] = ["second", "third"].map(|seed| {
        let passkey = Passkey::another(ALICE, seed);
        passkey.linking(&world.chain.head(), 2, Edit::None)
    });
    let (balance, stored) = (world.balance(ALICE), world.storage_usage());
    let ids = [second, third].map(|args| {
        let signed = world.sign(ALICE, Method::Link.name(), &args, DEPOSIT);
        let id = world.chain.submit(signed).unwrap();
        // The next call needs the next nonce, so the chain must have seen this one.
        world.chain.produce_block().unwrap();
        id
    });
    world.chain.settle().unwrap();
    let outcomes = ids.map(|id| world.outcome(&id));
    let verified = outcomes
        .each_ref()
        .map(|outcome| outcome.result.as_ref().unwrap()["verified"] == true);
    assert_eq!(verified, [true, false]);
    assert_eq!(world.device_counter(ALICE), 2);
    let cost = u128::from(world.storage_usage() - stored) * STORAGE_BYTE_COST;
    let burnt: u128 = outcomes.iter().map(|outcome| outcome.tokens_burnt).sum();
    assert_eq!(balance - world.balance(ALICE), cost + burnt);
    invariants::hold(&world, &[ALICE]);
}

fn a_reservation_is_neither_shown_nor_linkable(version: u32) {
    let world = with_alice(version);
    let carol = Passkey::new(CAROL);
    let args = carol.registration(&world.chain.head(), Edit::None);
    let signed = world.sign(RELAYER, Method::Register.name(), &args, DEPOSIT);
    world.chain.submit(signed).unwrap();
    // The record exists as soon as the first receipt has run; the answer follows blocks later.
    let reserved = [b"a", CAROL.as_bytes()].concat();
    for _ in 0..10 {
        if world.registry_storage().contains_key(&reserved) {
            break;
        }
        world.chain.produce_block().unwrap();
    }
    assert_eq!(
        world.registry_storage()[&reserved][1],
        0,
        "it is reserved, no more"
    );
    assert_eq!(world.device_counter(CAROL), 0);
    assert_eq!(world.credential_ids(CAROL), json!([]));
    assert!(!world.verifies(&carol));
    let check = Passkey::check(&args);
    let answer = world.view("check_can_register_user", &check).value;
    assert_eq!(answer, json!({"verified": false, "user_exists": true}));

    world.chain.settle().unwrap();
    assert_eq!(world.device_counter(CAROL), 1);
    assert!(world.verifies(&carol));
    invariants::hold(&world, &[ALICE, CAROL]);
}

/// The new account's key can sign as soon as the account exists, before the callback runs.
fn a_new_account_that_deletes_itself_immediately_keeps_its_record(version: u32) {
    let world = with_alice(version);
    let carol = Passkey::new(CAROL);
    let args = carol.registration(&world.chain.head(), Edit::None);
    let (relayer, surplus) = (world.balance(RELAYER), world.surplus());
    let signed = world.sign(RELAYER, Method::Register.name(), &args, DEPOSIT);
    let id = world.chain.submit(signed).unwrap();
    for _ in 0..10 {
        if world.exists(CAROL) {
            break;
        }
        world.chain.produce_block().unwrap();
    }
    let reserved = [b"a", CAROL.as_bytes()].concat();
    assert_eq!(world.registry_storage()[&reserved][1], 0, "not confirmed");
    let deletion = DeleteAccountAction {
        beneficiary_id: BOB.parse().unwrap(),
    };
    let deletion = vec![Action::DeleteAccount(deletion)];
    world
        .chain
        .submit(world.sign_actions(CAROL, CAROL, deletion))
        .unwrap();
    world.chain.settle().unwrap();

    let outcome = world.outcome(&id);
    assert_eq!(outcome.result.unwrap()["verified"], true);
    assert_eq!(
        relayer - world.balance(RELAYER),
        DEPOSIT + outcome.tokens_burnt
    );
    assert!(!world.exists(CAROL));
    assert!(world.surplus() >= surplus);
    assert_eq!(world.device_counter(CAROL), 1, "the name was given");
    invariants::hold(&world, &[ALICE, CAROL]);
}
