//! The table of methods.

use near_crypto::{KeyType, PublicKey};
use near_jsonrpc_primitives::errors::RpcError;
use near_jsonrpc_primitives::types::blocks::RpcBlockError;
use near_parameters::RuntimeConfigView;
use near_primitives::types::{BlockId, BlockReference};
use near_primitives::version::{PROTOCOL_VERSION, Version};
use near_primitives::views::{
    EpochValidatorInfo, GasPriceView, StatusResponse, StatusSyncInfo, TxExecutionStatus,
};
use serde_json::{Value, json};

use super::answer::{Answer, bad_params, internal, refuse, result};
use super::query::find_block;
use super::server::in_background;
use super::{params, query, transactions};
use crate::block::Block;
use crate::chain::Chain;

/// Calls a method by its name.
pub(super) async fn call(chain: &Chain, method: &str, args: Value) -> Answer {
    match method {
        "send_tx" => {
            let request = params::send(args)?;
            transactions::send(chain, request.signed_transaction, request.wait_until).await
        }
        "broadcast_tx_async" => {
            transactions::send_and_forget(chain, params::broadcast(args)?).await
        }
        "broadcast_tx_commit" => {
            let signed = params::broadcast(args)?;
            let answer = transactions::send(chain, signed, TxExecutionStatus::Executed).await?;
            Ok(transactions::without_level(answer))
        }
        "tx" | "EXPERIMENTAL_tx_status" => {
            let request = params::status(args)?;
            let with_receipts = method == "EXPERIMENTAL_tx_status";
            transactions::status(
                chain,
                request.transaction_info,
                request.wait_until,
                with_receipts,
            )
            .await
        }
        _ => {
            let (chain, method) = (chain.clone(), method.to_owned());
            in_background(move || look_up(&chain, &method, args)).await?
        }
    }
}

/// The methods that only look.
fn look_up(chain: &Chain, method: &str, args: Value) -> Answer {
    match method {
        "query" => {
            let (block, request) = params::query(args)?;
            query::query(chain, block, request)
        }
        "block" => {
            let reference = params::block(args)?;
            let block = known_block(chain, reference)?;
            result(block.view(chain.ledger().rules.author.clone()))
        }
        "gas_price" => {
            let reference = block_or_head(params::optional_block_id(args)?);
            result(GasPriceView {
                gas_price: known_block(chain, reference)?.gas_price,
            })
        }
        "status" => status(chain),
        "health" => Ok(Value::Null),
        "network_info" => Ok(json!({
            "active_peers": [], "num_active_peers": 0, "peer_max_count": 0, "sent_bytes_per_sec": 0,
            "received_bytes_per_sec": 0, "known_producers": [],
        })),
        "validators" => {
            let start = chain
                .ledger()
                .storage
                .earliest()
                .map_err(internal)?
                .map_or(0, |block| block.height);
            result(EpochValidatorInfo {
                current_validators: vec![],
                next_validators: vec![],
                current_fishermen: vec![],
                next_fishermen: vec![],
                current_proposals: vec![],
                prev_epoch_kickout: vec![],
                epoch_start_height: start,
                epoch_height: 1,
                validator_reward_paid_prev_epoch: Default::default(),
            })
        }
        "EXPERIMENTAL_protocol_config" => {
            known_block(chain, params::block(args)?)?;
            protocol_config(chain)
        }
        // The sandbox's way to make blocks on demand; the server listens on loopback only.
        "sandbox_fast_forward" => {
            let count = params::delta_height(&args)?;
            chain.produce_blocks(count).map_err(internal)?;
            Ok(json!({}))
        }
        other => Err(Box::new(RpcError::method_not_found(other.to_owned()))),
    }
}

fn block_or_head(id: Option<BlockId>) -> BlockReference {
    id.map_or(
        BlockReference::Finality(Default::default()),
        BlockReference::BlockId,
    )
}

fn known_block(chain: &Chain, reference: BlockReference) -> Result<Block, Box<RpcError>> {
    let found = find_block(&chain.ledger(), &reference).map_err(internal)?;
    found.ok_or_else(|| {
        let error_message = match &reference {
            BlockReference::BlockId(BlockId::Height(height)) => format!("BLOCK HEIGHT: {height}"),
            BlockReference::BlockId(BlockId::Hash(hash)) => format!("BLOCK: {hash}"),
            other => format!("{other:?}"),
        };
        refuse(RpcBlockError::UnknownBlock { error_message })
    })
}

fn status(chain: &Chain) -> Answer {
    let ledger = chain.ledger();
    let head = &ledger.head;
    let earliest = ledger.storage.earliest().map_err(internal)?;
    let time = |block: &Block| {
        near_time::Utc::from_unix_timestamp_nanos(i128::from(block.timestamp_nanos))
            .map_err(internal)
    };
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
            latest_block_time: time(head)?,
            syncing: false,
            earliest_block_hash: earliest.as_ref().map(|block| block.hash),
            earliest_block_height: earliest.as_ref().map(|block| block.height),
            earliest_block_time: earliest.as_ref().map(time).transpose()?,
            epoch_id: Some(near_primitives::types::EpochId(head.epoch_id)),
            epoch_start_height: earliest.as_ref().map(|block| block.height),
        },
        validator_account_id: None,
        validator_public_key: None,
        node_public_key: PublicKey::empty(KeyType::ED25519),
        node_key: None,
        uptime_sec: chain.uptime().as_secs().try_into().unwrap_or(i64::MAX),
        genesis_hash: head.epoch_id,
        detailed_debug_status: None,
    })
}

/// The parts of the protocol's configuration that clients read: prices and limits.
fn protocol_config(chain: &Chain) -> Answer {
    let ledger = chain.ledger();
    let rules = &ledger.rules;
    let runtime = serde_json::to_value(RuntimeConfigView::from(rules.config.as_ref().clone()))
        .map_err(|error| bad_params(error.to_string()))?;
    Ok(json!({
        "chain_id": rules.chain_id,
        "protocol_version": rules.protocol_version,
        "genesis_height": crate::genesis::GENESIS_HEIGHT,
        "epoch_length": u64::MAX / 2,
        "gas_limit": rules.config.wasm_config.limit_config.max_gas_burnt,
        "min_gas_price": rules.gas_price,
        "max_gas_price": rules.gas_price,
        "transaction_validity_period": ledger.validity_blocks(),
        "runtime_config": runtime,
    }))
}
