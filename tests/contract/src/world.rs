//! A chain with the registry on it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use latchkey_devnet::{
    Chain, ChainConfig, Genesis, REGISTRY, RegistryGenesis, TransactionStatus, development_key,
};
use near_crypto::PublicKey;
use near_primitives::action::{DeployContractAction, FunctionCallAction, TransferAction};
use near_primitives::hash::CryptoHash;
use near_primitives::transaction::{Action, SignedTransaction};
use near_primitives::types::{AccountId, Balance, Gas};
use near_primitives::views::{FinalExecutionOutcomeView, FinalExecutionStatus};
use serde_json::{Value, json};

use crate::{Edit, MAX_BLOCK_AGE, Method, Passkey, RELAYER, STORAGE_BYTE_COST};

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
    registry_balance: Option<u128>,
}

impl World {
    /// A registry at a protocol version, of the build that is meant for it.
    #[must_use]
    pub fn open(protocol_version: u32) -> Self {
        let registry = RegistryGenesis {
            wasm: built_contract(protocol_version),
            max_block_age: Some(MAX_BLOCK_AGE),
        };
        let genesis = Genesis {
            registry: Some(registry),
            ..Genesis::default()
        };
        Self::with_genesis(protocol_version, genesis)
    }

    /// A chain with accounts of 100 NEAR besides its usual ones, and no contract on the registry's.
    #[must_use]
    pub fn without_registry(protocol_version: u32, accounts: &[&str]) -> Self {
        let genesis = accounts.iter().fold(Genesis::default(), |genesis, id| {
            genesis.with_account(account_id(id), Balance::from_near(100))
        });
        Self::with_genesis(protocol_version, genesis)
    }

    fn with_genesis(protocol_version: u32, genesis: Genesis) -> Self {
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
        self.sign_with_gas(signer, method, args, deposit, Gas::from_teragas(85))
    }

    /// Signs a call of the registry with an amount of gas.
    #[must_use]
    pub fn sign_with_gas(
        &self,
        signer: &str,
        method: &str,
        args: &Value,
        deposit: u128,
        gas: Gas,
    ) -> SignedTransaction {
        let call = FunctionCallAction {
            method_name: method.to_owned(),
            args: args.to_string().into_bytes(),
            gas,
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

    /// Signs the deployment of a contract, and calls that follow it in the transaction.
    #[must_use]
    pub fn sign_deployment(
        &self,
        account: &str,
        code: Vec<u8>,
        calls: &[(&str, &Value)],
    ) -> SignedTransaction {
        let deploy = Action::DeployContract(DeployContractAction { code });
        let calls = calls.iter().map(|(method, args)| {
            Action::FunctionCall(Box::new(FunctionCallAction {
                method_name: (*method).to_owned(),
                args: args.to_string().into_bytes(),
                gas: Gas::from_teragas(30),
                deposit: Balance::ZERO,
            }))
        });
        let actions = core::iter::once(deploy).chain(calls).collect();
        self.sign_actions(account, account, actions)
    }

    /// Says that a key is being linked to the account. The transaction stays open until the mapping's
    /// time is over.
    pub fn store_mapping(&self, account: &str, key: &PublicKey) {
        let args = json!({"device_public_key": key.to_string(), "target_account_id": account});
        let signed = self.sign(account, "store_device_linking_mapping", &args, 0);
        self.chain.submit(signed).unwrap();
        self.chain.settle().unwrap();
    }

    /// The account that a key is being linked to, with its device counter.
    #[must_use]
    pub fn mapping(&self, key: &PublicKey) -> Value {
        let args = json!({"device_public_key": key.to_string()});
        self.view("get_device_linking_account", &args).value
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

    /// The state to compare, every balance in it. The payer's account and key are left out, since gas
    /// and nonce change them; so is the registry's balance until protocol 86, under which a contract
    /// gets a part of the gas.
    #[must_use]
    pub fn snapshot(&self, payer: &str) -> Snapshot {
        let mut entries = self.chain.state_root_dump();
        // Trie keys: a column, then the account id; 0 is the account's entry, 2 its access keys'.
        let account_entry = |id: &str| [&[0], id.as_bytes()].concat();
        let payer_keys = [&[2], payer.as_bytes(), &[2]].concat();
        entries.remove(&account_entry(payer));
        entries.remove(&account_entry(REGISTRY));
        entries.retain(|key, _| !key.starts_with(&payer_keys));
        let gets_a_reward = self.chain.protocol_version() < 87;
        let is_payer = payer == REGISTRY;
        Snapshot {
            entries,
            storage_usage: self.storage_usage(),
            registry_balance: (!gets_a_reward && !is_payer).then(|| self.balance(REGISTRY)),
        }
    }

    /// What the registry's contract stores, key to value.
    #[must_use]
    pub fn registry_storage(&self) -> BTreeMap<Vec<u8>, Vec<u8>> {
        let prefix = [&[9], REGISTRY.as_bytes(), b","].concat();
        self.chain
            .state_root_dump()
            .into_iter()
            .filter_map(|(key, value)| Some((key.strip_prefix(&prefix[..])?.to_vec(), value)))
            .collect()
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

    /// What the registry holds beyond the price of its storage, in yoctoNEAR.
    #[must_use]
    pub fn surplus(&self) -> u128 {
        let stake = u128::from(self.storage_usage()) * STORAGE_BYTE_COST;
        self.balance(REGISTRY).checked_sub(stake).unwrap()
    }

    /// Calls a method that must succeed, without a deposit.
    #[track_caller]
    pub fn expect(&self, signer: &str, method: &str, args: &Value) -> Value {
        self.call(signer, method, args, 0).result.unwrap()
    }

    /// Registers a passkey's account through the relayer; it must succeed.
    #[track_caller]
    pub fn register(&self, passkey: &Passkey) -> Outcome {
        let args = passkey.registration(&self.chain.head(), Edit::None);
        self.expect_verified(RELAYER, Method::Register, &args)
    }

    /// Registers a passkey as the account's device of a certain number; it must succeed.
    #[track_caller]
    pub fn link(&self, passkey: &Passkey, number: u8) -> Outcome {
        let args = passkey.linking(&self.chain.head(), number, Edit::None);
        self.expect_verified(&passkey.account, Method::Link, &args)
    }

    /// Calls a verifying method, which must accept.
    #[track_caller]
    pub fn expect_verified(&self, signer: &str, method: Method, args: &Value) -> Outcome {
        let outcome = self.call(signer, method.name(), args, method.deposit());
        let answer = outcome.result.as_ref().unwrap();
        assert_eq!(answer["verified"], true, "{:?}", outcome.logs);
        outcome
    }

    /// Calls a verifying method, which must refuse for this reason, change nothing, and cost the
    /// signer its gas alone.
    #[track_caller]
    pub fn expect_refused(&self, signer: &str, method: Method, args: &Value, reason: &str) {
        self.expect_refused_with(signer, method, args, method.deposit(), reason);
    }

    /// The same with a certain deposit.
    #[track_caller]
    pub fn expect_refused_with(
        &self,
        signer: &str,
        method: Method,
        args: &Value,
        deposit: u128,
        reason: &str,
    ) {
        let (balance, state) = (self.balance(signer), self.snapshot(signer));
        let outcome = self.call(signer, method.name(), args, deposit);
        let name = method.name();
        assert_eq!(
            outcome.result,
            Ok(method.refusal()),
            "{name}, not: {reason}: {:?}",
            outcome.logs
        );
        let log = outcome.logs.concat();
        assert!(log.contains(reason), "{name}, not: {reason}, but: {log}");
        assert!(
            self.snapshot(signer) == state,
            "{name}, {reason}: the state changed"
        );
        assert_eq!(
            balance - self.balance(signer),
            outcome.tokens_burnt,
            "{name}, {reason}: the deposit came back"
        );
    }

    /// Whether the registry verifies an assertion of the passkey.
    #[must_use]
    pub fn verifies(&self, passkey: &Passkey) -> bool {
        let args = passkey.authentication(&self.chain.head(), Edit::None);
        self.view(Method::Authenticate.name(), &args).value["verified"] == true
    }

    /// The account's device counter.
    #[must_use]
    pub fn device_counter(&self, account: &str) -> Value {
        self.view("get_device_counter", &json!({"account_id": account}))
            .value
    }

    /// The account's credential ids.
    #[must_use]
    pub fn credential_ids(&self, account: &str) -> Value {
        let args = json!({"account_id": account});
        self.view("get_credential_ids_by_account", &args).value
    }
}

/// The built registry for a protocol version: below 85 the one that checks P-256 in WASM.
#[must_use]
pub fn built_contract(protocol_version: u32) -> PathBuf {
    let (part, name) = if protocol_version < 85 {
        ("contract-p256", "registry-p256.wasm")
    } else {
        ("contract", "registry.wasm")
    };
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../build")
        .join(name);
    assert!(
        path.exists(),
        "build/{name} is missing: run 'bash scripts/build.sh {part}' first"
    );
    path
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
