//! A chain with a registry.

use std::collections::BTreeMap;
use std::path::PathBuf;

use latchkey_devnet::{
    Chain, ChainConfig, Genesis, REGISTRY, RegistryGenesis, TransactionStatus, development_key,
};
use near_crypto::PublicKey;
use near_primitives::account::AccessKey;
use near_primitives::action::{
    AddKeyAction, CreateAccountAction, DeployContractAction, FunctionCallAction, TransferAction,
};
use near_primitives::hash::CryptoHash;
use near_primitives::transaction::{Action, SignedTransaction};
use near_primitives::types::{AccountId, Balance, Gas};
use near_primitives::views::{FinalExecutionOutcomeView, FinalExecutionStatus};
use serde_json::{Value, json};

use crate::{Edit, MAX_BLOCK_AGE, Method, Passkey, RELAYER, STORAGE_BYTE_COST};

/// A chain in memory with a new registry. Makes blocks only when something runs.
pub struct World {
    /// The chain.
    pub chain: Chain,
    /// Whether its registry speaks the dialect of the other one on testnet.
    is_dialect: bool,
}

/// The methods that want exactly 1 yoctoNEAR.
pub const WANT_ONE_YOCTO: [&str; 13] = [
    "migrate",
    "store_device_linking_mapping",
    "remove_authenticator",
    "add_admin",
    "remove_admin",
    "transfer_ownership",
    "set_vrf_settings",
    "add_allowed_origin",
    "remove_allowed_origin",
    "set_allowed_origins",
    "add_allowed_host",
    "remove_allowed_host",
    "set_allowed_hosts",
];

/// How a transaction ended.
#[derive(Debug)]
pub struct Outcome {
    /// The answer, or why the transaction failed.
    pub result: Result<Value, String>,
    /// The logs of all receipts.
    pub logs: Vec<String>,
    /// The gas of the transaction and all its receipts.
    pub gas_burnt: u64,
    /// The gas of each receipt that the registry itself executed, in order.
    pub registry_gas: Vec<u64>,
    /// The cost of that gas to the signer, in yoctoNEAR.
    pub tokens_burnt: u128,
}

/// The answer of a view.
#[derive(Debug)]
pub struct View {
    /// The answer.
    pub value: Value,
    /// The logs.
    pub logs: Vec<String>,
}

/// The whole state, except for what any transaction changes: the payer's account and key.
#[derive(Debug, PartialEq, Eq)]
pub struct Snapshot {
    entries: BTreeMap<Vec<u8>, Vec<u8>>,
    storage_usage: u64,
    registry_balance: Option<u128>,
}

impl World {
    /// A registry at a protocol version, from the build for that version.
    #[must_use]
    pub fn open(protocol_version: u32) -> Self {
        Self::with_contract(protocol_version, built_contract(protocol_version))
    }

    /// The registry's build that speaks the dialect of the other one on testnet.
    #[must_use]
    pub fn open_dialect(protocol_version: u32) -> Self {
        let wasm = built("contract-dialect", "registry-dialect.wasm");
        Self {
            is_dialect: true,
            ..Self::with_contract(protocol_version, wasm)
        }
    }

    fn with_contract(protocol_version: u32, wasm: PathBuf) -> Self {
        let registry = RegistryGenesis {
            wasm,
            max_block_age: Some(MAX_BLOCK_AGE),
        };
        let genesis = Genesis {
            registry: Some(registry),
            ..Genesis::default()
        };
        Self::with_genesis(protocol_version, genesis)
    }

    /// A chain with additional accounts of 100 NEAR, and without the registry's contract.
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
        Self {
            chain,
            is_dialect: false,
        }
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

    /// Signs the deployment of a contract, followed by calls in the same transaction.
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
                deposit: Balance::from_yoctonear(self.wanted_deposit(method)),
            }))
        });
        let actions = core::iter::once(deploy).chain(calls).collect();
        self.sign_actions(account, account, actions)
    }

    /// Stores the mapping of a key to the account. The transaction stays open until the mapping expires.
    pub fn store_mapping(&self, account: &str, key: &PublicKey) {
        let args = json!({"device_public_key": key.to_string(), "target_account_id": account});
        let method = "store_device_linking_mapping";
        let signed = self.sign(account, method, &args, self.wanted_deposit(method));
        self.chain.submit(signed).unwrap();
        self.chain.settle().unwrap();
    }

    /// The account to which a key is being linked, with its device counter.
    #[must_use]
    pub fn mapping(&self, key: &PublicKey) -> Value {
        let args = json!({"device_public_key": key.to_string()});
        self.view("get_device_linking_account", &args).value
    }

    /// Runs a transaction through its last receipt.
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
    /// The chain's error text.
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

    /// Creates an account of 10 NEAR that `parent` names, with its development key.
    pub fn create_account(&self, parent: &str, account: &str) {
        let create = Action::CreateAccount(CreateAccountAction {});
        let transfer = Action::Transfer(TransferAction {
            deposit: Balance::from_near(10),
        });
        let actions = vec![create, transfer, full_access(account)];
        let created = self.run(self.sign_actions(parent, account, actions));
        created.result.unwrap();
    }

    /// Makes an implicit account of 10 NEAR, whose key follows from the seed. Returns its id, 64 hex digits. The
    /// account has its development key too, so that it can sign here.
    #[must_use]
    pub fn implicit(&self, seed: &str) -> String {
        let key = development_key(seed);
        let account: String = key
            .public_key()
            .key_data()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        self.fund(&account);
        let signed = self
            .chain
            .sign(&account, &key, &account, vec![full_access(&account)]);
        self.run(signed.unwrap()).result.unwrap();
        account
    }

    /// Whether the account exists.
    #[must_use]
    pub fn exists(&self, account: &str) -> bool {
        self.chain.view_account(&account_id(account)).is_ok()
    }

    /// The registry's storage usage, in bytes.
    #[must_use]
    pub fn storage_usage(&self) -> u64 {
        self.chain
            .view_account(&account_id(REGISTRY))
            .unwrap()
            .storage_usage
    }

    /// The state to compare, including every balance. Leaves out the payer's account and key, which gas
    /// and nonce change, and up to protocol 86 the registry's balance, because a contract gets a share of
    /// the gas.
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

    /// The storage of the registry's contract, from key to value.
    #[must_use]
    pub fn registry_storage(&self) -> BTreeMap<Vec<u8>, Vec<u8>> {
        let prefix = [&[9], REGISTRY.as_bytes(), b","].concat();
        self.chain
            .state_root_dump()
            .into_iter()
            .filter_map(|(key, value)| Some((key.strip_prefix(&prefix[..])?.to_vec(), value)))
            .collect()
    }

    /// The number of an account's access keys.
    #[must_use]
    pub fn access_keys(&self, account: &str) -> usize {
        let prefix = [&[2], account.as_bytes(), &[2]].concat();
        self.chain
            .state_root_dump()
            .keys()
            .filter(|key| key.starts_with(&prefix))
            .count()
    }

    /// The registry's balance beyond its storage cost, in yoctoNEAR.
    #[must_use]
    pub fn surplus(&self) -> u128 {
        let stake = u128::from(self.storage_usage()) * STORAGE_BYTE_COST;
        self.balance(REGISTRY).checked_sub(stake).unwrap()
    }

    /// The deposit that a method wants, except for registrations: 1 yoctoNEAR or none.
    #[must_use]
    pub fn wanted_deposit(&self, method: &str) -> u128 {
        u128::from(!self.is_dialect && WANT_ONE_YOCTO.contains(&method))
    }

    /// Calls a method that must succeed, with the deposit that it wants.
    #[track_caller]
    pub fn expect(&self, signer: &str, method: &str, args: &Value) -> Value {
        let deposit = self.wanted_deposit(method);
        self.call(signer, method, args, deposit).result.unwrap()
    }

    /// Registers a passkey's account through the relayer, which must succeed.
    #[track_caller]
    pub fn register(&self, passkey: &Passkey) -> Outcome {
        let args = passkey.registration(&self.chain.head(), Edit::None);
        self.expect_verified(RELAYER, Method::Register, &args)
    }

    /// Registers a passkey as the account's device `number`, which must succeed.
    #[track_caller]
    pub fn link(&self, passkey: &Passkey, number: u8) -> Outcome {
        let args = passkey.linking(&self.chain.head(), number, Edit::None);
        self.expect_verified(&passkey.account, Method::Link, &args)
    }

    /// Calls a verifying method that must accept.
    #[track_caller]
    pub fn expect_verified(&self, signer: &str, method: Method, args: &Value) -> Outcome {
        let outcome = self.call(signer, method.name(), args, method.deposit());
        let answer = outcome.result.as_ref().unwrap();
        assert_eq!(answer["verified"], true, "{:?}", outcome.logs);
        outcome
    }

    /// Calls a verifying method that must refuse for this reason, change nothing, and cost the signer only
    /// gas.
    #[track_caller]
    pub fn expect_refused(&self, signer: &str, method: Method, args: &Value, reason: &str) {
        self.expect_refused_with(signer, method, args, method.deposit(), reason);
    }

    /// The same with another deposit.
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

    /// Whether the registry accepts an assertion of the passkey.
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

/// The built registry for a protocol version. Below 85 it checks P-256 in WASM.
#[must_use]
pub fn built_contract(protocol_version: u32) -> PathBuf {
    if protocol_version < 85 {
        built("contract-p256", "registry-p256.wasm")
    } else {
        built("contract", "registry.wasm")
    }
}

fn built(part: &str, name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../build")
        .join(name);
    assert!(
        path.exists(),
        "build/{name} is missing: run 'bash scripts/build.sh {part}' first"
    );
    path
}

/// Adds an account's development key to it.
fn full_access(account: &str) -> Action {
    Action::AddKey(Box::new(AddKeyAction {
        public_key: development_key(account).public_key(),
        access_key: AccessKey::full_access(),
    }))
}

/// Parses an account id.
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
