import type { Action } from 'latchkey';

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
  /** Why the user should look twice; set for actions that give control away or cannot be undone. */
  warning?: string;
}

export function describeAction(action: Action): ActionDescription {
  switch (action.type) {
    case 'FunctionCall':
      return {
        title: 'Call',
        subject: action.methodName,
        details: [
          { kind: 'amount', label: 'Deposit', yocto: action.deposit },
          { kind: 'gas', label: 'Gas limit', gas: action.gas },
          { kind: 'arguments', label: 'Arguments', json: action.args },
        ],
      };
    case 'Transfer':
      return { title: 'Transfer', details: [{ kind: 'amount', label: 'Amount', yocto: action.amount }] };
    case 'CreateAccount':
      return { title: 'Create this account', details: [] };
    case 'Stake':
      return {
        title: 'Stake',
        details: [
          { kind: 'amount', label: 'Amount', yocto: action.stake },
          { kind: 'key', label: 'Validator key', value: action.publicKey },
        ],
      };
    case 'DeployContract':
      return {
        title: 'Deploy a contract',
        details: [
          { kind: 'text', label: 'Code', value: `${action.code.length.toLocaleString('en-US')} bytes` },
        ],
        warning: 'New code replaces whatever runs on this account and can do anything with it.',
      };
    case 'AddKey':
      return describeAddKey(action);
    case 'DeleteKey':
      return {
        title: 'Remove an access key',
        details: [{ kind: 'key', label: 'Key', value: action.publicKey }],
        warning: 'Whoever uses this key loses access. Removing your last key locks you out for good.',
      };
    case 'DeleteAccount':
      return {
        title: 'Delete this account',
        details: [{ kind: 'account', label: 'Balance goes to', value: action.beneficiaryId }],
        warning: 'The account and everything stored on it are gone for good. This cannot be undone.',
      };
  }
}

function describeAddKey(action: Extract<Action, { type: 'AddKey' }>): ActionDescription {
  const key: Detail = { kind: 'key', label: 'Key', value: action.publicKey };
  const { permission } = action.accessKey;
  if (permission === 'FullAccess') {
    return {
      title: 'Add a full-access key',
      details: [key],
      warning: 'Whoever holds this key controls the account completely: its funds, its keys, its deletion.',
    };
  }
  const { allowance, methodNames, receiverId } = permission.FunctionCall;
  return {
    title: 'Add a function-call key',
    details: [
      key,
      { kind: 'account', label: 'May call', value: receiverId },
      methodNames.length === 0
        ? { kind: 'note', label: 'Methods', value: 'Every method' }
        : { kind: 'text', label: 'Methods', value: methodNames.join(', ') },
      allowance === null
        ? { kind: 'note', label: 'Gas allowance', value: 'Unlimited' }
        : { kind: 'amount', label: 'Gas allowance', yocto: allowance },
    ],
  };
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
