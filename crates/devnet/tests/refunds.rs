//! Purchase, burning and refund of gas, and return of deposits, at each protocol's prices.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use common::*;
use latchkey_devnet::{Chain, TransactionStatus};
use near_crypto::Signer;
use near_parameters::{ActionCosts, RuntimeConfig, RuntimeConfigStore};
use near_primitives::action::delegate::{DelegateAction, NonDelegateAction, SignedDelegateAction};
use near_primitives::receipt::{Receipt, VersionedReceiptEnum};
use near_primitives::transaction::Action;
use near_primitives::types::{Balance, Gas};
use near_primitives::views::FinalExecutionOutcomeView;

const RELAYER: &str = "relayer.testnet";
const PRICE: u128 = 100_000_000;

fn rules(version: u32) -> std::sync::Arc<RuntimeConfig> {
    RuntimeConfigStore::for_chain_id("testnet")
        .get_config(version)
        .clone()
}

fn at(price: u128, gas: Gas) -> u128 {
    price * u128::from(gas.as_gas())
}

fn yocto(chain: &Chain, account: &str) -> u128 {
    balance(chain, account).as_yoctonear()
}

/// The receivers and amounts of a transaction's refunds.
fn refunds(chain: &Chain, outcome: &FinalExecutionOutcomeView) -> Vec<(String, u128)> {
    let TransactionStatus::Included { receipts, .. } =
        chain.transaction_status(&outcome.transaction.hash).unwrap()
    else {
        panic!("{outcome:?}")
    };
    let amount = |receipt: &Receipt| match receipt.versioned_receipt() {
        VersionedReceiptEnum::Action(action) => match action.actions() {
            [Action::Transfer(transfer)] => transfer.deposit.as_yoctonear(),
            other => panic!("{other:?}"),
        },
        _ => panic!("{receipt:?}"),
    };
    receipts
        .iter()
        .filter(|receipt| receipt.predecessor_id().is_system())
        .map(|receipt| (receipt.receiver_id().to_string(), amount(receipt)))
        .collect()
}

#[test]
fn gas_is_bought_at_the_purchase_price_and_the_rest_comes_back() {
    for version in 84..=88 {
        let rules = rules(version);
        let purchase = PRICE.max(rules.min_gas_purchase_price.as_yoctonear());
        assert_eq!(purchase, if version < 85 { PRICE } else { 10 * PRICE });
        let chain = open_at(version);
        deploy_test_contract(&chain, BOB);
        let (alice, bob) = (yocto(&chain, ALICE), yocto(&chain, BOB));
        let action = call_with("echo", b"hi", 100, Balance::ZERO);
        let id = chain
            .submit(sign(&chain, ALICE, BOB, vec![action]))
            .unwrap();

        chain.produce_block().unwrap();
        let cost = |cost, bytes: u64| {
            let fee = rules.fees.fee(cost);
            let both = (fee.send_fee(false).gas, fee.exec_fee().gas);
            (both.0.as_gas() * bytes, both.1.as_gas() * bytes)
        };
        let fees = [
            cost(ActionCosts::new_action_receipt, 1),
            cost(ActionCosts::function_call_base, 1),
            cost(ActionCosts::function_call_byte, "echo".len() as u64 + 2),
        ];
        let send = Gas::from_gas(fees.iter().map(|fee| fee.0).sum());
        let bought = Gas::from_gas(100_000_000_000_000 + fees.iter().map(|fee| fee.1).sum::<u64>());
        let paid = at(PRICE, send) + at(purchase, bought);
        assert_eq!(yocto(&chain, ALICE), alice - paid, "protocol {version}");

        chain.settle().unwrap();
        let TransactionStatus::Included { outcome, .. } = chain.transaction_status(&id).unwrap()
        else {
            panic!()
        };
        let receipt = &outcome.receipts_outcome[0].outcome;
        let unused = Gas::from_gas(bought.as_gas() - receipt.gas_burnt.as_gas());
        // Where the protocol says so, the chain keeps part of the unused gas (NEP-536).
        let penalty = at(
            if version < 85 { purchase } else { PRICE },
            rules.fees.gas_penalty_for_gas_refund(unused),
        );
        let refund = paid - at(PRICE, send) - at(PRICE, receipt.gas_burnt) - penalty;
        assert_eq!(
            refunds(&chain, &outcome),
            [(ALICE.to_owned(), refund)],
            "protocol {version}"
        );
        assert_eq!(yocto(&chain, ALICE), alice - burnt(&outcome).as_yoctonear());
        assert_eq!(
            receipt.tokens_burnt.as_yoctonear(),
            at(PRICE, receipt.gas_burnt) + penalty
        );

        // Before protocol 87 the contract gets 30 % of the gas that its code burnt.
        let own = fees.iter().map(|fee| fee.1).sum::<u64>();
        let by_code = Gas::from_gas(receipt.gas_burnt.as_gas() - own);
        let share = if version < 87 {
            at(PRICE, by_code) * 3 / 10
        } else {
            0
        };
        assert!(
            yocto(&chain, BOB).abs_diff(bob + share) <= PRICE,
            "protocol {version}"
        );
    }
}

#[test]
fn a_failed_receipt_burns_its_gas_and_gives_back_the_deposit_and_the_rest() {
    for version in 84..=88 {
        let chain = open_at(version);
        deploy_test_contract(&chain, BOB);
        let (alice, state) = (yocto(&chain, ALICE), chain.view_account(&id(BOB)).unwrap());
        let outcome = run(
            &chain,
            ALICE,
            BOB,
            vec![call_with("fail", b"lost", 100, near(5))],
        );
        assert!(failure(&outcome).contains("boom"));
        let got = refunds(&chain, &outcome);
        assert_eq!(got.len(), 2, "protocol {version}: {got:?}");
        assert_eq!(got[0], (ALICE.to_owned(), near(5).as_yoctonear()));
        assert_eq!(got[1].0, ALICE);
        assert_eq!(yocto(&chain, ALICE), alice - burnt(&outcome).as_yoctonear());
        assert!(
            burnt(&outcome) < Balance::from_millinear(2),
            "protocol {version}"
        );
        // The contract gets its share of this gas, too.
        let after = chain.view_account(&id(BOB)).unwrap();
        assert_eq!(after.storage_usage, state.storage_usage);
        assert_eq!(
            after.amount > state.amount,
            version < 87,
            "protocol {version}"
        );
        assert_eq!(chain.view_call(&id(BOB), "get", b"").unwrap().result, b"");
    }
}

#[test]
fn a_promises_deposit_goes_back_to_its_contract_and_its_gas_to_the_signer() {
    for version in 84..=88 {
        let chain = open_at(version);
        deploy_test_contract(&chain, ALICE);
        deploy_test_contract(&chain, BOB);
        let relayer = yocto(&chain, RELAYER);
        let outcome = run(
            &chain,
            RELAYER,
            ALICE,
            vec![call_with("call_then", b"fail", 100, Balance::ZERO)],
        );
        assert_eq!(value(&outcome), b"failed");
        let got = refunds(&chain, &outcome);
        let to_contract: Vec<_> = got.iter().filter(|(to, _)| to == ALICE).collect();
        assert_eq!(to_contract, [&(ALICE.to_owned(), 1)], "protocol {version}");
        assert!(
            got.iter().all(|(to, _)| to == ALICE || to == RELAYER),
            "{got:?}"
        );
        // The signer paid for every receipt of the promise chain, and for nothing else.
        assert_eq!(
            yocto(&chain, RELAYER),
            relayer - burnt(&outcome).as_yoctonear()
        );
    }
}

#[test]
fn a_delegate_actions_deposit_goes_back_to_its_sender_and_its_gas_to_the_relayer_s89() {
    for version in 84..=88 {
        let chain = open_at(version);
        let signer = Signer::InMemory(near_crypto::InMemorySigner {
            account_id: id(ALICE),
            public_key: key(ALICE).public_key(),
            secret_key: key(ALICE),
        });
        let delegate = DelegateAction {
            sender_id: id(ALICE),
            receiver_id: id("gone.testnet"),
            actions: vec![NonDelegateAction::try_from(transfer(near(2))).unwrap()],
            nonce: 1,
            max_block_height: chain.head().height + 100,
            public_key: key(ALICE).public_key(),
        };
        let signed = SignedDelegateAction::sign(&signer, delegate);
        let (alice, relayer) = (yocto(&chain, ALICE), yocto(&chain, RELAYER));
        let outcome = run(&chain, RELAYER, ALICE, vec![signed.into()]);
        assert_eq!(failures(&outcome), 1);
        // NEP-366: the relayer pays the deposit, and a failure refunds it to the sender.
        let deposit = near(2).as_yoctonear();
        assert_eq!(yocto(&chain, ALICE), alice + deposit, "protocol {version}");
        let spent = deposit + burnt(&outcome).as_yoctonear();
        assert_eq!(
            yocto(&chain, RELAYER),
            relayer - spent,
            "protocol {version}"
        );
    }
}

#[test]
fn creating_an_account_costs_its_charge_and_a_failed_creation_only_gas() {
    for version in 84..=88 {
        let rules = rules(version);
        let chain = open_at(version);
        let beyond_gas = |outcome: &FinalExecutionOutcomeView| {
            // The gas of refunds is free.
            let gas = outcome
                .receipts_outcome
                .iter()
                .filter(|receipt| !receipt.outcome.tokens_burnt.is_zero())
                .map(|receipt| receipt.outcome.gas_burnt.as_gas())
                .sum::<u64>()
                + outcome.transaction_outcome.outcome.gas_burnt.as_gas();
            burnt(outcome).as_yoctonear() - at(PRICE, Gas::from_gas(gas))
        };
        let made = run(
            &chain,
            ALICE,
            "new.alice.testnet",
            vec![create(), transfer(near(1))],
        );
        value(&made);
        let gas = rules.fees.fee(ActionCosts::create_account).exec_fee().gas;
        let charge = rules.account_creation_charge.as_yoctonear();
        let expected = charge.saturating_sub(at(PRICE, gas));
        assert_eq!(expected > 0, version >= 85, "protocol {version}");
        assert_eq!(beyond_gas(&made), expected, "protocol {version}");
        let again = run(
            &chain,
            ALICE,
            "new.alice.testnet",
            vec![create(), transfer(near(1))],
        );
        assert!(failure(&again).contains("AccountAlreadyExists"));
        assert_eq!(beyond_gas(&again), 0, "protocol {version}");
    }
}

#[test]
fn refunds_to_deleted_accounts_leave_the_supply() {
    for version in [84, 88] {
        let chain = open_at(version);
        let supply = chain.total_supply().as_yoctonear();
        let alice = yocto(&chain, ALICE);
        let outcome = run(&chain, ALICE, ALICE, vec![delete_account("gone.testnet")]);
        value(&outcome);
        assert!(chain.view_account(&id(ALICE)).is_err());
        // The whole balance leaves the supply: the fee, the rest, and the gas refund.
        assert_eq!(
            chain.total_supply().as_yoctonear(),
            supply - alice,
            "protocol {version}"
        );
    }
}

#[test]
fn a_contract_earns_three_tenths_of_the_gas_it_burns_until_protocol_87() {
    for protocol in [84, 85, 86, 87, 88] {
        let chain = open_at(protocol);
        deploy_test_contract(&chain, BOB);
        let (bob, supply) = (balance(&chain, BOB), chain.total_supply());
        let outcome = run(&chain, ALICE, BOB, vec![call("echo", b"x")]);
        value(&outcome);
        let earned = balance(&chain, BOB).checked_sub(bob).unwrap();
        let lost = supply.checked_sub(chain.total_supply()).unwrap();
        assert_eq!(lost, burnt(&outcome).checked_sub(earned).unwrap());
        assert_eq!(earned.is_zero(), protocol >= 87, "protocol {protocol}");
        assert_eq!(held(&chain), chain.total_supply());
    }
}
