//! Which transactions the chain accepts: nonces, block hashes, signatures, keys and permissions.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use common::*;
use latchkey_devnet::{Chain, ChainConfig, GENESIS_HEIGHT, TransactionStatus};
use near_crypto::{KeyType, SecretKey};
use near_primitives::errors::{ActionsValidationError, InvalidAccessKeyError, InvalidTxError};
use near_primitives::hash::hash;
use near_primitives::transaction::{Action, Transaction};
use near_primitives::types::Balance;
use near_primitives::views::AccessKeyPermissionView;

fn new_key() -> SecretKey {
    SecretKey::from_random(KeyType::ED25519)
}

fn key_refused(
    chain: &Chain,
    key: &SecretKey,
    receiver: &str,
    actions: Vec<Action>,
) -> InvalidAccessKeyError {
    match refused(chain, chain.sign(ALICE, key, receiver, actions).unwrap()) {
        InvalidTxError::InvalidAccessKeyError(error) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn moves_exactly_the_amount_and_burns_exactly_the_fee() {
    let chain = open();
    let supply = chain.total_supply();
    let outcome = run(&chain, ALICE, BOB, vec![transfer(near(5))]);
    assert_eq!(balance(&chain, BOB), near(105));
    let fee = burnt(&outcome);
    assert_eq!(balance(&chain, ALICE), near(95).checked_sub(fee).unwrap());
    assert_eq!(chain.total_supply(), supply.checked_sub(fee).unwrap());
    // The fees of receipt and transfer, to send and to execute: 446.365125 Ggas at 0.0001 NEAR per
    // Tgas.
    assert_eq!(fee, Balance::from_yoctonear(446_365_125_000 * 100_000_000));
}

#[test]
fn a_full_pool_accepts_no_more_until_a_block_empties_it() {
    let chain = open();
    let large = |nonce| {
        let code = vec![0; 1_500_000];
        sign_as(&chain, ALICE, &key(ALICE), ALICE, nonce, vec![deploy(code)])
    };
    // 66 of them fit into 100 megabytes.
    let sent: Vec<_> = (1..=66)
        .map(|nonce| chain.submit(large(nonce)).unwrap())
        .collect();
    for _ in 0..2 {
        let error = chain.submit(large(67)).unwrap_err();
        assert!(
            matches!(error, InvalidTxError::ShardCongested { .. }),
            "{error:?}"
        );
    }
    // A pending transaction is still accepted again.
    assert_eq!(chain.submit(large(66)).unwrap(), sent[65]);
    let small = sign(&chain, BOB, ALICE, vec![transfer(near(1))]);
    chain.submit(small).unwrap();
    chain.produce_block().unwrap();
    chain.submit(large(67)).unwrap();
}

#[test]
fn refuses_a_used_nonce_and_one_too_large() {
    let chain = open();
    run(&chain, ALICE, BOB, vec![transfer(near(1))]);
    let used = sign_as(&chain, ALICE, &key(ALICE), BOB, 1, vec![transfer(near(1))]);
    assert_eq!(
        refused(&chain, used),
        InvalidTxError::InvalidNonce {
            tx_nonce: 1,
            ak_nonce: 1
        }
    );
    let upper_bound = chain.head().height * 1_000_000;
    let large = sign_as(
        &chain,
        ALICE,
        &key(ALICE),
        BOB,
        upper_bound,
        vec![transfer(near(1))],
    );
    assert_eq!(
        refused(&chain, large),
        InvalidTxError::NonceTooLarge {
            tx_nonce: upper_bound,
            upper_bound
        }
    );
}

#[test]
fn runs_pending_transactions_of_one_key_in_nonce_order() {
    let chain = open();
    let ids: Vec<_> = [3, 1, 2]
        .into_iter()
        .map(|nonce| {
            let signed = sign_as(
                &chain,
                ALICE,
                &key(ALICE),
                BOB,
                nonce,
                vec![transfer(near(1))],
            );
            chain.submit(signed).unwrap()
        })
        .collect();
    chain.settle().unwrap();
    assert_eq!(balance(&chain, BOB), near(103));
    for id in ids {
        assert!(matches!(
            chain.transaction_status(&id).unwrap(),
            TransactionStatus::Included { .. }
        ));
    }
}

#[test]
fn a_second_transaction_with_the_same_nonce_is_refused_when_its_block_is_made() {
    let chain = open();
    let first = sign_as(&chain, ALICE, &key(ALICE), BOB, 1, vec![transfer(near(1))]);
    let second = sign_as(&chain, ALICE, &key(ALICE), BOB, 1, vec![transfer(near(2))]);
    let ids = [chain.submit(first).unwrap(), chain.submit(second).unwrap()];
    chain.settle().unwrap();
    let refused = ids
        .iter()
        .filter(|id| {
            matches!(
                chain.transaction_status(id).unwrap(),
                TransactionStatus::Refused(InvalidTxError::InvalidNonce { .. })
            )
        })
        .count();
    assert_eq!(refused, 1);
}

#[test]
fn a_refused_transaction_can_run_once_its_signer_can_pay() {
    let chain = open();
    let pay = |nonce| {
        sign_as(
            &chain,
            ALICE,
            &key(ALICE),
            "testnet",
            nonce,
            vec![transfer(near(60))],
        )
    };
    let (first, second) = (pay(1), pay(2));
    chain.submit(first).unwrap();
    let id = chain.submit(second.clone()).unwrap();
    chain.settle().unwrap();
    assert!(matches!(
        chain.transaction_status(&id).unwrap(),
        TransactionStatus::Refused(InvalidTxError::NotEnoughBalance { .. })
    ));
    run(&chain, BOB, ALICE, vec![transfer(near(50))]);
    chain.submit(second.clone()).unwrap();
    assert!(matches!(
        chain.transaction_status(&id).unwrap(),
        TransactionStatus::Waiting
    ));
    chain.run(second).unwrap();
    assert!(balance(&chain, ALICE) < near(30));
}

#[test]
fn the_same_transaction_twice_runs_once() {
    let chain = open();
    let signed = sign(&chain, ALICE, BOB, vec![transfer(near(1))]);
    assert_eq!(
        chain.submit(signed.clone()).unwrap(),
        chain.submit(signed.clone()).unwrap()
    );
    chain.settle().unwrap();
    chain.run(signed).unwrap();
    assert_eq!(balance(&chain, BOB), near(101));
}

#[test]
fn a_transaction_expires_with_the_block_it_names() {
    let chain = Chain::open(ChainConfig {
        transaction_validity_blocks: 10,
        ..config()
    })
    .unwrap();
    let early = sign(&chain, ALICE, BOB, vec![transfer(near(1))]);
    let late = sign_as(&chain, ALICE, &key(ALICE), BOB, 2, vec![transfer(near(1))]);
    chain.produce_blocks(10).unwrap();
    chain.run(early).unwrap();
    assert_eq!(refused(&chain, late), InvalidTxError::Expired);

    let mut unknown = sign(&chain, ALICE, BOB, vec![transfer(near(1))]).transaction;
    if let Transaction::V0(fields) = &mut unknown {
        fields.block_hash = hash(b"no such block");
    }
    let signed = latchkey_devnet::sign_transaction(&key(ALICE), unknown);
    assert_eq!(refused(&chain, signed), InvalidTxError::Expired);
}

#[test]
fn refuses_a_signature_by_another_key_and_an_unknown_signer_or_key() {
    let chain = open();
    let mut forged = sign(&chain, ALICE, BOB, vec![transfer(near(1))]);
    forged.signature = key(BOB).sign(forged.get_hash().as_ref());
    assert_eq!(refused(&chain, forged), InvalidTxError::InvalidSignature);

    let stranger = sign_as(
        &chain,
        "no.testnet",
        &key(ALICE),
        BOB,
        1,
        vec![transfer(near(1))],
    );
    assert_eq!(
        refused(&chain, stranger),
        InvalidTxError::SignerDoesNotExist {
            signer_id: id("no.testnet")
        }
    );
    let unknown_key = sign_as(&chain, ALICE, &key(BOB), BOB, 1, vec![transfer(near(1))]);
    assert!(matches!(
        refused(&chain, unknown_key),
        InvalidTxError::InvalidAccessKeyError(InvalidAccessKeyError::AccessKeyNotFound { .. })
    ));
}

#[test]
fn charges_the_purchase_price_of_gas_up_front_and_refunds_unburnt_gas() {
    let chain = open();
    deploy_test_contract(&chain, BOB);
    let tight = chain
        .sign(ALICE, &key(ALICE), BOB, vec![transfer(near(99))])
        .unwrap();
    chain.run(tight).unwrap();
    // 1 NEAR is left, and 1000 Tgas cost 0.001 NEAR each.
    let dear = sign(
        &chain,
        ALICE,
        BOB,
        vec![call_with("echo", b"", 1_000, Balance::ZERO)],
    );
    assert!(matches!(
        refused(&chain, dear),
        InvalidTxError::NotEnoughBalance { .. }
    ));
    let before = balance(&chain, ALICE);
    let outcome = run(
        &chain,
        ALICE,
        BOB,
        vec![call_with("echo", b"", 300, Balance::ZERO)],
    );
    let spent = before.checked_sub(balance(&chain, ALICE)).unwrap();
    assert_eq!(spent, burnt(&outcome));
    assert!(spent < Balance::from_millinear(1), "{spent}");

    let chain = open_at(84);
    deploy_test_contract(&chain, BOB);
    run(&chain, ALICE, BOB, vec![transfer(near(99))]);
    value(&run(
        &chain,
        ALICE,
        BOB,
        vec![call_with("echo", b"", 1_000, Balance::ZERO)],
    ));
}

#[test]
fn refuses_a_balance_that_does_not_cover_the_storage() {
    let chain = open();
    deploy_test_contract(&chain, ALICE);
    let needed = chain.view_account(&id(ALICE)).unwrap().storage_usage as u128 * 10u128.pow(19);
    let left = balance(&chain, ALICE).as_yoctonear() - needed;
    let signed = sign(
        &chain,
        ALICE,
        BOB,
        vec![transfer(Balance::from_yoctonear(left))],
    );
    assert!(matches!(
        refused(&chain, signed),
        InvalidTxError::LackBalanceForState { .. }
    ));
}

#[test]
fn a_function_call_key_is_limited_to_its_permission() {
    let chain = open();
    deploy_test_contract(&chain, BOB);
    let limited = new_key();
    let added = run(
        &chain,
        ALICE,
        ALICE,
        vec![add_call_key(&limited, BOB, &["echo"], None)],
    );
    value(&added);
    let view = chain
        .view_access_key(&id(ALICE), &limited.public_key())
        .unwrap();
    assert!(view.nonce >= GENESIS_HEIGHT * 1_000_000);

    let allowed = chain
        .sign(ALICE, &limited, BOB, vec![call("echo", b"ok")])
        .unwrap();
    assert_eq!(value(&chain.run(allowed).unwrap()), b"ok");

    let refuse = |receiver, actions| key_refused(&chain, &limited, receiver, actions);
    assert_eq!(
        refuse(BOB, vec![transfer(near(1))]),
        InvalidAccessKeyError::RequiresFullAccess
    );
    assert_eq!(
        refuse(BOB, vec![call("echo", b""), call("echo", b"")]),
        InvalidAccessKeyError::RequiresFullAccess
    );
    assert_eq!(
        refuse(
            BOB,
            vec![call_with("echo", b"", 10, Balance::from_yoctonear(1))]
        ),
        InvalidAccessKeyError::DepositWithFunctionCall
    );
    assert_eq!(
        refuse(BOB, vec![call("set", b"")]),
        InvalidAccessKeyError::MethodNameMismatch {
            method_name: "set".to_owned()
        }
    );
    assert_eq!(
        refuse("testnet", vec![call("echo", b"")]),
        InvalidAccessKeyError::ReceiverMismatch {
            tx_receiver: id("testnet"),
            ak_receiver: BOB.to_owned()
        }
    );
}

#[test]
fn an_allowance_pays_for_gas_and_gets_the_refund_back() {
    let chain = open();
    deploy_test_contract(&chain, BOB);
    let limited = new_key();
    let allowance = Balance::from_millinear(60);
    value(&run(
        &chain,
        ALICE,
        ALICE,
        vec![add_call_key(&limited, BOB, &[], Some(allowance))],
    ));
    let outcome = chain
        .run(
            chain
                .sign(ALICE, &limited, BOB, vec![call("echo", b"")])
                .unwrap(),
        )
        .unwrap();
    let view = chain
        .view_access_key(&id(ALICE), &limited.public_key())
        .unwrap();
    let AccessKeyPermissionView::FunctionCall {
        allowance: Some(left),
        ..
    } = view.permission
    else {
        panic!()
    };
    assert_eq!(left, allowance.checked_sub(burnt(&outcome)).unwrap());

    let dear = vec![call_with("echo", b"", 100, Balance::ZERO)];
    assert!(matches!(
        key_refused(&chain, &limited, BOB, dear),
        InvalidAccessKeyError::NotEnoughAllowance { .. }
    ));
}

#[test]
fn a_deleted_key_is_gone_and_a_new_one_starts_above_all_old_nonces() {
    let chain = open();
    let extra = new_key();
    value(&run(&chain, ALICE, ALICE, vec![add_full_key(&extra)]));
    let usage = chain.view_account(&id(ALICE)).unwrap().storage_usage;
    let first = chain
        .view_access_key(&id(ALICE), &extra.public_key())
        .unwrap()
        .nonce;
    assert_eq!(first % 1_000_000, 0);
    assert!(first >= GENESIS_HEIGHT * 1_000_000);

    value(&run(&chain, ALICE, ALICE, vec![delete_key(&extra)]));
    assert!(
        chain
            .view_access_key(&id(ALICE), &extra.public_key())
            .is_err()
    );
    assert_eq!(
        chain.view_account(&id(ALICE)).unwrap().storage_usage,
        usage - 82
    );
    value(&run(&chain, ALICE, ALICE, vec![add_full_key(&extra)]));
    assert!(
        chain
            .view_access_key(&id(ALICE), &extra.public_key())
            .unwrap()
            .nonce
            > first
    );

    let twice = failure(&run(&chain, ALICE, ALICE, vec![add_full_key(&extra)]));
    assert!(twice.contains("AddKeyAlreadyExists"), "{twice}");
    let absent = failure(&run(&chain, ALICE, ALICE, vec![delete_key(&new_key())]));
    assert!(absent.contains("DeleteKeyDoesNotExist"), "{absent}");
}

#[test]
fn refuses_actions_beyond_the_limits() {
    let chain = open();
    let reason = |actions| match refused(&chain, sign(&chain, ALICE, ALICE, actions)) {
        InvalidTxError::ActionsValidation(error) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        reason(vec![call_with("echo", b"", 0, Balance::ZERO)]),
        ActionsValidationError::FunctionCallZeroAttachedGas
    );
    assert!(matches!(
        reason(vec![call_with("echo", b"", 1_001, Balance::ZERO)]),
        ActionsValidationError::TotalPrepaidGasExceeded { .. }
    ));
    assert_eq!(
        reason(vec![delete_account(BOB), transfer(near(1))]),
        ActionsValidationError::DeleteActionMustBeFinal
    );
    assert!(matches!(
        reason(vec![transfer(near(1)); 101]),
        ActionsValidationError::TotalNumberOfActionsExceeded { .. }
    ));
}

#[test]
fn a_call_without_a_method_name_runs_and_fails_until_protocol_87_refuses_it() {
    for protocol in [84, 86, 87, 88] {
        let chain = open_at(protocol);
        deploy_test_contract(&chain, ALICE);
        let signed = sign(&chain, ALICE, ALICE, vec![call("", b"")]);
        if protocol < 87 {
            let error = failure(&chain.run(signed).unwrap());
            assert!(error.contains("MethodEmptyName"), "{error}");
        } else {
            let error = ActionsValidationError::FunctionCallEmptyMethodName;
            let expected = InvalidTxError::ActionsValidation(error);
            assert_eq!(refused(&chain, signed), expected);
        }
    }
}
