/** near-kit's actions as the wallet shows and signs them. Throws ACTION_NOT_CARRIED for what the wallet cannot show. */
import { base58 } from '@scure/base';
import type { WalletConnection } from 'near-kit';
import { assertFirstNonce, carriedBytes, notCarried } from '../errors/near-api-js.js';
import type { AccessKey, ActionInput } from '../types.js';

export type NearKitAction = Parameters<WalletConnection['signAndSendTransaction']>[0]['actions'][number];

/** The fields of the one kind of action that has this name. */
type Fields<Name extends string> = Extract<NearKitAction, { [K in Name]: unknown }>[Name];
type PublicKey = Fields<'deleteKey'>['publicKey'];
type Contract = Fields<'useGlobalContract'>['contractIdentifier'];
type StateData = Fields<'deterministicStateInit'>['stateInit']['V1']['data'];

export function toActionInput(action: NearKitAction): ActionInput {
  if ('createAccount' in action) return { type: 'CreateAccount' };
  if ('deployContract' in action)
    return { type: 'DeployContract', code: carriedBytes('code', action.deployContract.code) };
  if ('functionCall' in action) {
    const { methodName, args, gas, deposit } = action.functionCall;
    return {
      type: 'FunctionCall',
      methodName,
      args: carriedBytes('args', args),
      gas: String(gas),
      deposit: String(deposit),
    };
  }
  if ('transfer' in action) return { type: 'Transfer', amount: String(action.transfer.deposit) };
  if ('stake' in action)
    return { type: 'Stake', stake: String(action.stake.stake), publicKey: keyText(action.stake.publicKey) };
  if ('addKey' in action)
    return {
      type: 'AddKey',
      publicKey: keyText(action.addKey.publicKey),
      accessKey: toAccessKey(action.addKey.accessKey),
    };
  if ('deleteKey' in action) return { type: 'DeleteKey', publicKey: keyText(action.deleteKey.publicKey) };
  if ('deleteAccount' in action)
    return { type: 'DeleteAccount', beneficiaryId: action.deleteAccount.beneficiaryId };
  if ('deployGlobalContract' in action) {
    const { code, deployMode } = action.deployGlobalContract;
    return {
      type: 'DeployGlobalContract',
      code: carriedBytes('code', code),
      deployMode: 'AccountId' in deployMode ? 'AccountId' : 'CodeHash',
    };
  }
  if ('useGlobalContract' in action)
    return {
      type: 'UseGlobalContract',
      contractIdentifier: toIdentifier(action.useGlobalContract.contractIdentifier),
    };
  if ('deterministicStateInit' in action) {
    const { stateInit, deposit } = action.deterministicStateInit;
    const { code, data } = stateInit.V1;
    return {
      type: 'DeterministicStateInit',
      stateInit: { V1: { code: toIdentifier(code), data: entriesOf(data) } },
      deposit: String(deposit),
    };
  }
  throw notCarried(`the action ${Object.keys(action)[0] ?? 'without a name'}`);
}

/** An ML-DSA key is longer than a key of a transaction that the wallet shows. */
function keyText(key: PublicKey): string {
  if ('ed25519Key' in key) return `ed25519:${base58.encode(carriedBytes('a key', key.ed25519Key.data))}`;
  if ('secp256k1Key' in key)
    return `secp256k1:${base58.encode(carriedBytes('a key', key.secp256k1Key.data))}`;
  throw notCarried(`a key of the kind ${Object.keys(key)[0] ?? 'without a name'}`);
}

function toAccessKey({ nonce, permission }: Fields<'addKey'>['accessKey']): AccessKey {
  assertFirstNonce(nonce);
  if ('fullAccess' in permission) return { permission: 'FullAccess' };
  if (!('functionCall' in permission) || 'gasKeyInfo' in permission)
    throw notCarried('an AddKey of a gas key');
  const { receiverId, methodNames, allowance } = permission.functionCall;
  const limit = allowance === null ? null : String(allowance);
  return { permission: { FunctionCall: { receiverId, methodNames: [...methodNames], allowance: limit } } };
}

const toIdentifier = (contract: Contract) =>
  'AccountId' in contract
    ? { AccountId: contract.AccountId }
    : { CodeHash: base58.encode(carriedBytes('CodeHash', contract.CodeHash)) };

const entriesOf = (data: StateData) =>
  [...data].map(([key, value]) => ({ key: carriedBytes('key', key), value: carriedBytes('value', value) }));
