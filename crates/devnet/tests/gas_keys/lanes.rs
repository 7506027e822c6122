//! Transactions on a lane: nonces, and who pays for what.

use latchkey_devnet::TransactionStatus;
use near_primitives::errors::DepositCostFailureReason;
use near_primitives::views::TxExecutionStatus;

use super::*;

/// The gas of a transfer to an account that exists, half to send and half to execute.
const TRANSFER: u128 = 2 * (RECEIPT + 115_123_062_500);

#[test]
fn the_key_pays_for_gas_and_the_account_for_deposits() {
    for protocol in [85, 88] {
        let chain = open_at(protocol);
        let key = add_filled(&chain, 2, near(1));
        let (alice, supply) = (balance(&chain, ALICE), chain.total_supply());
        let outcome = run_on_lane(&chain, &key, 1, BOB, vec![transfer(near(3))]);
        value(&outcome);
        assert_eq!(burnt(&outcome), yocto(TRANSFER * PRICE));
        assert_eq!(balance(&chain, ALICE), minus(alice, near(3)));
        assert_eq!(balance(&chain, BOB), near(103));
        assert_eq!(key_balance(&chain, &key), minus(near(1), burnt(&outcome)));
        assert_eq!(chain.total_supply(), minus(supply, burnt(&outcome)));
        assert_eq!(held(&chain), chain.total_supply());
    }
}

#[test]
fn each_lane_has_a_nonce_of_its_own() {
    for protocol in [85, 88] {
        let chain = open_at(protocol);
        let key = add_filled(&chain, 3, near(1));
        let first = lane_nonces(&chain, &key)[0];
        let pay = |nonce, lane| {
            let actions = vec![transfer(near(1))];
            on_lane(&chain, &key, (nonce, lane), NonceMode::Monotonic, actions)
        };
        // One nonce on each lane, all in one block.
        for lane in 0..3 {
            chain.submit(pay(first + 5, lane)).unwrap();
        }
        chain.settle().unwrap();
        assert_eq!(balance(&chain, BOB), near(103));
        assert_eq!(lane_nonces(&chain, &key), [first + 5; 3]);

        value(&chain.run(pay(first + 9, 1)).unwrap());
        assert_eq!(lane_nonces(&chain, &key), [first + 5, first + 9, first + 5]);
        assert_eq!(
            refused(&chain, pay(first + 9, 1)),
            InvalidTxError::InvalidNonce {
                tx_nonce: first + 9,
                ak_nonce: first + 9
            }
        );
        let upper_bound = chain.head().height * 1_000_000;
        assert_eq!(
            refused(&chain, pay(upper_bound, 0)),
            InvalidTxError::NonceTooLarge {
                tx_nonce: upper_bound,
                upper_bound
            }
        );
        let strict = |nonce| {
            let actions = vec![transfer(near(1))];
            on_lane(&chain, &key, (nonce, 2), NonceMode::Strict, actions)
        };
        let ak_nonce = first + 5;
        assert_eq!(
            refused(&chain, strict(first + 7)),
            InvalidTxError::InvalidNonce {
                tx_nonce: first + 7,
                ak_nonce
            }
        );
        value(&chain.run(strict(first + 6)).unwrap());
    }
}

#[test]
fn a_gas_key_signs_on_its_lanes_only() {
    let chain = open();
    let key = add_filled(&chain, 2, near(1));
    let nonce = lane_nonces(&chain, &key)[0] + 1;
    let beyond = on_lane(&chain, &key, (nonce, 2), NonceMode::Monotonic, vec![]);
    assert_eq!(
        refused(&chain, beyond),
        InvalidTxError::InvalidNonceIndex {
            tx_nonce_index: Some(2),
            num_nonces: 2
        }
    );
    let without_lane = InvalidTxError::InvalidNonceIndex {
        tx_nonce_index: None,
        num_nonces: 2,
    };
    let version_0 = sign_as(&chain, ALICE, &key, BOB, nonce, vec![transfer(near(1))]);
    assert_eq!(refused(&chain, version_0), without_lane);
    let plain = (TransactionNonce::from_nonce(nonce), NonceMode::Monotonic);
    let version_1 = sign_v1(&chain, ALICE, &key, BOB, plain, vec![transfer(near(1))]);
    assert_eq!(refused(&chain, version_1), without_lane);

    let unknown = on_lane(
        &chain,
        &super::key(BOB),
        (nonce, 0),
        NonceMode::Monotonic,
        vec![],
    );
    let error = format!("{:?}", refused(&chain, unknown));
    assert!(error.contains("AccessKeyNotFound"), "{error}");
}

#[test]
fn a_key_that_cannot_buy_the_gas_is_refused_to_the_yocto() {
    for protocol in [85, 88] {
        let chain = open_at(protocol);
        // What executes is bought at ten times the block's price.
        let cost = yocto(TRANSFER / 2 * PRICE + TRANSFER / 2 * 10 * PRICE);
        let key = add_filled(&chain, 1, minus(cost, yocto(1)));
        let signed = sign_on_lane(&chain, &key, 0, BOB, vec![transfer(near(1))]);
        assert_eq!(
            refused(&chain, signed),
            InvalidTxError::NotEnoughGasKeyBalance {
                signer_id: id(ALICE),
                balance: minus(cost, yocto(1)),
                cost
            }
        );
        value(&run(&chain, BOB, ALICE, vec![fill_gas_key(&key, yocto(1))]));
        let outcome = run_on_lane(&chain, &key, 0, BOB, vec![transfer(near(1))]);
        value(&outcome);
        assert_eq!(key_balance(&chain, &key), minus(cost, burnt(&outcome)));
    }
}

#[test]
fn unused_gas_comes_back_to_the_key() {
    for protocol in [85, 88] {
        let chain = open_at(protocol);
        deploy_test_contract(&chain, BOB);
        let key = add_filled(&chain, 1, near(1));
        let alice = balance(&chain, ALICE);
        let outcome = run_on_lane(
            &chain,
            &key,
            0,
            BOB,
            vec![call_with("echo", b"x", 300, near(0))],
        );
        assert_eq!(value(&outcome), b"x");
        assert_eq!(key_balance(&chain, &key), minus(near(1), burnt(&outcome)));
        assert_eq!(balance(&chain, ALICE), alice);

        // The deposit of a failed call comes back to the account.
        let failed = run_on_lane(
            &chain,
            &key,
            0,
            BOB,
            vec![call_with("fail", b"", 300, near(2))],
        );
        assert!(failure(&failed).contains("boom"));
        assert_eq!(balance(&chain, ALICE), alice);
        let paid = burnt(&outcome).checked_add(burnt(&failed)).unwrap();
        assert_eq!(key_balance(&chain, &key), minus(near(1), paid));
        assert_eq!(held(&chain), chain.total_supply());
    }
}

#[test]
fn unused_gas_of_a_key_that_is_gone_comes_back_to_the_account() {
    for protocol in [85, 88] {
        let chain = open_at(protocol);
        let key = add_filled(&chain, 1, Balance::from_millinear(500));
        let alice = balance(&chain, ALICE);
        // It deletes itself: what it has left burns, and the refund finds no gas key.
        let outcome = run_on_lane(&chain, &key, 0, ALICE, vec![delete_key(&key)]);
        value(&outcome);
        assert!(balance(&chain, ALICE) > alice);
        let lost = minus(
            Balance::from_millinear(500),
            minus(balance(&chain, ALICE), alice),
        );
        assert_eq!(burnt(&outcome), lost);
        assert_eq!(held(&chain), chain.total_supply());
    }
}

#[test]
fn a_key_for_calls_keeps_to_its_permission() {
    let chain = open();
    deploy_test_contract(&chain, BOB);
    let key = gas_key();
    let actions = vec![
        add_gas_key_for(&key, 2, calls_of(BOB, &["echo"])),
        fill_gas_key(&key, near(1)),
    ];
    value(&run(&chain, ALICE, ALICE, actions));
    let before = lane_nonces(&chain, &key);
    for (receiver, action, reason) in [
        (BOB, call("set", b""), "MethodNameMismatch"),
        ("testnet", call("echo", b""), "ReceiverMismatch"),
        (BOB, transfer(near(1)), "RequiresFullAccess"),
        (
            BOB,
            call_with("echo", b"", 10, yocto(1)),
            "DepositWithFunctionCall",
        ),
    ] {
        let signed = sign_on_lane(&chain, &key, 0, receiver, vec![action]);
        let error = format!("{:?}", refused(&chain, signed));
        assert!(error.contains(reason), "{error}");
    }
    assert_eq!(lane_nonces(&chain, &key), before);
    assert_eq!(key_balance(&chain, &key), near(1));
    let outcome = run_on_lane(&chain, &key, 0, BOB, vec![call("echo", b"ok")]);
    assert_eq!(value(&outcome), b"ok");
}

#[test]
fn an_account_that_cannot_pay_the_deposit_costs_its_key_the_conversion() {
    for protocol in [85, 88] {
        let chain = open_at(protocol);
        let key = add_filled(&chain, 2, near(1));
        let first = lane_nonces(&chain, &key)[0];
        // Both pass the node's check, and the first spends what the second needs.
        let spend = sign(&chain, ALICE, BOB, vec![transfer(near(60))]);
        let pay = sign_on_lane(&chain, &key, 1, BOB, vec![transfer(near(60))]);
        let pay = chain.submit(pay).unwrap();
        chain.submit(spend).unwrap();
        chain.settle().unwrap();
        let status = chain.transaction_status(&pay).unwrap();
        let TransactionStatus::Included {
            outcome, reached, ..
        } = status
        else {
            panic!("{status:?}");
        };
        assert_eq!(reached, TxExecutionStatus::Final);
        let failed = &outcome;
        let error = failure(failed);
        assert!(error.contains("NotEnoughBalanceForDeposit"), "{error}");
        assert!(error.contains(r#""reason":"NotEnoughBalance""#), "{error}");
        assert!(failed.receipts_outcome.is_empty());
        let conversion = yocto(TRANSFER / 2 * PRICE);
        assert_eq!(burnt(failed), conversion);
        assert_eq!(key_balance(&chain, &key), minus(near(1), conversion));
        assert_eq!(lane_nonces(&chain, &key), [first, first + 1]);
        assert_eq!(balance(&chain, BOB), near(160));
        assert_eq!(held(&chain), chain.total_supply());

        // A node does not forward what would only fail.
        let again = sign_on_lane(&chain, &key, 0, BOB, vec![transfer(near(60))]);
        let error = refused(&chain, again);
        assert!(
            matches!(error, InvalidTxError::NotEnoughBalanceForDeposit { .. }),
            "{error:?}"
        );
        assert_eq!(lane_nonces(&chain, &key), [first, first + 1]);
    }
}

#[test]
fn a_deposit_that_the_storage_needs_is_refused_with_what_lacks() {
    let chain = open();
    let key = add_filled(&chain, 12, near(1));
    let alice = chain.view_account(&id(ALICE)).unwrap();
    let signed = sign_on_lane(&chain, &key, 0, BOB, vec![transfer(alice.amount)]);
    let stake = yocto(u128::from(alice.storage_usage) * 10_000_000_000_000_000_000);
    assert_eq!(
        refused(&chain, signed),
        InvalidTxError::NotEnoughBalanceForDeposit {
            signer_id: id(ALICE),
            balance: Balance::ZERO,
            cost: stake,
            reason: DepositCostFailureReason::LackBalanceForState
        }
    );
}

#[test]
fn a_gas_key_signs_no_delegate_action() {
    let chain = open();
    let key = add_filled(&chain, 1, near(1));
    let nonce = lane_nonces(&chain, &key)[0] + 1;
    let action = delegate(&chain, &key, nonce, BOB, vec![transfer(near(1))]);
    let error = failure(&run(&chain, RELAYER, ALICE, vec![action]));
    assert!(
        error.contains(r#"{"DelegateActionAccessKeyError":"DelegateActionRequiresNonGasKey"}"#),
        "{error}"
    );
}

#[test]
fn the_rpc_shows_the_lane_of_a_transaction() {
    let server = Server::start();
    let key = add_filled(&server.chain, 3, near(1));
    let signed = sign_on_lane(&server.chain, &key, 2, BOB, vec![transfer(near(1))]);
    let nonce = signed.transaction.nonce().nonce();
    let params = json!({ "signed_tx_base64": base64_of(&signed), "wait_until": "NONE" });
    server.rpc("send_tx", params).unwrap();
    server.chain.settle().unwrap();
    let params = json!({ "tx_hash": signed.get_hash().to_string(), "sender_account_id": ALICE });
    let answer = server.rpc("tx", params).unwrap().json();
    let transaction = &answer["result"]["transaction"];
    assert_eq!(transaction["nonce_index"], 2);
    assert_eq!(transaction["nonce"], nonce);
}
