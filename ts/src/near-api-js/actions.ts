/** near-api-js's actions as the wallet shows and signs them. Throws ACTION_NOT_CARRIED for what the wallet cannot show. */
import { baseEncode, type Action as NearAction, type PublicKey } from 'near-api-js';
import { assertFirstNonce, carriedBytes, notCarried } from '../errors/near-api-js.js';
import type { AccessKey, ActionInput } from '../types.js';

/** The actions of one transaction. */
export function toActionInputs(actions: readonly NearAction[]): ActionInput[] {
  return actions.map(toActionInput);
}

function toActionInput(action: NearAction): ActionInput {
  if (action.createAccount) return { type: 'CreateAccount' };
  if (action.deployContract)
    return { type: 'DeployContract', code: carriedBytes('code', action.deployContract.code) };
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
    return {
      type: 'Stake',
      stake: String(action.stake.stake),
      publicKey: String(action.stake.publicKey),
    };
  }
  if (action.addKey) {
    return {
      type: 'AddKey',
      publicKey: keyText(action.addKey.publicKey),
      accessKey: toAccessKey(action.addKey.accessKey),
    };
  }
  if (action.deleteKey) return { type: 'DeleteKey', publicKey: keyText(action.deleteKey.publicKey) };
  if (action.deleteAccount)
    return { type: 'DeleteAccount', beneficiaryId: action.deleteAccount.beneficiaryId };
  if (action.deployGlobalContract) {
    const { code, deployMode } = action.deployGlobalContract;
    return {
      type: 'DeployGlobalContract',
      code: carriedBytes('code', code),
      deployMode: deployMode.AccountId === undefined ? 'CodeHash' : 'AccountId',
    };
  }
  if (action.useGlobalContract) {
    const { CodeHash: hash, AccountId: accountId } = action.useGlobalContract.contractIdentifier;
    const contractIdentifier =
      accountId === undefined
        ? { CodeHash: baseEncode(carriedBytes('CodeHash', hash)) }
        : { AccountId: accountId };
    return { type: 'UseGlobalContract', contractIdentifier };
  }
  throw notCarried(`the action ${Object.keys(action).find((name) => name !== 'enum') ?? 'without a name'}`);
}

const keyText = (key: PublicKey): string => key.toString();

function toAccessKey({
  nonce,
  permission: { fullAccess, functionCall },
}: NonNullable<NearAction['addKey']>['accessKey']): AccessKey {
  assertFirstNonce(nonce);
  if (fullAccess) return { permission: 'FullAccess' };
  if (!functionCall) throw notCarried('an AddKey with an unknown permission');
  const { receiverId, methodNames, allowance } = functionCall;
  const limit = allowance === undefined || allowance === null ? null : String(allowance);
  return { permission: { FunctionCall: { receiverId, methodNames: [...methodNames], allowance: limit } } };
}
