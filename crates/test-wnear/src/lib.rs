//! NEAR as a fungible token (NEP-141), with the methods of wrap.near: what is deposited can be withdrawn again.
#![allow(missing_docs, reason = "the methods are those of the standards")]

use near_contract_standards::fungible_token::metadata::{
    FT_METADATA_SPEC, FungibleTokenMetadata, FungibleTokenMetadataProvider,
};
use near_contract_standards::fungible_token::{FungibleToken, FungibleTokenCore};
use near_contract_standards::storage_management::{
    StorageBalance, StorageBalanceBounds, StorageManagement,
};
use near_sdk::json_types::U128;
use near_sdk::{
    AccountId, NearToken, PanicOnDefault, Promise, PromiseOrValue, assert_one_yocto, env, near,
};

#[near(contract_state)]
#[derive(PanicOnDefault)]
pub struct WrappedNear {
    token: FungibleToken,
}

#[near]
impl WrappedNear {
    #[init]
    pub fn new() -> Self {
        Self {
            token: FungibleToken::new(b"t".to_vec()),
        }
    }

    #[payable]
    pub fn near_deposit(&mut self) {
        let account = env::predecessor_account_id();
        let mut amount = env::attached_deposit();
        if !self.token.accounts.contains_key(&account) {
            let price = self.token.storage_balance_bounds().min;
            self.token.internal_register_account(&account);
            amount = amount.saturating_sub(price);
        }
        self.token.internal_deposit(&account, amount.as_yoctonear());
    }

    #[payable]
    pub fn near_withdraw(&mut self, amount: U128) -> Promise {
        assert_one_yocto();
        let account = env::predecessor_account_id();
        self.token.internal_withdraw(&account, amount.into());
        Promise::new(account).transfer(NearToken::from_yoctonear(amount.into()))
    }
}

#[near]
impl FungibleTokenCore for WrappedNear {
    #[payable]
    fn ft_transfer(&mut self, receiver_id: AccountId, amount: U128, memo: Option<String>) {
        self.token.ft_transfer(receiver_id, amount, memo);
    }

    #[payable]
    fn ft_transfer_call(
        &mut self,
        receiver_id: AccountId,
        amount: U128,
        memo: Option<String>,
        msg: String,
    ) -> PromiseOrValue<U128> {
        self.token.ft_transfer_call(receiver_id, amount, memo, msg)
    }

    fn ft_total_supply(&self) -> U128 {
        self.token.ft_total_supply()
    }

    fn ft_balance_of(&self, account_id: AccountId) -> U128 {
        self.token.ft_balance_of(account_id)
    }
}

#[near]
impl StorageManagement for WrappedNear {
    #[payable]
    fn storage_deposit(
        &mut self,
        account_id: Option<AccountId>,
        registration_only: Option<bool>,
    ) -> StorageBalance {
        self.token.storage_deposit(account_id, registration_only)
    }

    #[payable]
    fn storage_withdraw(&mut self, amount: Option<NearToken>) -> StorageBalance {
        self.token.storage_withdraw(amount)
    }

    #[payable]
    fn storage_unregister(&mut self, force: Option<bool>) -> bool {
        self.token.storage_unregister(force)
    }

    fn storage_balance_bounds(&self) -> StorageBalanceBounds {
        self.token.storage_balance_bounds()
    }

    fn storage_balance_of(&self, account_id: AccountId) -> Option<StorageBalance> {
        self.token.storage_balance_of(account_id)
    }
}

#[near]
impl FungibleTokenMetadataProvider for WrappedNear {
    fn ft_metadata(&self) -> FungibleTokenMetadata {
        FungibleTokenMetadata {
            spec: FT_METADATA_SPEC.to_string(),
            name: "Wrapped NEAR fungible token".to_string(),
            symbol: "wNEAR".to_string(),
            icon: Some("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Ccircle cx='4' cy='4' r='4' fill='%2300ec97'/%3E%3C/svg%3E".to_string()),
            reference: None,
            reference_hash: None,
            decimals: 24,
        }
    }
}
