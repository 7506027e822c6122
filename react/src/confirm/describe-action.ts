import type { Action, GlobalContractIdentifier, StateEntry, TransactionsConfirmModel } from 'latchkey';
import { callBoundsOf, lanesOf, publishingYocto } from 'latchkey/internal';
import type { ActionTexts } from '../texts/english-actions.js';

/** One line of an action's details; `kind` says how it is drawn. */
export type Detail =
  | { kind: 'account' | 'text' | 'key' | 'note'; label: string; value: string }
  | { kind: 'amount'; label: string; yocto: string }
  | { kind: 'gas'; label: string; gas: string }
  | { kind: 'arguments'; label: string; json: string }
  | { kind: 'bytes'; label: string; count: string; hex: string };

/** How the confirmation describes one action. */
export interface ActionDescription {
  /** Names the action in plain words; never contains text from the transaction. */
  title: string;
  /** A name from the transaction, shown after the title as untrusted text. */
  subject?: string;
  details: Detail[];
  /** Why the user should look twice. */
  warning?: string;
  /** Set with `warning`. 'high': gives control away, or cannot be undone. */
  risk?: 'high' | 'raised';
}

/** `accountId` is the account that the action is done on: its transaction's receiver. */
export function describeAction(action: Action, words: ActionTexts, accountId?: string): ActionDescription {
  switch (action.type) {
    case 'FunctionCall':
      return {
        title: words.call,
        subject: action.methodName,
        details: [
          { kind: 'amount', label: words.deposit, yocto: action.deposit },
          { kind: 'gas', label: words.gasLimit, gas: action.gas },
          argumentsOf(action.args, words),
        ],
        ...(typeof action.args !== 'string' &&
          action.args.length > 0 && { risk: 'raised', warning: words.unreadableWarning }),
      };
    case 'Transfer':
      return {
        title: words.transfer,
        details: [{ kind: 'amount', label: words.amount, yocto: action.amount }],
      };
    case 'CreateAccount':
      return { title: words.createAccount, details: [] };
    case 'Stake':
      return {
        title: words.stake,
        details: [
          { kind: 'amount', label: words.amount, yocto: action.stake },
          { kind: 'key', label: words.validatorKey, value: action.publicKey },
        ],
      };
    case 'DeployContract':
      return {
        title: words.deploy,
        details: [
          {
            kind: 'text',
            label: words.code,
            value: bytesText(action.code.length, words),
          },
        ],
        risk: 'high',
        warning: words.deployWarning,
      };
    case 'AddKey':
      return describeAddKey(action, words, accountId);
    case 'DeleteKey':
      return {
        title: words.removeKey,
        details: [{ kind: 'key', label: words.key, value: action.publicKey }],
        risk: 'high',
        warning: words.removeKeyWarning,
      };
    case 'DeleteAccount':
      return {
        title: words.deleteAccount,
        details: [{ kind: 'account', label: words.balanceTo, value: action.beneficiaryId }],
        risk: 'high',
        warning: words.deleteAccountWarning,
      };
    case 'DeployGlobalContract': {
      return {
        title: words.deployGlobal,
        details: [
          { kind: 'text', label: words.code, value: bytesText(action.code.length, words) },
          { kind: 'note', label: words.namedBy, value: words[action.deployMode] },
          { kind: 'amount', label: words.burnt, yocto: String(publishingYocto([action])) },
        ],
        risk: 'high',
        warning: words.deployGlobalWarning,
      };
    }
    case 'UseGlobalContract': {
      const isFixed = 'CodeHash' in action.contractIdentifier;
      return {
        title: words.useGlobal,
        details: [globalContract(action.contractIdentifier, words)],
        risk: 'high',
        warning: isFixed ? words.deployWarning : words.useGlobalWarning,
      };
    }
    case 'DeterministicStateInit':
      return describeStateInit(words.initState, action, words);
    case 'TransferToGasKey':
      return ofGasKey(words.fillGasKey, action.deposit, action, words);
    case 'WithdrawFromGasKey':
      return ofGasKey(words.emptyGasKey, action.amount, action, words);
    case 'UniversalStateInit':
      return describeUniversalState(action, words);
  }
}

function argumentsOf(args: string | Uint8Array, words: ActionTexts): Detail {
  const label = words.arguments;
  if (typeof args === 'string') return { kind: 'arguments', label, json: args };
  const count = bytesText(args.length, words);
  return { kind: 'bytes', label, count, hex: hexOf(args) };
}

function ofGasKey(
  title: string,
  yocto: string,
  { publicKey }: { readonly publicKey: string },
  words: ActionTexts,
): ActionDescription {
  return {
    title,
    details: [
      { kind: 'amount', label: words.amount, yocto },
      { kind: 'key', label: words.key, value: publicKey },
    ],
  };
}

function describeStateInit(
  title: string,
  {
    stateInit: {
      V1: { code, data },
    },
    deposit,
  }: Extract<Action, { type: 'DeterministicStateInit' | 'UniversalStateInit' }>,
  words: ActionTexts,
): ActionDescription {
  return {
    title,
    details: [
      { kind: 'amount', label: words.deposit, yocto: deposit },
      ...(code === null ? [] : [globalContract(code, words)]),
      listed(words.state, data.map(entryText), words),
    ],
  };
}

function describeUniversalState(
  action: Extract<Action, { type: 'UniversalStateInit' }>,
  words: ActionTexts,
): ActionDescription {
  const { title, details } = describeStateInit(words.initUniversal, action, words);
  const { accessKeys } = action.stateInit.V1;
  return {
    title,
    details: [...details, listed(words.fullKeys, accessKeys, words)],
    ...(accessKeys.length > 0 && { risk: 'high', warning: words.fullKeysWarning }),
  };
}

const entryText = ({ key, value }: StateEntry): string => `${hexOf(key)} = ${hexOf(value)}`;

function listed(label: string, items: readonly string[], { none }: ActionTexts): Detail {
  return items.length === 0
    ? { kind: 'note', label, value: none }
    : { kind: 'key', label, value: items.join(', ') };
}

function globalContract(identifier: GlobalContractIdentifier, words: ActionTexts): Detail {
  return 'CodeHash' in identifier
    ? { kind: 'key', label: words.codeHash, value: identifier.CodeHash }
    : { kind: 'account', label: words.codeOf, value: identifier.AccountId };
}

function bytesText(length: number, { bytes }: ActionTexts): string {
  return bytes.replace('{count}', length.toLocaleString('en-US'));
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function describeAddKey(
  action: Extract<Action, { type: 'AddKey' }>,
  words: ActionTexts,
  accountId: string | undefined,
): ActionDescription {
  const key: Detail = { kind: 'key', label: words.key, value: action.publicKey };
  const { permission } = action.accessKey;
  const bounds = callBoundsOf(permission);
  const count = lanesOf(permission);
  const lanes: readonly Detail[] =
    count === undefined
      ? []
      : [
          { kind: 'text', label: words.lanes, value: String(count) },
          { kind: 'note', label: words.accountPays, value: words.lanesPaid },
        ];
  if (!bounds) {
    return {
      title: count === undefined ? words.addFullKey : words.addFullGasKey,
      details: [key, ...lanes],
      risk: 'high',
      warning: words.addFullKeyWarning,
    };
  }
  const { methodNames, receiverId } = bounds;
  const isGasKey = count !== undefined;
  // The balance of a gas key is its limit: it has no allowance.
  const allowance =
    typeof permission === 'object' && 'FunctionCall' in permission ? permission.FunctionCall.allowance : null;
  return {
    title: isGasKey ? words.addCallGasKey : words.addCallKey,
    details: [
      key,
      ...lanes,
      { kind: 'account', label: words.mayCall, value: receiverId },
      methodNames.length === 0
        ? { kind: 'note', label: words.methods, value: words.everyMethod }
        : { kind: 'text', label: words.methods, value: methodNames.join(', ') },
      ...(isGasKey ? [] : [allowanceOf(allowance, words)]),
    ],
    ...(receiverId === accountId
      ? { risk: 'high', warning: words.ownCallKeyWarning }
      : looseness(methodNames.length === 0, !isGasKey && allowance === null, words)),
  };
}

function allowanceOf(allowance: string | null, { allowance: label, unlimited }: ActionTexts): Detail {
  return allowance === null
    ? { kind: 'note', label, value: unlimited }
    : { kind: 'amount', label, yocto: allowance };
}

/** What a function-call key lacks of the limits that it could have. */
function looseness(
  isOfEveryMethod: boolean,
  isUnlimited: boolean,
  { looseMethods, looseGas, looseBoth }: ActionTexts,
): Pick<ActionDescription, 'warning' | 'risk'> {
  if (!isOfEveryMethod && !isUnlimited) return {};
  const warning = isOfEveryMethod && isUnlimited ? looseBoth : isOfEveryMethod ? looseMethods : looseGas;
  return { risk: 'raised', warning };
}

/** The yoctoNEAR that an action transfers or attaches. */
function sentBy(action: Action): string {
  switch (action.type) {
    case 'Transfer':
      return action.amount;
    case 'FunctionCall':
    case 'DeterministicStateInit':
    case 'TransferToGasKey':
    case 'UniversalStateInit':
      return action.deposit;
    default:
      return '0';
  }
}

/** The amounts that actions send, one by one: a transfer has one even of nothing. */
export function amountsSent(actions: readonly Action[]): string[] {
  return actions.flatMap((action) => {
    const amount = sentBy(action);
    return amount === '0' && action.type !== 'Transfer' ? [] : [amount];
  });
}

/** The actions of all transactions, in order. */
export function actionsOf({ transactions }: Pick<TransactionsConfirmModel, 'transactions'>): Action[] {
  return transactions.flatMap(({ actions }) => actions);
}

/** The sum of deposits and transfers, in yoctoNEAR. Undefined when an amount is not a number. */
export function totalSpent(actions: readonly Action[]): bigint | undefined {
  let total = 0n;
  for (const action of actions) {
    const amount = sentBy(action);
    if (!/^\d+$/.test(amount)) return undefined;
    total += BigInt(amount);
  }
  return total;
}
