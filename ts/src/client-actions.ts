/**
 * The actions of near-api-js and near-kit as the wallet shows and signs them. Both write borsh's enum: an object with one
 * field, of the action's name. Throws ACTION_NOT_CARRIED for what the wallet cannot show.
 */
import { base58 } from '@scure/base';
import { assertFirstNonce, carriedBytes, notCarried } from './client-errors.js';
import type { AccessKey, ActionInput } from './types.js';

interface ClientContract {
  readonly AccountId?: string;
  readonly CodeHash?: unknown;
}

interface ClientPermission {
  readonly fullAccess?: object | undefined;
  readonly functionCall?: ClientBounds | undefined;
  readonly gasKeyFullAccess?: { readonly gasKeyInfo: ClientGasKey } | undefined;
  readonly gasKeyFunctionCall?:
    | { readonly gasKeyInfo: ClientGasKey; readonly functionCall: ClientBounds }
    | undefined;
}

interface ClientBounds {
  readonly receiverId: string;
  readonly methodNames: readonly string[];
  readonly allowance?: unknown;
}

interface ClientGasKey {
  readonly balance: unknown;
  readonly numNonces: number;
}

/** An action of a client that names keys in its own way. */
export interface ClientAction<Key> {
  readonly createAccount?: object;
  readonly deployContract?: { readonly code: unknown };
  readonly functionCall?: {
    readonly methodName: string;
    readonly args: unknown;
    readonly gas: unknown;
    readonly deposit: unknown;
  };
  readonly transfer?: { readonly deposit: unknown };
  readonly stake?: { readonly stake: unknown; readonly publicKey: Key };
  readonly addKey?: {
    readonly publicKey: Key;
    readonly accessKey: { readonly nonce: unknown; readonly permission: object };
  };
  readonly deleteKey?: { readonly publicKey: Key };
  readonly deleteAccount?: { readonly beneficiaryId: string };
  readonly deployGlobalContract?: { readonly code: unknown; readonly deployMode: object };
  readonly useGlobalContract?: { readonly contractIdentifier: object };
  readonly deterministicStateInit?: {
    readonly stateInit: {
      readonly V1: { readonly code: object; readonly data: Iterable<[unknown, unknown]> };
    };
    readonly deposit: unknown;
  };
  readonly transferToGasKey?: { readonly publicKey: Key; readonly deposit: unknown };
  readonly withdrawFromGasKey?: { readonly publicKey: Key; readonly amount: unknown };
}

export interface ClientWords<Key> {
  /** A key as text: its curve and base58. */
  keyText(key: Key): string;
}

export function toActionInput<Key>(action: ClientAction<Key>, { keyText }: ClientWords<Key>): ActionInput {
  if (action.createAccount) return { type: 'CreateAccount' };
  if (action.deployContract) {
    return { type: 'DeployContract', code: carriedBytes('code', action.deployContract.code) };
  }
  if (action.functionCall) {
    const { methodName, args, gas, deposit } = action.functionCall;
    return {
      type: 'FunctionCall',
      methodName,
      args: carriedBytes('args', args),
      gas: String(gas),
      deposit: String(deposit),
    };
  }
  if (action.transfer) return { type: 'Transfer', amount: String(action.transfer.deposit) };
  if (action.stake) {
    const { stake, publicKey } = action.stake;
    return { type: 'Stake', stake: String(stake), publicKey: keyText(publicKey) };
  }
  if (action.addKey) {
    const { publicKey, accessKey } = action.addKey;
    return { type: 'AddKey', publicKey: keyText(publicKey), accessKey: toAccessKey(accessKey) };
  }
  if (action.deleteKey) return { type: 'DeleteKey', publicKey: keyText(action.deleteKey.publicKey) };
  if (action.deleteAccount) {
    return { type: 'DeleteAccount', beneficiaryId: action.deleteAccount.beneficiaryId };
  }
  if (action.deployGlobalContract) {
    const { code, deployMode } = action.deployGlobalContract;
    return {
      type: 'DeployGlobalContract',
      code: carriedBytes('code', code),
      deployMode: (deployMode as ClientContract).AccountId === undefined ? 'CodeHash' : 'AccountId',
    };
  }
  if (action.useGlobalContract) {
    const contractIdentifier = toIdentifier(action.useGlobalContract.contractIdentifier);
    return { type: 'UseGlobalContract', contractIdentifier };
  }
  if (action.deterministicStateInit) {
    const { stateInit, deposit } = action.deterministicStateInit;
    const { code, data } = stateInit.V1;
    return {
      type: 'DeterministicStateInit',
      stateInit: { V1: { code: toIdentifier(code), data: entriesOf(data) } },
      deposit: String(deposit),
    };
  }
  if (action.transferToGasKey) {
    const { publicKey, deposit } = action.transferToGasKey;
    return { type: 'TransferToGasKey', publicKey: keyText(publicKey), deposit: String(deposit) };
  }
  if (action.withdrawFromGasKey) {
    const { publicKey, amount } = action.withdrawFromGasKey;
    return { type: 'WithdrawFromGasKey', publicKey: keyText(publicKey), amount: String(amount) };
  }
  throw notCarried(`the action ${Object.keys(action).find((name) => name !== 'enum') ?? 'without a name'}`);
}

function toAccessKey({
  nonce,
  permission,
}: NonNullable<ClientAction<never>['addKey']>['accessKey']): AccessKey {
  assertFirstNonce(nonce);
  const given = permission as ClientPermission;
  if (given.fullAccess) return { permission: 'FullAccess' };
  if (given.gasKeyFullAccess) {
    return { permission: { GasKeyFullAccess: lanesOf(given.gasKeyFullAccess.gasKeyInfo) } };
  }
  if (given.gasKeyFunctionCall) {
    const { gasKeyInfo, functionCall } = given.gasKeyFunctionCall;
    const { receiverId, methodNames, allowance } = boundsOf(functionCall);
    if (allowance !== null) throw notCarried('a gas key with an allowance: its balance is its limit');
    return { permission: { GasKeyFunctionCall: { ...lanesOf(gasKeyInfo), receiverId, methodNames } } };
  }
  if (!given.functionCall) throw notCarried('an AddKey with an unknown permission');
  return { permission: { FunctionCall: boundsOf(given.functionCall) } };
}

function boundsOf({ receiverId, methodNames, allowance }: ClientBounds) {
  const limit = allowance === undefined || allowance === null ? null : String(allowance);
  return { receiverId, methodNames: [...methodNames], allowance: limit };
}

/** The chain takes a new gas key only without a balance. */
function lanesOf({ balance, numNonces }: ClientGasKey) {
  if (String(balance) !== '0') throw notCarried('a gas key that starts with a balance');
  return { numNonces };
}

function toIdentifier(contract: object) {
  const { AccountId, CodeHash } = contract as ClientContract;
  return AccountId === undefined
    ? { CodeHash: base58.encode(carriedBytes('CodeHash', CodeHash)) }
    : { AccountId };
}

const entriesOf = (data: Iterable<[unknown, unknown]>) =>
  [...data].map(([key, value]) => ({ key: carriedBytes('key', key), value: carriedBytes('value', value) }));
