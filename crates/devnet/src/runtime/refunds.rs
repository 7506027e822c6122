//! A receipt's refunds: unburnt gas, and the deposits if it failed.

use near_parameters::ActionCosts;
use near_primitives::receipt::{Receipt, VersionedActionReceipt};
use near_primitives::types::{Balance, Gas};
use near_primitives::version::ProtocolFeature;

use super::outcome::ActionResult;
use super::{BlockContext, RuntimeError, add_balance, fees, gas_to_balance, sub_balance};

/// What a receipt burns in addition to its gas.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Burnt {
    /// The part of the refund that the chain keeps (NEP-536).
    pub(crate) penalty: Balance,
    /// The charge for creating an account beyond its gas (from protocol 85).
    pub(crate) account_charge: Balance,
    /// The difference of the two gas prices, which is not refunded before protocol 85.
    pub(crate) price_surplus: Balance,
}

/// The price at which a receipt's gas burns: the block's price, from protocol 85 at most the purchase
/// price.
pub(crate) fn burn_price(block: &BlockContext<'_>, purchase_price: Balance) -> Balance {
    if block.rules.has(ProtocolFeature::AccountCostIncrease) {
        purchase_price.min(block.gas_price)
    } else {
        block.gas_price
    }
}

/// Adds the refund receipts of an executed receipt to `result`. Unused gas goes to the signer who
/// bought it; if the receipt failed, its deposits go to the predecessor or to the account it named.
pub(crate) fn push_refunds(
    block: &BlockContext<'_>,
    receipt: &Receipt,
    actions: &VersionedActionReceipt<'_>,
    succeeded: bool,
    result: &mut ActionResult,
) -> Result<Burnt, RuntimeError> {
    let config = &block.rules.config;
    let bought = fees::prepaid_gas(actions.actions())?
        .checked_add_result(fees::prepaid_send_fees(config, actions.actions())?)?
        .checked_add_result(fees::receipt_exec_fees(
            config,
            actions.actions(),
            receipt.receiver_id(),
        )?)?;
    let spent = if succeeded {
        result.gas_used
    } else {
        result.gas_burnt
    };
    let unused = bought.checked_sub(spent).ok_or(RuntimeError::Overflow)?;

    let purchase_price = actions.gas_price();
    let burn_price = burn_price(block, purchase_price);
    let surplus = gas_to_balance(purchase_price.saturating_sub(burn_price), result.gas_burnt)?;
    let current = block.rules.has(ProtocolFeature::AccountCostIncrease);
    let penalty_gas: Gas = config.fees.gas_penalty_for_gas_refund(unused);
    let penalty = gas_to_balance(
        if current { burn_price } else { purchase_price },
        penalty_gas,
    )?;
    let mut refund = sub_balance(gas_to_balance(purchase_price, unused)?, penalty)?;
    let mut burnt = Burnt {
        penalty,
        ..Burnt::default()
    };
    if current {
        if succeeded && result.created_account {
            let gas = fees::exec_cost(config, ActionCosts::create_account);
            let beyond_gas = config
                .account_creation_charge
                .saturating_sub(gas_to_balance(burn_price, gas)?);
            burnt.account_charge = beyond_gas.min(surplus);
        }
        refund = add_balance(refund, sub_balance(surplus, burnt.account_charge)?)?;
    } else {
        burnt.price_surplus = surplus;
    }

    let deposits = fees::deposits(actions.actions())?;
    if !succeeded && !deposits.is_zero() {
        result.new_receipts.push(Receipt::new_balance_refund(
            receipt.balance_refund_receiver(),
            deposits,
        ));
    }
    if !refund.is_zero() {
        let public_key = actions.signer_public_key().clone();
        result.new_receipts.push(Receipt::new_gas_refund(
            actions.signer_id(),
            refund,
            public_key,
        ));
    }
    Ok(burnt)
}
