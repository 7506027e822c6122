/** A confirmation to decide: requests, surroundings and settings. */
import { DEFAULT_CONFIRMATION } from '../../config.js';
import type { Action, ConfirmationConfig, TransactionRequest } from '../../types.js';
import { decideConfirmation, type Surroundings } from '../decide.js';

export const desktop: Surroundings = {
  isTouch: false,
  isTouchOrSafari: false,
  hasUserActivation: false,
  isEmbedded: false,
};
export const safari: Surroundings = { ...desktop, isTouchOrSafari: true };
export const touch: Surroundings = { ...safari, isTouch: true };
export const framed: Surroundings = { ...desktop, isEmbedded: true };
export const framedTouch: Surroundings = { ...touch, isEmbedded: true };
export const active = { hasUserActivation: true };

const KEY = 'ed25519:DcA2MzgpJbrUATQLLceocVckhhAqrkingax4oJ9kZ847';
const FUNCTION_CALL_KEY = { FunctionCall: { receiverId: 'app.testnet', methodNames: ['play'] } };
export const addKey = (permission: unknown) =>
  ({ type: 'AddKey', publicKey: KEY, accessKey: { nonce: 0, permission } }) as unknown as Action;
const call = (deposit: string): Action => ({
  type: 'FunctionCall',
  methodName: 'play',
  args: '{}',
  gas: '1',
  deposit,
});
export const ACTIONS = {
  call: call('0'),
  paidCall: call('1'),
  createAccount: { type: 'CreateAccount' },
  transfer: { type: 'Transfer', amount: '1' },
  stake: { type: 'Stake', stake: '1', publicKey: KEY },
  deploy: { type: 'DeployContract', code: new Uint8Array([1]) },
  functionCallKey: addKey(FUNCTION_CALL_KEY),
  fullAccessKey: addKey('FullAccess'),
  deleteKey: { type: 'DeleteKey', publicKey: KEY },
  deleteAccount: { type: 'DeleteAccount', beneficiaryId: 'bob.testnet' },
  publish: { type: 'DeployGlobalContract', code: new Uint8Array([1]), deployMode: 'AccountId' },
  useGlobal: { type: 'UseGlobalContract', contractIdentifier: { AccountId: 'bob.testnet' } },
  firstState: {
    type: 'DeterministicStateInit',
    stateInit: { V1: { code: { AccountId: 'bob.testnet' }, data: [] } },
    deposit: '0',
  },
  gasKey: addKey({ GasKeyFullAccess: { numNonces: 1 } }),
  gasKeyOfCalls: addKey({
    GasKeyFunctionCall: { numNonces: 1, receiverId: 'app.testnet', methodNames: ['play'] },
  }),
  fillGasKey: { type: 'TransferToGasKey', publicKey: KEY, deposit: '1' },
  emptyGasKey: { type: 'WithdrawFromGasKey', publicKey: KEY, amount: '1' },
  universalState: {
    type: 'UniversalStateInit',
    stateInit: { V1: { code: null, data: [], accessKeys: [KEY] } },
    deposit: '0',
  },
} as const satisfies Record<string, Action>;
export type ActionName = keyof typeof ACTIONS;

export const OWN = 'alice.testnet';
export const REGISTRY = 'registry.testnet';

export const signing = (...names: readonly ActionName[]): TransactionRequest[] => [
  { receiverId: 'app.testnet', actions: names.map((name) => ACTIONS[name]) },
];

/** Transactions with a call of so much gas each. */
export const burning = (...gas: readonly string[]): TransactionRequest[] =>
  gas.map((gas) => ({ receiverId: 'app.testnet', actions: [{ ...call('0'), gas } as Action] }));

/** One row's input, merged over the defaults: a harmless call, signed on a desktop page that shows a confirmer. */
interface Given {
  readonly type?: string;
  readonly actions?: readonly ActionName[];
  readonly transactions?: readonly TransactionRequest[];
  readonly isForAnother?: boolean;
  readonly isCoverable?: boolean;
  readonly isRepeated?: boolean;
  readonly wasClicked?: boolean;
  readonly page?: Partial<Omit<ConfirmationConfig, 'uiMode'>> & { readonly uiMode?: string };
  readonly user?: Partial<ConfirmationConfig>;
  readonly call?: Partial<ConfirmationConfig>;
  readonly at?: Surroundings;
  readonly hasConfirmer?: boolean;
}

export function decide(given: Given) {
  const { type = 'signTransaction', page, user, at = desktop, hasConfirmer = true } = given;
  const transactions =
    given.transactions ?? (type === 'signTransaction' ? signing(...(given.actions ?? ['call'])) : undefined);
  const settings = {
    page: { ...DEFAULT_CONFIRMATION, ...page } as ConfirmationConfig,
    user,
    call: given.call,
  };
  const { isForAnother, isCoverable, isRepeated, wasClicked } = given;
  const guarded = [OWN, REGISTRY];
  return decideConfirmation({
    type,
    transactions,
    guarded,
    isForAnother,
    isCoverable,
    isRepeated,
    wasClicked,
    settings,
    at,
    hasConfirmer,
  });
}

export const skip = { uiMode: 'skip' } as const;
export const modal = { uiMode: 'modal' } as const;
export const drawer = { uiMode: 'drawer' } as const;
export const auto = { behavior: 'autoProceed' } as const;
export const click = { behavior: 'requireClick' } as const;

export type Row = readonly [rule: string, given: Given, decided: Partial<ConfirmationConfig>];
