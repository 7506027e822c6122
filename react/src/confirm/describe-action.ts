import type { Action } from 'latchkey';
import type { ActionTexts } from '../texts/english-actions.js';

/** One line of an action's details; `kind` says how it is drawn. */
export type Detail =
  | { kind: 'account' | 'text' | 'key' | 'note'; label: string; value: string }
  | { kind: 'amount'; label: string; yocto: string }
  | { kind: 'gas'; label: string; gas: string }
  | { kind: 'arguments'; label: string; json: string };

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

export function describeAction(action: Action, words: ActionTexts): ActionDescription {
  switch (action.type) {
    case 'FunctionCall':
      return {
        title: words.call,
        subject: action.methodName,
        details: [
          { kind: 'amount', label: words.deposit, yocto: action.deposit },
          { kind: 'gas', label: words.gasLimit, gas: action.gas },
          { kind: 'arguments', label: words.arguments, json: action.args },
        ],
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
            value: words.bytes.replace('{count}', action.code.length.toLocaleString('en-US')),
          },
        ],
        risk: 'high',
        warning: words.deployWarning,
      };
    case 'AddKey':
      return describeAddKey(action, words);
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
  }
}

function describeAddKey(action: Extract<Action, { type: 'AddKey' }>, words: ActionTexts): ActionDescription {
  const key: Detail = { kind: 'key', label: words.key, value: action.publicKey };
  const { permission } = action.accessKey;
  if (permission === 'FullAccess') {
    return {
      title: words.addFullKey,
      details: [key],
      risk: 'high',
      warning: words.addFullKeyWarning,
    };
  }
  const { allowance, methodNames, receiverId } = permission.FunctionCall;
  return {
    title: words.addCallKey,
    details: [
      key,
      { kind: 'account', label: words.mayCall, value: receiverId },
      methodNames.length === 0
        ? { kind: 'note', label: words.methods, value: words.everyMethod }
        : { kind: 'text', label: words.methods, value: methodNames.join(', ') },
      allowance === null
        ? { kind: 'note', label: words.allowance, value: words.unlimited }
        : { kind: 'amount', label: words.allowance, yocto: allowance },
    ],
    ...looseness(methodNames.length === 0, allowance === null, words),
  };
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

/** The sum of deposits and transfers, in yoctoNEAR. Undefined when an amount is not a number. */
export function totalSpent(actions: readonly Action[]): bigint | undefined {
  let total = 0n;
  for (const action of actions) {
    const amount =
      action.type === 'Transfer' ? action.amount : action.type === 'FunctionCall' ? action.deposit : '0';
    if (!/^\d+$/.test(amount)) return undefined;
    total += BigInt(amount);
  }
  return total;
}
