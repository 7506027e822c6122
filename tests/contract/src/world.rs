//! A chain with the registry on it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use latchkey_devnet::{
    Chain, ChainConfig, Genesis, REGISTRY, RegistryGenesis, TransactionStatus, development_key,
};
use near_primitives::action::{FunctionCallAction, TransferAction};
use near_primitives::hash::CryptoHash;
use near_primitives::transaction::{Action, SignedTransaction};
use near_primitives::types::{AccountId, Balance, Gas};
use near_primitives::views::{FinalExecutionOutcomeView, FinalExecutionStatus};
use serde_json::Value;

use crate::{MAX_BLOCK_AGE, RELAYER};

/// A chain in memory with a fresh registry. Blocks are made only when something runs.
pub struct World {
    /// The chain.
    pub chain: Chain,
}

/// How a transaction ended.
#[derive(Debug)]
pub struct Outcome {
    /// The answer, or why the transaction failed.
    pub result: Result<Value, String>,
    /// The logs of all receipts.
    pub logs: Vec<String>,
    /// The gas of the transaction and all its receipts.
    pub gas_burnt: u64,
    /// The gas of each of the registry's own receipts, in their order.
    pub registry_gas: Vec<u64>,
    /// What the signer paid for that gas, in yoctoNEAR.
    pub tokens_burnt: u128,
}

/// What a view answered.
#[derive(Debug)]
pub struct View {
    /// The answer.
    pub value: Value,
    /// The logs.
    pub logs: Vec<String>,
}

/// The whole state, but for what any transaction of the payer changes: its own account and key.
#[derive(Debug, PartialEq, Eq)]
pub struct Snapshot {
    entries: BTreeMap<Vec<u8>, Vec<u8>>,
    storage_usage: u64,
}

impl World {
    /// A registry at a protocol version.
    #[must_use]
    pub fn open(protocol_version: u32) -> Self {
        let wasm = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../build/registry.wasm");
        assert!(
            wasm.exists(),
            "build/registry.wasm is missing: run 'bash scripts/build.sh contract' first"
        );
        let registry = Some(RegistryGenesis {
            wasm,
            max_block_age: Some(MAX_BLOCK_AGE),
        });
        let genesis = Genesis {
            registry,
            ..Genesis::default()
        };
        let chain = Chain::open(ChainConfig {
            protocol_version,
            genesis,
            ..ChainConfig::default()
        })
        .unwrap();
        Self { chain }
    }

    /// Calls the registry with 85 Tgas, as the relay does, and waits for every receipt.
    pub fn call(&self, signer: &str, method: &str, args: &Value, deposit: u128) -> Outcome {
        self.run(self.sign(signer, method, args, deposit))
    }

    /// Signs a call of the registry, with 85 Tgas, with the signer's development key.
    #[must_use]
    pub fn sign(
        &self,
        signer: &str,
        method: &str,
        args: &Value,
        deposit: u128,
    ) -> SignedTransaction {
        self.sign_with_gas(signer, method, args, deposit, 85)
    }

    /// Signs a call of the registry with an amount of gas, in Tgas.
    #[must_use]
    pub fn sign_with_gas(
        &self,
        signer: &str,
        method: &str,
        args: &Value,
        deposit: u128,
        teragas: u64,
    ) -> SignedTransaction {
        let call = FunctionCallAction {
            method_name: method.to_owned(),
            args: args.to_string().into_bytes(),
            gas: Gas::from_teragas(teragas),
            deposit: Balance::from_yoctonear(deposit),
        };
        self.sign_actions(signer, REGISTRY, vec![Action::FunctionCall(Box::new(call))])
    }

    /// Signs any actions with the signer's development key.
    #[must_use]
    pub fn sign_actions(
        &self,
        signer: &str,
        receiver: &str,
        actions: Vec<Action>,
    ) -> SignedTransaction {
        self.chain
            .sign(signer, &development_key(signer), receiver, actions)
            .unwrap()
    }

    /// Runs a transaction until its last receipt.
    pub fn run(&self, signed: SignedTransaction) -> Outcome {
        self.chain.run(signed).unwrap().into()
    }

    /// The outcome of a submitted transaction that has settled.
    #[must_use]
    pub fn outcome(&self, id: &CryptoHash) -> Outcome {
        match self.chain.transaction_status(id).unwrap() {
            TransactionStatus::Included { outcome, .. } => Outcome::from(*outcome),
            _ => panic!("the transaction is not on the chain"),
        }
    }

    /// Calls a view of the registry.
    pub fn view(&self, method: &str, args: &Value) -> View {
        self.try_view(method, args).unwrap()
    }

    /// Calls a view of the registry that may fail.
    ///
    /// # Errors
    /// The chain's text.
    pub fn try_view(&self, method: &str, args: &Value) -> Result<View, String> {
        let called =
            self.chain
                .view_call(&account_id(REGISTRY), method, args.to_string().as_bytes());
        let result = called.map_err(|error| error.to_string())?;
        Ok(View {
            value: serde_json::from_slice(&result.result).unwrap(),
            logs: result.logs,
        })
    }

    /// An account's balance in yoctoNEAR.
    #[must_use]
    pub fn balance(&self, account: &str) -> u128 {
        self.chain
            .view_account(&account_id(account))
            .unwrap()
            .amount
            .as_yoctonear()
    }

    /// Gives an account 10 NEAR, enough to buy gas with.
    pub fn fund(&self, account: &str) {
        let transfer = TransferAction {
            deposit: Balance::from_near(10),
        };
        self.run(self.sign_actions("testnet", account, vec![Action::Transfer(transfer)]))
            .result
            .unwrap();
    }

    /// Whether the chain has the account.
    #[must_use]
    pub fn exists(&self, account: &str) -> bool {
        self.chain.view_account(&account_id(account)).is_ok()
    }

    /// How many bytes the registry stores.
    #[must_use]
    pub fn storage_usage(&self) -> u64 {
        self.chain
            .view_account(&account_id(REGISTRY))
            .unwrap()
            .storage_usage
    }

    /// The state to compare. The payer's account and key are left out, since gas and nonce change
    /// them; so is the registry's account entry, which a gas reward (until protocol 86) changes,
    /// but for its storage.
    #[must_use]
    pub fn snapshot(&self, payer: &str) -> Snapshot {
        let mut entries = self.chain.state_root_dump();
        // Trie keys: a column, then the account id; 0 is the account's entry, 2 its access keys'.
        let account_entry = |id: &str| [&[0], id.as_bytes()].concat();
        let payer_keys = [&[2], payer.as_bytes(), &[2]].concat();
        entries.remove(&account_entry(payer));
        entries.remove(&account_entry(REGISTRY));
        entries.retain(|key, _| !key.starts_with(&payer_keys));
        Snapshot {
            entries,
            storage_usage: self.storage_usage(),
        }
    }

    /// The public keys and permissions that the chain has for an account.
    #[must_use]
    pub fn access_keys(&self, account: &str) -> usize {
        let prefix = [&[2], account.as_bytes(), &[2]].concat();
        self.chain
            .state_root_dump()
            .keys()
            .filter(|key| key.starts_with(&prefix))
            .count()
    }

    /// Registers a passkey's account through the relayer; it must succeed.
    pub fn register(&self, passkey: &crate::Passkey) -> Outcome {
        let args = passkey.registration(&self.chain.head(), crate::Edit::None);
        let outcome = self.call(
            RELAYER,
            "create_account_and_register_user",
            &args,
            crate::DEPOSIT,
        );
        assert_eq!(
            outcome.result.as_ref().unwrap()["verified"],
            true,
            "{:?}",
            outcome.logs
        );
        outcome
    }
}

/// Reads an account id.
pub(crate) fn account_id(id: &str) -> AccountId {
    id.parse().unwrap()
}

impl From<FinalExecutionOutcomeView> for Outcome {
    fn from(view: FinalExecutionOutcomeView) -> Self {
        let receipts = view.receipts_outcome.iter().map(|receipt| &receipt.outcome);
        let outcomes: Vec<_> = core::iter::once(&view.transaction_outcome.outcome)
            .chain(receipts)
            .collect();
        Self {
            result: match view.status {
                FinalExecutionStatus::SuccessValue(bytes) if bytes.is_empty() => Ok(Value::Null),
                FinalExecutionStatus::SuccessValue(bytes) => {
                    Ok(serde_json::from_slice(&bytes).unwrap())
                }
                other => Err(format!("{other:?}")),
            },
            logs: outcomes
                .iter()
                .flat_map(|outcome| outcome.logs.clone())
                .collect(),
            registry_gas: outcomes
                .iter()
                .skip(1)
                .filter(|outcome| outcome.executor_id == REGISTRY)
                .map(|outcome| outcome.gas_burnt.as_gas())
                .collect(),
            gas_burnt: outcomes
                .iter()
                .map(|outcome| outcome.gas_burnt.as_gas())
                .sum(),
            tokens_burnt: outcomes
                .iter()
                .map(|outcome| outcome.tokens_burnt.as_yoctonear())
                .sum(),
        }
    }
}
