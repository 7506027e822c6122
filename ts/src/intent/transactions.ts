/** The digest of transactions: an array of {actions, receiverId}, actions in the specification's snake_case. */
import type { AccessKeyPermission, Action, TransactionRequest } from '../types.js';
import { canonicalJson, type Json } from './canonical-json.js';
import { digestOf } from './digest.js';

/** Approves `transactions`, in this order. */
export async function transactionsDigest(transactions: readonly TransactionRequest[]): Promise<string> {
  return digestOf(transactionsText(transactions));
}

/** The canonical JSON that {@link transactionsDigest} hashes. */
export function transactionsText(transactions: readonly TransactionRequest[]): string {
  return canonicalJson(
    transactions.map(({ receiverId, actions }) => ({ receiverId, actions: actions.map(actionJson) })),
  );
}

/** Approves one transaction as a delegate (NEP-366), good for so many blocks after the challenge's. */
export async function delegateDigest(request: TransactionRequest, validForBlocks: number): Promise<string> {
  return digestOf(delegateText(request, validForBlocks));
}

/** The canonical JSON that {@link delegateDigest} hashes: an object, where that of transactions is an array. */
export function delegateText({ receiverId, actions }: TransactionRequest, validForBlocks: number): string {
  return canonicalJson({ kind: 'delegate', actions: actions.map(actionJson), receiverId, validForBlocks });
}

function actionJson(action: Action): Json {
  switch (action.type) {
    case 'CreateAccount':
      return { action_type: action.type };
    case 'DeployContract':
      return { action_type: action.type, code: Array.from(action.code) };
    case 'FunctionCall':
      return {
        action_type: action.type,
        method_name: action.methodName,
        args: action.args,
        gas: action.gas,
        deposit: action.deposit,
      };
    case 'Transfer':
      return { action_type: action.type, deposit: action.amount };
    case 'Stake':
      return { action_type: action.type, stake: action.stake, public_key: action.publicKey };
    case 'AddKey':
      return {
        action_type: action.type,
        public_key: action.publicKey,
        access_key: canonicalJson({ nonce: 0, permission: permissionJson(action.accessKey.permission) }),
      };
    case 'DeleteKey':
      return { action_type: action.type, public_key: action.publicKey };
    case 'DeleteAccount':
      return { action_type: action.type, beneficiary_id: action.beneficiaryId };
  }
}

function permissionJson(permission: AccessKeyPermission): Json {
  if (permission === 'FullAccess') return permission;
  const { allowance, receiverId, methodNames } = permission.FunctionCall;
  return { FunctionCall: { allowance, receiver_id: receiverId, method_names: methodNames } };
}
