//! With any amount of attached gas, a call succeeds in full or changes nothing, and strands neither a
//! reservation nor a deposit.
// Specification: core 1

use latchkey_contract_tests::{DEPOSIT, Edit, Method, Passkey, RELAYER, World, at_each_protocol};
use latchkey_devnet::{REGISTRY, development_key};
use near_primitives::types::Gas;
use serde_json::{Value, json};

use crate::{ALICE, invariants, with_alice};

at_each_protocol![
    a_registration_is_all_or_nothing_at_any_gas,
    a_linking_is_all_or_nothing_at_any_gas,
    an_existing_passkey_s_registration_is_all_or_nothing_at_any_gas,
    a_removal_is_all_or_nothing_at_any_gas,
    a_mapping_is_all_or_nothing_at_any_gas,
];

/// The gas that the relay attaches, in Ggas: more than enough.
const ENOUGH: u64 = 85_000;

/// Tries amounts of gas from very little to more than enough: first in steps of 1 Tgas, then by bisection
/// to the least that suffices. `attempt` returns whether the call succeeded.
fn sweep(mut attempt: impl FnMut(Gas) -> bool) {
    let mut attempt = |gigagas: u64| attempt(Gas::from_gigagas(gigagas));
    let ends: Vec<bool> = (1..=45).map(|teragas| attempt(teragas * 1_000)).collect();
    assert!(ends.is_sorted(), "more gas never hurts");
    let (mut little, mut enough) = (0, ENOUGH);
    assert!(attempt(enough));
    while enough - little > 10 {
        let middle = u64::midpoint(little, enough);
        if attempt(middle) {
            enough = middle;
        } else {
            little = middle;
        }
    }
    println!("{:.2} Tgas are enough", enough as f64 / 1e3);
}

/// Runs a call with this gas and returns whether it succeeded. If not, checks that nothing changed and
/// that the signer paid only for gas.
fn carried_out(
    world: &World,
    signer: &str,
    (method, args, deposit): (&str, &Value, u128),
    gas: Gas,
    success: impl Fn(&Value) -> bool,
) -> bool {
    let (before, state) = (world.balance(signer), world.snapshot(signer));
    let signed = world.sign_with_gas(signer, method, args, deposit, gas);
    let outcome = world.run(signed);
    let done = outcome.result.as_ref().is_ok_and(success);
    if !done {
        assert_eq!(
            before - world.balance(signer),
            outcome.tokens_burnt,
            "{gas}"
        );
        assert!(world.snapshot(signer) == state, "{gas}");
    }
    done
}

fn is_verified(answer: &Value) -> bool {
    answer["verified"] == true
}

fn a_registration_is_all_or_nothing_at_any_gas(version: u32) {
    let world = World::open(version);
    let mut registered = Vec::new();
    sweep(|gas| {
        let alice = Passkey::new(&format!("a{}.{REGISTRY}", gas.as_gas()));
        let args = alice.registration(&world.chain.head(), Edit::None);
        let call = (Method::Register.name(), &args, DEPOSIT);
        let done = carried_out(&world, RELAYER, call, gas, is_verified);
        assert_eq!(world.exists(&alice.account), done, "{gas}");
        if done {
            registered.push(alice.account);
        }
        done
    });
    let registered: Vec<&str> = registered.iter().map(String::as_str).collect();
    invariants::hold(&world, &registered);
}

fn a_linking_is_all_or_nothing_at_any_gas(version: u32) {
    a_further_device_is_all_or_nothing(version, Method::Link);
}

fn an_existing_passkey_s_registration_is_all_or_nothing_at_any_gas(version: u32) {
    a_further_device_is_all_or_nothing(version, Method::RegisterExisting);
}

fn a_further_device_is_all_or_nothing(version: u32, method: Method) {
    let world = with_alice(version);
    let second = Passkey::another(ALICE, "second");
    sweep(|gas| {
        let number = world.device_counter(ALICE).as_u64().unwrap() + 1;
        let number = u8::try_from(number).unwrap();
        let head = world.chain.head();
        let args = if method == Method::Link {
            second.linking(&head, number, Edit::None)
        } else {
            second.existing(&head, number, Edit::None)
        };
        let call = (method.name(), &args, DEPOSIT);
        let done = carried_out(&world, ALICE, call, gas, is_verified);
        if done {
            let args = json!({"credential_id": second.credential_id()});
            world.expect(ALICE, "remove_authenticator", &args);
        }
        done
    });
    invariants::hold(&world, &[ALICE]);
}

fn a_removal_is_all_or_nothing_at_any_gas(version: u32) {
    let world = with_alice(version);
    let second = Passkey::another(ALICE, "second");
    world.link(&second, 2);
    let mut number = 2;
    sweep(|gas| {
        let args = json!({"credential_id": second.credential_id()});
        let call = ("remove_authenticator", &args, 1);
        let done = carried_out(&world, ALICE, call, gas, |answer| *answer == true);
        if done {
            number += 1;
            world.link(&second, number);
        }
        done
    });
    invariants::hold(&world, &[ALICE]);
}

fn a_mapping_is_all_or_nothing_at_any_gas(version: u32) {
    let world = with_alice(version);
    let device = development_key("device 2").public_key();
    let stored = world.registry_storage();
    sweep(|gas| {
        let args = json!({
            "device_public_key": device.to_string(),
            "target_account_id": ALICE,
        });
        let signed = world.sign_with_gas(ALICE, "store_device_linking_mapping", &args, 1, gas);
        world.chain.submit(signed).unwrap();
        world.chain.settle().unwrap();
        let done = world.mapping(&device) == json!([ALICE, 1]);
        invariants::hold(&world, &[ALICE]);
        // The chain's own call has its own gas, however little was left.
        world.chain.produce_blocks(210).unwrap();
        assert!(world.registry_storage() == stored, "{gas}");
        done
    });
}
