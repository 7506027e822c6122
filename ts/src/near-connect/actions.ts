/** A connector's actions as the wallet shows and signs them. Throws ACTION_NOT_CARRIED for what the wallet cannot show. */
import { bytesOf } from '../bytes.js';
import { assertFirstNonce, carriedBytes, notCarried } from '../client-errors.js';
import type { AccessKey, ActionInput, TransactionInput } from '../types.js';
import type { AnyAction, ConnectorAction, ConnectorTransaction, GasKeyPermissions } from './types.js';

export function toTransactionInput({ receiverId, actions }: ConnectorTransaction): TransactionInput {
  return { receiverId, actions: actions.map(toActionInput) };
}

function toActionInput(action: AnyAction): ActionInput {
  switch (action.type) {
    case 'CreateAccount':
      return { type: 'CreateAccount' };
    case 'DeployContract':
      return { type: 'DeployContract', code: codeOf(action.params.code) };
    case 'FunctionCall': {
      const { methodName, args, gas, deposit } = action.params;
      return { type: 'FunctionCall', methodName, args: argsOf(args), gas, deposit };
    }
    case 'Transfer':
      return { type: 'Transfer', amount: action.params.deposit };
    case 'Stake':
      return { type: 'Stake', stake: action.params.stake, publicKey: action.params.publicKey };
    case 'AddKey':
      return {
        type: 'AddKey',
        publicKey: action.params.publicKey,
        accessKey: toAccessKey(action.params.accessKey),
      };
    case 'DeleteKey':
      return { type: 'DeleteKey', publicKey: action.params.publicKey };
    case 'DeleteAccount':
      return { type: 'DeleteAccount', beneficiaryId: action.params.beneficiaryId };
    case 'DeployGlobalContract': {
      const { code, deployMode } = action.params;
      return { type: 'DeployGlobalContract', code: codeOf(code), deployMode };
    }
    case 'UseGlobalContract': {
      const identifier = action.params.contractIdentifier;
      const contractIdentifier =
        'accountId' in identifier ? { AccountId: identifier.accountId } : { CodeHash: identifier.codeHash };
      return { type: 'UseGlobalContract', contractIdentifier };
    }
    case 'DeterministicStateInit':
    case 'TransferToGasKey':
    case 'WithdrawFromGasKey':
    case 'UniversalStateInit':
      return { ...action.params, type: action.type } as ActionInput;
    default:
      throw notCarried(`the action ${String(action.type ?? 'without a type')}`);
  }
}

function toAccessKey({
  nonce,
  permission,
}: Extract<ConnectorAction, { type: 'AddKey' }>['params']['accessKey']): AccessKey {
  assertFirstNonce(nonce);
  if (permission === 'FullAccess' || isOfGasKey(permission)) return { permission };
  // near-kit gives a permission in a form of its own.
  if (typeof permission?.receiverId !== 'string') throw notCarried('an AddKey with an unknown permission');
  const { receiverId, allowance = null, methodNames } = permission;
  return { permission: { FunctionCall: { receiverId, methodNames: [...(methodNames ?? [])], allowance } } };
}

function isOfGasKey(permission: object | undefined): permission is GasKeyPermissions {
  return permission !== undefined && ('GasKeyFullAccess' in permission || 'GasKeyFunctionCall' in permission);
}

/** Code as bytes, or in standard base64. */
function codeOf(code: Uint8Array | string): Uint8Array {
  if (typeof code !== 'string') return carriedBytes('code', code);
  try {
    return Uint8Array.from(atob(code), (character) => character.charCodeAt(0));
  } catch {
    throw notCarried('code as a text that is not base64');
  }
}

/** A connector passes bytes that are not JSON on as bytes. */
function argsOf(args: object): Readonly<Record<string, unknown>> | Uint8Array {
  return bytesOf(args) ?? (args as Readonly<Record<string, unknown>>);
}
