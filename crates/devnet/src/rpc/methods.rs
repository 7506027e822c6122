//! The JSON-RPC methods.

use near_chain_configs::{GenesisConfig, ProtocolConfig, ProtocolConfigView};
use near_crypto::{KeyType, PublicKey};
use near_jsonrpc_primitives::errors::RpcError;
use near_jsonrpc_primitives::types::blocks::RpcBlockError;
use near_jsonrpc_primitives::types::call_function::RpcCallFunctionError;
use near_jsonrpc_primitives::types::config::{RpcProtocolConfigError, RpcProtocolConfigResponse};
use near_jsonrpc_primitives::types::gas_price::RpcGasPriceError;
use near_jsonrpc_primitives::types::validator::RpcValidatorError;
use near_jsonrpc_primitives::types::view_access_key::RpcViewAccessKeyError;
use near_jsonrpc_primitives::types::view_access_key_list::RpcViewAccessKeyListError;
use near_jsonrpc_primitives::types::view_account::RpcViewAccountError;
use near_jsonrpc_primitives::types::view_code::RpcViewCodeError;
use near_jsonrpc_primitives::types::view_gas_key_nonces::RpcViewGasKeyNoncesError;
use near_jsonrpc_primitives::types::view_state::RpcViewStateError;
use near_primitives::types::{BlockHeightDelta, BlockId, BlockReference, EpochReference, Finality};
use near_primitives::version::{PROTOCOL_VERSION, Version};
use near_primitives::views::{
    EpochValidatorInfo, GasPriceView, StatusResponse, StatusSyncInfo, TxExecutionStatus,
};
use serde_json::value::Serializer;
use serde_json::{Value, json};

use super::answer::{Answer, internal, refuse, result};
use super::background::in_background;
use super::node::Node;
use super::{params, query, transactions};
use crate::block::Block;
use crate::genesis::GENESIS_HEIGHT;
use crate::network::RpcDialect;

/// The length of the endless epoch in blocks: the largest integer that JavaScript holds exactly.
const ENDLESS: BlockHeightDelta = (1 << 53) - 1;

/// Calls a method by its name.
pub(super) async fn call(node: &Node, method: &str, args: Value) -> Answer {
    match method {
        "send_tx" => {
            let request = params::send(args)?;
            transactions::send(node, request.signed_transaction, request.wait_until).await
        }
        "broadcast_tx_async" => transactions::send_and_forget(node, params::broadcast(args)?).await,
        "broadcast_tx_commit" => {
            let signed = params::broadcast(args)?;
            let level = TxExecutionStatus::ExecutedOptimistic;
            let answer = transactions::send(node, signed, level).await?;
            Ok(transactions::without_level(answer))
        }
        "tx_status" if node.dialect == RpcDialect::Older => {
            Err(Box::new(RpcError::method_not_found(method.to_owned())))
        }
        "tx" | "tx_status" | "EXPERIMENTAL_tx_status" => {
            let request = params::status(args)?;
            let with_receipts = method != "tx";
            transactions::status(
                node,
                request.transaction_info,
                request.wait_until,
                with_receipts,
            )
            .await
        }
        _ => {
            let (node, method) = (node.clone(), method.to_owned());
            in_background(move || look_up(&node, &method, args)).await?
        }
    }
}

/// The methods that wait for no block. All but the sandbox's only read.
fn look_up(node: &Node, method: &str, args: Value) -> Answer {
    match method {
        "query" => query::query(node, args),
        "EXPERIMENTAL_view_account" => {
            query::structured::<RpcViewAccountError>(node, "view_account", args)
        }
        "EXPERIMENTAL_view_access_key" => {
            query::structured::<RpcViewAccessKeyError>(node, "view_access_key", args)
        }
        "EXPERIMENTAL_view_access_key_list" => {
            query::structured::<RpcViewAccessKeyListError>(node, "view_access_key_list", args)
        }
        "EXPERIMENTAL_view_gas_key_nonces" => {
            query::structured::<RpcViewGasKeyNoncesError>(node, "view_gas_key_nonces", args)
        }
        "EXPERIMENTAL_view_code" => query::structured::<RpcViewCodeError>(node, "view_code", args),
        "EXPERIMENTAL_view_state" => {
            query::structured::<RpcViewStateError>(node, "view_state", args)
        }
        "EXPERIMENTAL_call_function" => {
            query::structured::<RpcCallFunctionError>(node, "call_function", args)
        }
        "block" => {
            let block = known_block(node, params::block(args)?, |error_message| {
                refuse(RpcBlockError::UnknownBlock { error_message })
            })?;
            result(node.ledger().view_of(&block).map_err(internal)?)
        }
        "gas_price" => {
            let id = params::optional_block_id(args)?;
            let newest = BlockReference::Finality(Finality::None);
            let reference = id.map_or(newest, BlockReference::BlockId);
            let block = known_block(node, reference, |error_message| {
                refuse(RpcGasPriceError::UnknownBlock { error_message })
            })?;
            result(GasPriceView {
                gas_price: block.gas_price,
            })
        }
        "status" => status(node),
        "health" => Ok(Value::Null),
        "network_info" => Ok(json!({
            "active_peers": [], "num_active_peers": 0, "peer_max_count": 0, "sent_bytes_per_sec": 0,
            "received_bytes_per_sec": 0, "known_producers": [],
        })),
        "validators" => validators(node, params::epoch(args)?),
        "EXPERIMENTAL_protocol_config" => {
            known_block(node, params::block_reference(args)?, |error_message| {
                refuse(RpcProtocolConfigError::UnknownBlock { error_message })
            })?;
            protocol_config(node)
        }
        // NEAR sandbox's method to make blocks on demand. The server listens on loopback only.
        "sandbox_fast_forward" => {
            let count = params::delta_height(&args)?;
            node.chain.produce_blocks(count).map_err(internal)?;
            Ok(json!({}))
        }
        other => Err(Box::new(RpcError::method_not_found(other.to_owned()))),
    }
}

/// Finds a block, or builds the method's error with `unknown` from the text that a node's database
/// gives.
fn known_block(
    node: &Node,
    reference: BlockReference,
    unknown: impl FnOnce(String) -> Box<RpcError>,
) -> Result<Block, Box<RpcError>> {
    let found = node
        .find_block(&node.ledger(), &reference)
        .map_err(internal)?;
    found.ok_or_else(|| {
        unknown(match &reference {
            BlockReference::BlockId(BlockId::Height(height)) => format!("BLOCK HEIGHT: {height}"),
            BlockReference::BlockId(BlockId::Hash(hash)) => format!("BLOCK: {hash}"),
            other => format!("{other:?}"),
        })
    })
}

/// The validators of the only epoch: none.
fn validators(node: &Node, epoch: EpochReference) -> Answer {
    let ledger = node.ledger();
    let is_known = match epoch {
        EpochReference::Latest => true,
        EpochReference::EpochId(id) => id.0 == ledger.head.epoch_id,
        EpochReference::BlockId(id) => node
            .find_block(&ledger, &BlockReference::BlockId(id))
            .map_err(internal)?
            .is_some(),
    };
    if !is_known {
        return Err(refuse(RpcValidatorError::UnknownEpoch));
    }
    let earliest = ledger.earliest().map_err(internal)?;
    result(EpochValidatorInfo {
        current_validators: vec![],
        next_validators: vec![],
        current_fishermen: vec![],
        next_fishermen: vec![],
        current_proposals: vec![],
        prev_epoch_kickout: vec![],
        epoch_start_height: earliest.map_or(0, |block| block.height),
        epoch_height: 1,
        validator_reward_paid_prev_epoch: Default::default(),
    })
}

fn status(node: &Node) -> Answer {
    let ledger = node.ledger();
    let head = node.sight(&ledger).map_err(internal)?.head;
    let earliest = ledger.earliest().map_err(internal)?;
    result(StatusResponse {
        version: Version {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            build: "latchkey-devnet".to_owned(),
            commit: String::new(),
            rustc_version: String::new(),
        },
        chain_id: ledger.rules.chain_id.clone(),
        protocol_version: ledger.rules.protocol_version,
        latest_protocol_version: PROTOCOL_VERSION,
        rpc_addr: None,
        validators: vec![],
        sync_info: StatusSyncInfo {
            latest_block_hash: head.hash,
            latest_block_height: head.height,
            latest_state_root: head.state_digest,
            latest_block_time: head.time().map_err(internal)?,
            syncing: false,
            earliest_block_hash: earliest.as_ref().map(|block| block.hash),
            earliest_block_height: earliest.as_ref().map(|block| block.height),
            earliest_block_time: earliest
                .as_ref()
                .map(Block::time)
                .transpose()
                .map_err(internal)?,
            epoch_id: Some(near_primitives::types::EpochId(head.epoch_id)),
            epoch_start_height: earliest.as_ref().map(|block| block.height),
        },
        validator_account_id: None,
        validator_public_key: None,
        node_public_key: PublicKey::empty(KeyType::ED25519),
        node_key: None,
        uptime_sec: node.chain.uptime().as_secs().try_into().unwrap_or(i64::MAX),
        genesis_hash: head.epoch_id,
        detailed_debug_status: None,
    })
}

/// The protocol's configuration. This chain has no validators, epochs or shards, so their values are
/// the defaults of a genesis file.
fn protocol_config(node: &Node) -> Answer {
    let ledger = node.ledger();
    let rules = &ledger.rules;
    let earliest = ledger.earliest().map_err(internal)?;
    let genesis_config = GenesisConfig {
        protocol_version: rules.protocol_version,
        chain_id: rules.chain_id.clone(),
        genesis_height: GENESIS_HEIGHT,
        epoch_length: ENDLESS,
        gas_limit: rules.config.wasm_config.limit_config.max_gas_burnt,
        min_gas_price: rules.gas_price,
        max_gas_price: ledger.highest_gas_price(),
        transaction_validity_period: ledger.validity_blocks(),
        protocol_treasury_account: rules.author.clone(),
        ..GenesisConfig::default()
    };
    let config_view = ProtocolConfigView::from(ProtocolConfig {
        genesis_config,
        runtime_config: rules.config.as_ref().clone(),
    });
    let mut config = result(RpcProtocolConfigResponse { config_view })?;
    if let (Some(began), Some(earliest)) = (config.get_mut("genesis_time"), earliest) {
        let time = earliest.time().map_err(internal)?;
        *began = near_time::serde_utc_as_iso::serialize(&time, Serializer).map_err(internal)?;
    }
    Ok(config)
}
