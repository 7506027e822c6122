//! Counters, maps, limits and balances stay consistent after any sequence of calls.

use std::collections::{BTreeMap, BTreeSet};

use latchkey_contract_tests::{DEPOSIT, Edit, Method, Passkey, RELAYER, World, at_each_protocol};
use latchkey_devnet::{REGISTRY, development_key};
use latchkey_webauthn::testing::SoftAuthenticator;
use near_crypto::PublicKey;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::invariants;

at_each_protocol![any_history_keeps_everything_consistent];

/// Two accounts that the registry creates, and two existing ones that join.
const ACCOUNTS: [&str; 4] = [
    "anna.w3a-v1.testnet",
    "bert.w3a-v1.testnet",
    "testnet",
    RELAYER,
];
const AUTHENTICATORS: usize = 5;
const DEVICE_KEYS: usize = 3;
/// The maximum number of authenticators per account in this test.
const LIMIT: usize = 3;
/// Blocks after which a mapping expires.
const LINK_LIFETIME: u64 = 200;
/// More blocks than one call takes.
const CALL_BLOCKS: u64 = 10;

/// One call, or some blocks without calls. Numbers select accounts, authenticators, device keys and list
/// entries.
#[derive(Debug, Clone, Copy)]
enum Step {
    Register {
        account: usize,
        authenticator: usize,
    },
    Link {
        account: usize,
        authenticator: usize,
    },
    Remove {
        account: usize,
        authenticator: usize,
    },
    StoreMapping {
        account: usize,
        key: usize,
    },
    CleanUp {
        account: usize,
        key: usize,
    },
    Add {
        list: usize,
        entry: usize,
    },
    Drop {
        list: usize,
        entry: usize,
    },
    Greet {
        bytes: usize,
    },
    Wait {
        blocks: u64,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let of = |account: usize, authenticator: usize| (0..account, 0..authenticator);
    let with_authenticator = || of(ACCOUNTS.len(), AUTHENTICATORS);
    let with_key = || of(ACCOUNTS.len(), DEVICE_KEYS);
    prop_oneof![
        2 => of(2, AUTHENTICATORS)
            .prop_map(|(account, authenticator)| Step::Register { account, authenticator }),
        5 => with_authenticator()
            .prop_map(|(account, authenticator)| Step::Link { account, authenticator }),
        3 => with_authenticator()
            .prop_map(|(account, authenticator)| Step::Remove { account, authenticator }),
        4 => with_key().prop_map(|(account, key)| Step::StoreMapping { account, key }),
        2 => with_key().prop_map(|(account, key)| Step::CleanUp { account, key }),
        1 => of(2, 3).prop_map(|(list, entry)| Step::Add { list, entry }),
        1 => of(2, 3).prop_map(|(list, entry)| Step::Drop { list, entry }),
        1 => (0..290_usize).prop_map(|bytes| Step::Greet { bytes }),
        2 => (20..150_u64).prop_map(|blocks| Step::Wait { blocks }),
    ]
}

/// The expected content of the registry.
#[derive(Default)]
struct Model {
    /// The authenticators of each account, oldest first.
    held: [Vec<usize>; 4],
    counters: [u8; 4],
    /// The account of each device key whose mapping is neither removed nor expired.
    mappings: BTreeMap<usize, usize>,
    /// The height below which each of them was stored.
    stored_below: BTreeMap<usize, u64>,
    lists: [BTreeSet<String>; 2],
}

impl Model {
    fn is_registered(&self, account: usize) -> bool {
        !self.held[account].is_empty()
    }

    fn is_new(&self, account: usize, authenticator: usize) -> bool {
        !self.held[account].contains(&authenticator)
    }
}

fn passkey(account: usize, authenticator: usize) -> Passkey {
    let seed = format!("authenticator {authenticator}");
    Passkey::with(ACCOUNTS[account], SoftAuthenticator::es256(seed.as_bytes()))
}

fn device_key(key: usize) -> PublicKey {
    development_key(&format!("device {key}")).public_key()
}

/// Takes a step on the chain and in the model, and compares the answers.
fn take(step: Step, world: &World, model: &mut Model) {
    pass_expiry(world, model);
    let head = world.chain.head();
    match step {
        Step::Register {
            account,
            authenticator,
        } => {
            let args = passkey(account, authenticator).registration(&head, Edit::None);
            let fits = !model.is_registered(account);
            let outcome = world.call(RELAYER, Method::Register.name(), &args, DEPOSIT);
            assert_eq!(outcome.result.unwrap()["verified"], fits);
            if fits {
                model.held[account].push(authenticator);
                model.counters[account] = 1;
                world.fund(ACCOUNTS[account]);
            }
        }
        Step::Link {
            account,
            authenticator,
        } => {
            // An account that does not exist yet cannot sign.
            if account < 2 && !model.is_registered(account) {
                return;
            }
            let number = model.counters[account] + 1;
            // Every other passkey exists already.
            let (method, args) = if authenticator % 2 == 0 {
                let args = passkey(account, authenticator).linking(&head, number, Edit::None);
                (Method::Link, args)
            } else {
                let args = passkey(account, authenticator).existing(&head, number, Edit::None);
                (Method::RegisterExisting, args)
            };
            let fits = model.is_new(account, authenticator) && model.held[account].len() < LIMIT;
            let outcome = world.call(ACCOUNTS[account], method.name(), &args, DEPOSIT);
            assert_eq!(outcome.result.unwrap()["verified"], fits);
            if fits {
                model.held[account].push(authenticator);
                model.counters[account] = number;
            }
        }
        Step::Remove {
            account,
            authenticator,
        } => {
            if account < 2 && !model.is_registered(account) {
                return;
            }
            let args = json!({"credential_id": passkey(account, authenticator).credential_id()});
            let outcome = world.call(ACCOUNTS[account], "remove_authenticator", &args, 1);
            let is_held = model.held[account].contains(&authenticator);
            if is_held && model.held[account].len() == 1 {
                let failure = outcome.result.unwrap_err();
                assert!(failure.contains("last authenticator"), "{failure}");
            } else {
                assert_eq!(outcome.result, Ok(json!(is_held)));
                model.held[account].retain(|kept| *kept != authenticator);
            }
        }
        Step::StoreMapping { account, key } => {
            if account < 2 && !model.is_registered(account) {
                return;
            }
            world.store_mapping(ACCOUNTS[account], &device_key(key));
            let is_free = model.mappings.get(&key).is_none_or(|&of| of == account);
            if model.is_registered(account) && is_free {
                model.mappings.retain(|_, of| *of != account);
                model.mappings.insert(key, account);
                model.stored_below.insert(key, world.chain.head().height);
            }
        }
        Step::CleanUp { account, key } => {
            if account < 2 && !model.is_registered(account) {
                return;
            }
            let args = json!({"device_public_key": device_key(key).to_string()});
            let outcome = world.call(ACCOUNTS[account], "cleanup_device_linking", &args, 0);
            match model.mappings.get(&key) {
                None => assert_eq!(outcome.result, Ok(json!(false))),
                Some(&of) if of == account => {
                    assert_eq!(outcome.result, Ok(json!(true)));
                    model.mappings.remove(&key);
                }
                Some(_) => assert!(
                    outcome
                        .result
                        .unwrap_err()
                        .contains("only the linked account")
                ),
            }
        }
        Step::Add { list, entry } => {
            let (noun, origin) = listed(list, entry);
            let args = json!({"origin": origin});
            let added = world.expect(REGISTRY, &format!("add_allowed_{noun}"), &args);
            assert_eq!(added, model.lists[list].insert(origin));
        }
        Step::Drop { list, entry } => {
            let (noun, origin) = listed(list, entry);
            let args = json!({"origin": origin});
            let dropped = world.expect(REGISTRY, &format!("remove_allowed_{noun}"), &args);
            assert_eq!(dropped, model.lists[list].remove(&origin));
        }
        Step::Greet { bytes } => {
            let args = json!({"greeting": "x".repeat(bytes)});
            let outcome = world.call(RELAYER, "set_greeting", &args, 0);
            assert_eq!(outcome.result.is_ok(), bytes <= 280);
        }
        Step::Wait { blocks } => {
            world.chain.produce_blocks(blocks).unwrap();
        }
    }
}

/// Lets a mapping expire that would do so during the next call, whose answer would then be open.
fn pass_expiry(world: &World, model: &mut Model) {
    let height = world.chain.head().height;
    let expires = |key: &usize| {
        let stored_below = model.stored_below[key];
        height + CALL_BLOCKS >= stored_below - CALL_BLOCKS + LINK_LIFETIME
    };
    if model.mappings.keys().any(expires) {
        world.chain.produce_blocks(3 * CALL_BLOCKS).unwrap();
        compare(world, model);
    }
}

fn listed(list: usize, entry: usize) -> (&'static str, String) {
    (["origin", "host"][list], format!("https://{entry}.example"))
}

/// Compares the chain with the model. Removes mappings that have expired on the chain from the model,
/// which does not count blocks.
fn compare(world: &World, model: &mut Model) {
    for (account, id) in ACCOUNTS.iter().enumerate() {
        let ids: Vec<String> = model.held[account]
            .iter()
            .map(|authenticator| passkey(account, *authenticator).credential_id())
            .collect();
        assert_eq!(world.credential_ids(id), json!(ids));
        assert_eq!(world.device_counter(id), model.counters[account]);
        assert!(ids.len() <= LIMIT);
    }
    for key in 0..DEVICE_KEYS {
        let shown = world.mapping(&device_key(key));
        match model.mappings.get(&key) {
            Some(&of) if shown != Value::Null => {
                assert_eq!(shown, json!([ACCOUNTS[of], model.counters[of]]));
            }
            _ => {
                assert_eq!(shown, Value::Null);
                model.mappings.remove(&key);
            }
        }
    }
    for (list, entries) in model.lists.iter().enumerate() {
        let (noun, _) = listed(list, 0);
        let shown = world.view(&format!("get_allowed_{noun}s"), &json!({}));
        assert_eq!(shown.value, json!(entries));
    }
}

fn any_history_keeps_everything_consistent(version: u32) {
    let config = ProptestConfig {
        cases: 6,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let histories = proptest::collection::vec(step(), 20..30);
    let kept = TestRunner::new(config).run(&histories, |steps| {
        let world = World::open(version);
        let settings = json!({"max_block_age": 20, "enabled": true,
            "max_authenticators_per_account": LIMIT});
        world.expect(REGISTRY, "set_vrf_settings", &json!({"settings": settings}));
        let mut model = Model::default();
        // The registry's balance beyond its storage cost and the prepaid links.
        let own = |world: &World| world.surplus() - invariants::hold(world, &ACCOUNTS);
        let mut before = own(&world);
        for step in steps {
            let balance = world.balance(REGISTRY);
            take(step, &world, &mut model);
            compare(&world, &mut model);
            // The registry itself pays for lists and greeting.
            let after = own(&world);
            let is_its_own = matches!(
                step,
                Step::Add { .. } | Step::Drop { .. } | Step::Greet { .. }
            );
            if is_its_own {
                assert!(world.balance(REGISTRY) <= balance || version < 87);
            } else if version >= 87 {
                // A mapping and a removal leave the 1 yoctoNEAR that they want.
                let most = match step {
                    Step::StoreMapping { .. } | Step::Remove { .. } => before + 1,
                    _ => before,
                };
                assert!((before..=most).contains(&after), "{step:?}");
            } else {
                assert!(after >= before, "{step:?}");
            }
            before = after;
        }
        Ok(())
    });
    kept.unwrap();
}
