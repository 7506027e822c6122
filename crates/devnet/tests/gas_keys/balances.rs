//! Filling a gas key and withdrawing from it.

use super::*;

fn fill_gas(key_length: u128) -> u128 {
    let send = 115_123_062_500 + key_length * 59_357_464;
    let entry = 2 + ALICE.len() as u128 + key_length + 27;
    let execute = 235_676_644_250 + entry * 101_435_400;
    2 * RECEIPT + send + execute
}

#[test]
fn anybody_fills_a_gas_key() {
    for protocol in [85, 88] {
        let chain = open_at(protocol);
        let key = add_filled(&chain, 1, Balance::ZERO);
        let (alice, bob) = (balance(&chain, ALICE), balance(&chain, BOB));
        let outcome = run(&chain, BOB, ALICE, vec![fill_gas_key(&key, near(2))]);
        value(&outcome);
        assert_eq!(burnt(&outcome), yocto(fill_gas(33) * PRICE));
        assert_eq!(key_balance(&chain, &key), near(2));
        assert_eq!(balance(&chain, ALICE), alice);
        let paid = burnt(&outcome).checked_add(near(2)).unwrap();
        assert_eq!(balance(&chain, BOB), minus(bob, paid));
        assert_eq!(held(&chain), chain.total_supply());
    }
}

#[test]
fn a_deposit_for_no_gas_key_comes_back() {
    for protocol in [85, 88] {
        let chain = open_at(protocol);
        for public in [key(ALICE), key("absent")] {
            let bob = balance(&chain, BOB);
            let outcome = run(&chain, BOB, ALICE, vec![fill_gas_key(&public, near(2))]);
            let error = failure(&outcome);
            assert!(error.contains("GasKeyDoesNotExist"), "{error}");
            assert!(error.contains(&public.public_key().to_string()), "{error}");
            assert_eq!(balance(&chain, BOB), minus(bob, burnt(&outcome)));
        }
        let nowhere = run(
            &chain,
            BOB,
            "no.testnet",
            vec![fill_gas_key(&gas_key(), near(2))],
        );
        assert!(failure(&nowhere).contains("AccountDoesNotExist"));
        assert_eq!(held(&chain), chain.total_supply());
    }
}

#[test]
fn the_account_withdraws_what_the_key_holds() {
    for protocol in [85, 88] {
        let chain = open_at(protocol);
        let key = add_filled(&chain, 1, near(3));
        let alice = balance(&chain, ALICE);
        let outcome = run(&chain, ALICE, ALICE, vec![withdraw(&key, near(2))]);
        value(&outcome);
        assert_eq!(burnt(&outcome), yocto(fill_gas(33) * PRICE));
        assert_eq!(key_balance(&chain, &key), near(1));
        let after = minus(alice.checked_add(near(2)).unwrap(), burnt(&outcome));
        assert_eq!(balance(&chain, ALICE), after);

        let error = failure(&run(&chain, ALICE, ALICE, vec![withdraw(&key, near(2))]));
        assert!(error.contains("InsufficientGasKeyBalance"), "{error}");
        let error = failure(&run(&chain, BOB, ALICE, vec![withdraw(&key, near(1))]));
        assert!(error.contains("ActorNoPermission"), "{error}");
        let error = failure(&run(
            &chain,
            ALICE,
            ALICE,
            vec![withdraw(&super::key(ALICE), near(1))],
        ));
        assert!(error.contains("GasKeyDoesNotExist"), "{error}");
        assert_eq!(key_balance(&chain, &key), near(1));
        assert_eq!(held(&chain), chain.total_supply());
    }
}

#[test]
fn a_withdrawal_that_the_key_itself_signs_leaves_the_gas_that_it_bought() {
    let chain = open();
    let key = add_filled(&chain, 1, near(1));
    let error = failure(&run_on_lane(
        &chain,
        &key,
        0,
        ALICE,
        vec![withdraw(&key, near(1))],
    ));
    assert!(error.contains("InsufficientGasKeyBalance"), "{error}");
    // 5 millinear are more than its gas costs.
    let most = minus(key_balance(&chain, &key), Balance::from_millinear(5));
    value(&run_on_lane(
        &chain,
        &key,
        0,
        ALICE,
        vec![withdraw(&key, most)],
    ));
    assert!(key_balance(&chain, &key) < Balance::from_millinear(5));
    assert_eq!(held(&chain), chain.total_supply());
}

#[test]
fn a_delegate_action_withdraws_until_protocol_87_and_fills_always() {
    for protocol in [85, 86, 87, 88] {
        let chain = open_at(protocol);
        let key = add_filled(&chain, 1, near(1));
        let fill = delegate(
            &chain,
            &super::key(ALICE),
            2,
            ALICE,
            vec![fill_gas_key(&key, near(2))],
        );
        value(&run(&chain, RELAYER, ALICE, vec![fill]));
        assert_eq!(key_balance(&chain, &key), near(3));

        let nested = delegate(
            &chain,
            &super::key(ALICE),
            3,
            ALICE,
            vec![withdraw(&key, near(1))],
        );
        if protocol < 87 {
            let outcome = run(&chain, RELAYER, ALICE, vec![nested]);
            value(&outcome);
            assert_eq!(failures(&outcome), 0);
            assert_eq!(key_balance(&chain, &key), near(2));
        } else {
            let signed = sign(&chain, RELAYER, ALICE, vec![nested]);
            let error = ActionsValidationError::WithdrawFromGasKeyNotAllowedInDelegate;
            let expected = InvalidTxError::ActionsValidation(error);
            assert_eq!(refused(&chain, signed), expected);
        }
        assert_eq!(held(&chain), chain.total_supply());
    }
}

#[test]
fn a_contract_adds_and_fills_gas_keys_from_protocol_85() {
    let code = wat::parse_str(include_str!("../common/gas_keys.wat")).unwrap();
    for protocol in [84, 85, 88] {
        let chain = open_at(protocol);
        value(&run(&chain, ALICE, ALICE, vec![deploy(code.clone())]));
        let ask = |method: &str, key: &SecretKey| {
            let key = borsh::to_vec(&key.public_key()).unwrap();
            run(&chain, BOB, ALICE, vec![call(method, &key)])
        };
        if protocol == 84 {
            // The import does not exist.
            let error = failure(&ask("add", &gas_key()));
            assert!(error.contains("unknown or invalid import"), "{error}");
            continue;
        }
        value(&ask("add", &gas_key()));
        assert_eq!(lane_nonces(&chain, &gas_key()).len(), 3);
        let calls = key("for calls");
        value(&ask("add_for_calls", &calls));
        assert_eq!(lane_nonces(&chain, &calls).len(), 2);

        let alice = balance(&chain, ALICE);
        let outcome = ask("fill", &gas_key());
        value(&outcome);
        assert_eq!(key_balance(&chain, &gas_key()), near(1));
        if protocol == 88 {
            assert_eq!(balance(&chain, ALICE), minus(alice, near(1)));
        }
        let error = failure(&ask("fill", &key("absent")));
        assert!(error.contains("GasKeyDoesNotExist"), "{error}");
        assert_eq!(held(&chain), chain.total_supply());
    }
}
