//! Adding and deleting gas keys, and how views show them.

use super::*;

#[test]
fn a_new_gas_key_has_no_balance_and_lanes_that_begin_at_the_height() {
    for protocol in [85, 88] {
        let chain = open_at(protocol);
        let (full, calls) = (gas_key(), key("for calls"));
        let permission = calls_of(BOB, &["echo", "set"]);
        let actions = vec![
            add_gas_key(&full, 3),
            add_gas_key_for(&calls, 2, permission),
        ];
        // ALICE's receipt to itself runs in the block of its transaction.
        let height = chain.head().height + 1;
        value(&run(&chain, ALICE, ALICE, actions));
        let first = (height - 1) * 1_000_000;
        assert_eq!(lane_nonces(&chain, &full), [first; 3]);
        assert_eq!(lane_nonces(&chain, &calls), [first; 2]);
        let view = |key: &SecretKey| {
            chain
                .view_access_key(&id(ALICE), &key.public_key())
                .unwrap()
        };
        assert_eq!(view(&full).nonce, 0);
        assert_eq!(
            view(&full).permission,
            AccessKeyPermissionView::GasKeyFullAccess {
                balance: Balance::ZERO,
                num_nonces: 3
            }
        );
        assert_eq!(
            view(&calls).permission,
            AccessKeyPermissionView::GasKeyFunctionCall {
                balance: Balance::ZERO,
                num_nonces: 2,
                allowance: None,
                receiver_id: BOB.to_owned(),
                method_names: vec!["echo".to_owned(), "set".to_owned()],
            }
        );
    }
}

#[test]
fn five_lanes_beside_a_full_access_key_need_no_balance_and_six_do() {
    for protocol in [85, 88] {
        let chain = open_at(protocol);
        let make = |name: &str, lanes| {
            let actions = vec![
                create(),
                add_full_key(&key(name)),
                add_gas_key(&gas_key(), lanes),
            ];
            run(&chain, ALICE, name, actions)
        };
        // The account 100 bytes, its key 82, the gas key 100, each lane 83; 770 are free.
        value(&make("five.alice.testnet", 5));
        let view = chain.view_account(&id("five.alice.testnet")).unwrap();
        assert_eq!((view.storage_usage, view.amount), (697, Balance::ZERO));
        let error = failure(&make("six.alice.testnet", 6));
        assert!(
            error.contains(r#""amount":"7800000000000000000000""#),
            "{error}"
        );
    }
}

#[test]
fn adding_one_costs_its_key_and_each_of_its_lanes() {
    for (protocol, lanes) in [(85, 1), (88, 4), (88, 1_024)] {
        let chain = open_at(protocol);
        let outcome = run(&chain, ALICE, ALICE, vec![add_gas_key(&gas_key(), lanes)]);
        let add_key = 2 * 101_765_125_000;
        let info = 18 * 59_357_464;
        // A lane's entry: the column twice, account, key, index and nonce.
        let bytes = 2 + ALICE.len() as u128 + 33 + 2 + 8;
        let lane = 64_196_736_000 + bytes * 101_435_400;
        let gas = 2 * RECEIPT + add_key + info + u128::from(lanes) * lane;
        assert_eq!(burnt(&outcome), yocto(gas * PRICE), "{lanes} lanes");
    }
}

#[test]
fn refuses_a_balance_an_allowance_or_lanes_beyond_1_to_1024() {
    let chain = open();
    let refusal = |action| refused_actions(&chain, ALICE, vec![action]);
    for requested_nonces in [0, 1_025] {
        assert_eq!(
            refusal(add_gas_key(&gas_key(), requested_nonces)),
            ActionsValidationError::GasKeyInvalidNumNonces {
                requested_nonces,
                limit: 1_024
            }
        );
    }
    let mut with_balance = AccessKey::gas_key_full_access(1);
    with_balance.gas_key_info_mut().unwrap().balance = yocto(1);
    let with_balance = Action::AddKey(Box::new(AddKeyAction {
        public_key: gas_key().public_key(),
        access_key: with_balance,
    }));
    assert_eq!(
        refusal(with_balance),
        ActionsValidationError::AddGasKeyWithNonZeroBalance { balance: yocto(1) }
    );
    let permission = FunctionCallPermission {
        allowance: Some(near(1)),
        ..calls_of(BOB, &[])
    };
    assert_eq!(
        refusal(add_gas_key_for(&gas_key(), 1, permission)),
        ActionsValidationError::GasKeyFunctionCallAllowanceNotAllowed
    );
}

#[test]
fn protocol_84_names_the_feature_that_it_lacks() {
    let chain = open_at(84);
    let key = gas_key();
    for action in [
        add_gas_key(&key, 1),
        add_gas_key_for(&key, 1, calls_of(BOB, &[])),
        fill_gas_key(&key, near(1)),
        withdraw(&key, near(1)),
    ] {
        assert_eq!(
            refused_actions(&chain, ALICE, vec![action]),
            ActionsValidationError::UnsupportedProtocolFeature {
                protocol_feature: "GasKeys".to_owned(),
                version: 84
            }
        );
    }
}

#[test]
fn one_public_key_is_a_plain_key_or_a_gas_key() {
    let chain = open();
    let key = add_filled(&chain, 1, near(1));
    for again in [add_full_key(&key), add_gas_key(&key, 2)] {
        let error = failure(&run(&chain, ALICE, ALICE, vec![again]));
        assert!(error.contains("AddKeyAlreadyExists"), "{error}");
    }
    assert_eq!(lane_nonces(&chain, &key).len(), 1);
}

#[test]
fn a_deleted_key_takes_its_lanes_along_and_burns_up_to_one_near() {
    for protocol in [85, 88] {
        let chain = open_at(protocol);
        let before = chain.view_account(&id(ALICE)).unwrap().storage_usage;
        let key = add_filled(&chain, 3, near(1));
        let outcome = run(&chain, ALICE, ALICE, vec![delete_key(&key)]);
        value(&outcome);
        let gas = 2 * RECEIPT + 2 * 94_946_625_000;
        let burns = near(1).checked_add(yocto(gas * PRICE)).unwrap();
        assert_eq!(burnt(&outcome), burns);
        assert_eq!(held(&chain), chain.total_supply());
        let after = chain.view_account(&id(ALICE)).unwrap();
        assert_eq!(after.storage_usage, before);
        assert!(
            chain
                .view_gas_key_nonces(&id(ALICE), &key.public_key())
                .is_err()
        );
        // None of its lanes is left for a plain key of the same public key.
        value(&run(&chain, ALICE, ALICE, vec![add_full_key(&key)]));
        for lane in 0..3 {
            let missing = InvalidTxError::InvalidNonceIndex {
                tx_nonce_index: Some(lane),
                num_nonces: 0,
            };
            let (nonce, monotonic) = (u64::MAX, NonceMode::Monotonic);
            let signed = on_lane(&chain, &key, (nonce, lane), monotonic, vec![]);
            assert_eq!(refused(&chain, signed), missing);
        }
        value(&run(&chain, ALICE, ALICE, vec![delete_key(&key)]));
        // A key added again begins above what its first life used.
        value(&run(&chain, ALICE, ALICE, vec![add_gas_key(&key, 1)]));
        assert_eq!(
            lane_nonces(&chain, &key),
            [(chain.head().height - 2) * 1_000_000]
        );
    }
}

#[test]
fn a_key_with_more_than_one_near_is_not_deleted_until_it_is_withdrawn() {
    let chain = open();
    let key = add_filled(&chain, 2, near(1));
    // Anybody can put one yocto too much on it.
    value(&run(&chain, BOB, ALICE, vec![fill_gas_key(&key, yocto(1))]));
    let error = failure(&run(&chain, ALICE, ALICE, vec![delete_key(&key)]));
    let public_key = key.public_key();
    let expected = format!(
        r#"{{"ActionError":{{"index":0,"kind":{{"GasKeyBalanceTooHigh":{{"account_id":"alice.testnet","balance":"1000000000000000000000001","public_key":"{public_key}"}}}}}}}}"#
    );
    let parse = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(parse(&error), parse(&expected));
    assert_eq!(lane_nonces(&chain, &key).len(), 2);

    let before = balance(&chain, ALICE);
    let actions = vec![withdraw(&key, near(1)), delete_key(&key)];
    let outcome = run(&chain, ALICE, ALICE, actions);
    value(&outcome);
    // One yocto burns with the key.
    let after = minus(before.checked_add(near(1)).unwrap(), burnt(&outcome));
    assert_eq!(balance(&chain, ALICE), after.checked_add(yocto(1)).unwrap());
    assert_eq!(held(&chain), chain.total_supply());
}

#[test]
fn a_deleted_account_burns_up_to_one_near_of_all_its_gas_keys() {
    for protocol in [85, 88] {
        let chain = open_at(protocol);
        let key = add_filled(&chain, 1, Balance::from_millinear(600));
        let second = super::key("another gas key");
        let half = Balance::from_millinear(500);
        let actions = vec![add_gas_key(&second, 1), fill_gas_key(&second, half)];
        value(&run(&chain, ALICE, ALICE, actions));
        let error = failure(&run(&chain, ALICE, ALICE, vec![delete_account(BOB)]));
        assert!(
            error.contains(r#""balance":"1100000000000000000000000","public_key":null"#)
                || error.contains(r#""public_key":null,"balance":"1100000000000000000000000""#),
            "{error}"
        );
        let tenth = Balance::from_millinear(100);
        let actions = vec![withdraw(&key, tenth), delete_account(BOB)];
        let outcome = run(&chain, ALICE, ALICE, actions);
        value(&outcome);
        assert!(burnt(&outcome) > near(1) && burnt(&outcome) < Balance::from_millinear(1_001));
        assert!(chain.view_account(&id(ALICE)).is_err());
        assert_eq!(held(&chain), chain.total_supply());
        let left = chain.state_root_dump();
        assert!(!left.keys().any(|key| {
            key.windows(ALICE.len())
                .any(|part| part == ALICE.as_bytes())
        }));
    }
}

#[test]
fn the_rpc_lists_a_gas_key_once_and_shows_its_lanes() {
    let server = Server::start();
    let chain = &server.chain;
    let key = add_filled(chain, 4, near(2));
    let query = |request: &str, fields: serde_json::Value| {
        let mut params = json!({ "request_type": request, "finality": "final" });
        params
            .as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        server.rpc("query", params).unwrap().json()
    };
    let public_key = key.public_key().to_string();
    let permission = json!({ "GasKeyFullAccess": { "balance": near(2), "num_nonces": 4 } });
    let named = json!({ "account_id": ALICE, "public_key": public_key });
    let view = query("view_access_key", named.clone());
    assert_eq!(view["result"]["permission"], permission);
    let list = query("view_access_key_list", json!({ "account_id": ALICE }));
    let keys = list["result"]["keys"].as_array().unwrap();
    assert_eq!(keys.len(), 2);
    assert!(keys.contains(&json!({
        "public_key": public_key, "access_key": { "nonce": 0, "permission": permission },
    })));
    let nonces = query("view_gas_key_nonces", named);
    assert_eq!(nonces["result"]["nonces"], json!(lane_nonces(chain, &key)));

    let plain = super::key(ALICE).public_key().to_string();
    let absent = super::key("absent").public_key().to_string();
    for public_key in [plain, absent] {
        let named = json!({ "account_id": ALICE, "public_key": public_key });
        let error = query("view_gas_key_nonces", named)["error"].clone();
        assert_eq!(error["cause"]["name"], "UNKNOWN_GAS_KEY");
        assert_eq!(error["cause"]["info"]["public_key"], public_key);
    }
}

#[test]
fn the_pages_describe_gas_keys_and_their_actions() {
    let server = Server::start();
    let chain = &server.chain;
    let key = gas_key();
    let actions = vec![
        add_gas_key(&key, 4),
        fill_gas_key(&key, near(2)),
        withdraw(&key, near(1)),
    ];
    let signed = sign(chain, ALICE, ALICE, actions);
    let transaction = signed.get_hash();
    value(&chain.run(signed).unwrap());
    let page = server.get(&format!("/transactions/{transaction}")).body;
    for text in ["gas key with full access, 4 lanes", "Send", "Withdraw"] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let page = server.get(&format!("/address/{ALICE}")).body;
    assert!(page.contains("1 NEAR of gas left"), "{page}");
    assert!(page.contains("fill gas key"), "{page}");
}
