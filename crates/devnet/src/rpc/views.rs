//! Accounts, keys, code, contract state and view calls, as a node sees them at a block.

use near_jsonrpc_primitives::types::query::{QueryResponseKind, RpcQueryError, RpcQueryResponse};
use near_primitives::action::GlobalContractIdentifier;
use near_primitives::hash::{CryptoHash, hash};
use near_primitives::trie_key::trie_key_parsers;
use near_primitives::types::{AccountId, BlockId, BlockReference, StoreKey};
use near_primitives::views::{
    AccessKeyInfoView, AccessKeyList, ContractCodeView, GasKeyNoncesView, QueryRequest, StateItem,
    ViewStateResult,
};

use super::node::Node;
use crate::block::Block;
use crate::chain::view_call_at;
use crate::errors::ViewError;
use crate::ledger::Ledger;
use crate::network::RpcDialect;
use crate::runtime::{RuntimeError, gas_key_nonces};
use crate::state::StateUpdate;

/// The most bytes of contract state in one `view_state` answer, as on a node.
const MAX_VIEWED_STATE: usize = 50_000;
/// The most access keys in one answer, as on a node.
const MAX_KEYS: u32 = 100;

/// A view with its block, or the error that names it.
pub(super) fn view(
    node: &Node,
    reference: BlockReference,
    request: QueryRequest,
) -> Result<RpcQueryResponse, RpcQueryError> {
    let ledger = node.ledger();
    let found =
        node.find_block(&ledger, &reference)
            .map_err(|error| RpcQueryError::InternalError {
                error_message: error.to_string(),
            })?;
    let Some(block) = found else {
        return Err(match reference {
            BlockReference::BlockId(BlockId::Height(block_height))
                if block_height < ledger.remembered_from() =>
            {
                RpcQueryError::GarbageCollectedBlock {
                    block_height,
                    block_hash: CryptoHash::default(),
                }
            }
            block_reference => RpcQueryError::UnknownBlock { block_reference },
        });
    };
    Ok(RpcQueryResponse {
        kind: answer(node, &ledger, &block, request)?,
        block_height: block.height,
        block_hash: block.hash,
    })
}

fn answer(
    node: &Node,
    ledger: &Ledger,
    block: &Block,
    request: QueryRequest,
) -> Result<QueryResponseKind, RpcQueryError> {
    let (block_height, block_hash) = (block.height, block.hash);
    let state = ledger
        .state_at(block_height)
        .ok_or(RpcQueryError::GarbageCollectedBlock {
            block_height,
            block_hash,
        })?;
    let account = |id: &AccountId| {
        state
            .account(id)
            .map_err(fault)?
            .ok_or_else(|| RpcQueryError::UnknownAccount {
                requested_account_id: id.clone(),
                block_height,
                block_hash,
            })
    };
    // An older node looks for keys without looking at the account.
    let owner = |id: &AccountId| match node.dialect {
        RpcDialect::Older => Ok(()),
        RpcDialect::Newer => account(id).map(drop),
    };
    let global_code =
        |identifier: GlobalContractIdentifier| match state.global_code(identifier.clone()) {
            Some(code) => Ok(QueryResponseKind::ViewCode(ContractCodeView {
                code: code.to_vec(),
                hash: hash(code),
            })),
            None => Err(RpcQueryError::NoGlobalContractCode {
                identifier,
                block_height,
                block_hash,
            }),
        };
    match request {
        QueryRequest::ViewAccount { account_id } => {
            Ok(QueryResponseKind::ViewAccount(account(&account_id)?.into()))
        }
        QueryRequest::ViewCode { account_id } => {
            match state.contract(&account_id, &account(&account_id)?) {
                Some((hash, code)) => Ok(QueryResponseKind::ViewCode(ContractCodeView {
                    code: code.to_vec(),
                    hash,
                })),
                None => Err(RpcQueryError::NoContractCode {
                    contract_account_id: account_id,
                    block_height,
                    block_hash,
                }),
            }
        }
        QueryRequest::ViewState {
            account_id,
            prefix,
            after_key,
            limit,
            ..
        } => {
            account(&account_id)?;
            let limit = limit.map(|limit| limit.get() as usize);
            view_state(&state, &account_id, &prefix, after_key.as_ref(), limit)
                .map_err(fault)?
                .map(QueryResponseKind::ViewState)
                .ok_or(RpcQueryError::TooLargeContractState {
                    contract_account_id: account_id,
                    block_height,
                    block_hash,
                })
        }
        QueryRequest::ViewAccessKey {
            account_id,
            public_key,
        } => {
            owner(&account_id)?;
            match state.access_key(&account_id, &public_key).map_err(fault)? {
                Some(access_key) => Ok(QueryResponseKind::AccessKey(access_key.into())),
                None => Err(RpcQueryError::UnknownAccessKey {
                    public_key,
                    block_height,
                    block_hash,
                }),
            }
        }
        QueryRequest::ViewAccessKeyList {
            account_id,
            after_key,
            limit,
        } => {
            owner(&account_id)?;
            let keys = state.access_keys(&account_id).map_err(fault)?;
            let older = node.dialect == RpcDialect::Older;
            let (after_key, limit) = if older {
                (None, None)
            } else {
                (after_key, limit)
            };
            let all = older || node.simple;
            let most = if all { u32::MAX } else { MAX_KEYS };
            if limit.is_none() && after_key.is_none() && keys.len() > most as usize {
                return Err(RpcQueryError::TooManyAccessKeys {
                    requested_account_id: account_id,
                    limit: most,
                    block_height,
                    block_hash,
                });
            }
            let limit = limit.map_or(most, |limit| limit.get().min(most)) as usize;
            // Keys are sorted. The last key of a page may be deleted before the next page is requested.
            let mut rest = keys
                .into_iter()
                .skip_while(|(handle, _)| after_key.as_ref().is_some_and(|after| handle <= after));
            let page: Vec<_> = rest
                .by_ref()
                .take(limit)
                .map(|(handle, access_key)| AccessKeyInfoView::new(handle, access_key.into()))
                .collect();
            let more = rest.next().is_some();
            let last_key = page
                .last()
                .filter(|_| more)
                .map(|last| last.public_key.clone());
            Ok(QueryResponseKind::AccessKeyList(AccessKeyList {
                keys: page,
                last_key,
            }))
        }
        QueryRequest::CallFunction {
            account_id,
            method_name,
            args,
        } => view_call_at(ledger, block, &account_id, &method_name, &args)
            .map(QueryResponseKind::CallResult)
            .map_err(|error| call_error(error, account_id, block)),
        QueryRequest::ViewGasKeyNonces {
            account_id,
            public_key,
        } => {
            owner(&account_id)?;
            match gas_key_nonces(&state, &account_id, &public_key).map_err(fault)? {
                Some(nonces) => Ok(QueryResponseKind::GasKeyNonces(GasKeyNoncesView { nonces })),
                None => Err(RpcQueryError::UnknownGasKey {
                    public_key,
                    block_height,
                    block_hash,
                }),
            }
        }
        QueryRequest::ViewGlobalContractCode { code_hash } => {
            global_code(GlobalContractIdentifier::CodeHash(code_hash))
        }
        QueryRequest::ViewGlobalContractCodeByAccountId { account_id } => {
            global_code(GlobalContractIdentifier::AccountId(account_id))
        }
    }
}

/// Contract state under a prefix. `None` if it is too large to show without a limit, or if its first
/// entry alone is too large.
fn view_state(
    state: &StateUpdate<'_>,
    account_id: &AccountId,
    prefix: &[u8],
    after_key: Option<&StoreKey>,
    limit: Option<usize>,
) -> Result<Option<ViewStateResult>, RuntimeError> {
    let start = trie_key_parsers::get_raw_prefix_for_contract_data(account_id, prefix);
    let mut values = Vec::new();
    let mut bytes = 0;
    let mut last_key = None;
    for (key, value) in state.with_prefix(&start) {
        let key = trie_key_parsers::parse_data_key_from_contract_data_key(&key, account_id)
            .map_err(|error| RuntimeError::Corrupt(error.to_string()))?
            .to_vec();
        if after_key.is_some_and(|after| key.as_slice() <= after.as_slice()) {
            continue;
        }
        bytes += key.len() + value.len();
        let full = limit.is_some_and(|limit| values.len() >= limit);
        if full || bytes > MAX_VIEWED_STATE {
            // A client would take an empty page for the end.
            if limit.is_none() || values.is_empty() {
                return Ok(None);
            }
            last_key = values.last().map(|item: &StateItem| item.key.clone());
            break;
        }
        values.push(StateItem {
            key: key.into(),
            value: value.to_vec().into(),
        });
    }
    Ok(Some(ViewStateResult {
        values,
        proof: vec![],
        last_key,
    }))
}

fn call_error(error: ViewError, account_id: AccountId, block: &Block) -> RpcQueryError {
    let (block_height, block_hash) = (block.height, block.hash);
    match error {
        ViewError::UnknownAccount => RpcQueryError::UnknownAccount {
            requested_account_id: account_id,
            block_height,
            block_hash,
        },
        ViewError::Contract {
            error, vm_error, ..
        } => RpcQueryError::ContractExecutionError {
            vm_error,
            error: *error,
            block_height,
            block_hash,
        },
        other => RpcQueryError::InternalError {
            error_message: other.to_string(),
        },
    }
}

fn fault(error: RuntimeError) -> RpcQueryError {
    RpcQueryError::InternalError {
        error_message: error.to_string(),
    }
}
