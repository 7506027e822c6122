/** Which delegates this relay pays for. It refuses everything that the policy does not name. */
import { isNearAccountId, writeNear } from 'latchkey/internal/server';
import { Refusal } from '../http/refusal.js';
import { gasReserveYocto } from '../relayer/spend.js';
import type { ActionKind, ReceivedAction, SignedDelegate } from './delegate-codec.js';

/** The kinds of action that {@link DelegatePolicy.ownActions} may name. */
const OWN_ACTION_KINDS = [
  'CreateAccount',
  'DeployContract',
  'Transfer',
  'Stake',
  'AddKey',
  'DeleteKey',
  'DeleteAccount',
] as const satisfies readonly ActionKind[];

export interface DelegatePolicy {
  /** The methods that may be called, by receiver; null allows every method of that receiver. */
  readonly calls: ReadonlyMap<string, ReadonlySet<string> | null>;
  /** Kinds of action other than function calls. A sender may run them only on its own account. */
  readonly ownActions: ReadonlySet<ActionKind>;
  /** The most gas that all calls of one delegate may attach together. */
  readonly maxGas: bigint;
  /**
   * yoctoNEAR that all actions of one delegate may attach. The relayer never gets them back: when an action fails, the
   * chain returns its deposit to the sender (NEP-366).
   */
  readonly maxDepositYocto: bigint;
  /** yoctoNEAR that all delegates together may cost within 24 hours. */
  readonly spendCapYocto: bigint;
  /** The same for the delegates of one sender. */
  readonly senderCapYocto: bigint;
}

/** An upper bound on the gas of one action beyond what it attaches: CreateAccount takes 7.8 Tgas. */
const GAS_PER_ACTION = 8n * 10n ** 12n;

/** Throws a {@link Refusal} `not_allowed` that names the part of the delegate that the policy does not allow. */
export function checkPolicy(policy: DelegatePolicy, { senderId, receiverId, actions }: SignedDelegate): void {
  if (actions.length === 0) throw new Refusal('invalid_request', 'The delegate holds no action.');
  for (const action of actions) checkAction(policy, action, senderId, receiverId);
  const gas = gasOf(actions);
  if (gas > policy.maxGas) {
    throw notAllowed(`${gas} gas: the most it pays for is ${policy.maxGas}`);
  }
  const depositYocto = depositOf(actions);
  if (depositYocto > policy.maxDepositYocto) {
    throw notAllowed(
      `a deposit of ${depositYocto} yoctoNEAR: the most it gives is ${policy.maxDepositYocto}`,
    );
  }
  // No later time would help: the delegate exceeds the cap even of a day on which nothing was spent.
  const { spendCapYocto, senderCapYocto } = policy;
  const capYocto = spendCapYocto < senderCapYocto ? spendCapYocto : senderCapYocto;
  const mostYocto = mostYoctoOf(actions);
  if (mostYocto > capYocto) {
    throw notAllowed(
      `${actions.length} actions that may cost ${writeNear(mostYocto)} NEAR: the most it pays in a day is ${writeNear(capYocto)}`,
    );
  }
}

function checkAction(
  policy: DelegatePolicy,
  action: ReceivedAction,
  senderId: string,
  receiverId: string,
): void {
  if (action.kind === 'FunctionCall') {
    const methods = policy.calls.get(receiverId);
    if (methods === undefined) throw notAllowed(`calls of ${receiverId}`);
    if (methods !== null && !methods.has(action.methodName ?? '')) {
      throw notAllowed(`calls of this method of ${receiverId}`);
    }
    return;
  }
  if (!policy.ownActions.has(action.kind)) throw notAllowed(`${action.kind} actions`);
  if (receiverId !== senderId)
    throw notAllowed(`${action.kind} actions on another account than the sender's`);
}

/** The deposits of all actions, in yoctoNEAR. */
export function depositOf(actions: readonly ReceivedAction[]): bigint {
  return actions.reduce((sum, action) => sum + action.depositYocto, 0n);
}

/** The most that these actions can cost the relayer, in yoctoNEAR. */
export function mostYoctoOf(actions: readonly ReceivedAction[]): bigint {
  const gas = gasOf(actions) + BigInt(actions.length) * GAS_PER_ACTION;
  return gasReserveYocto(gas) + depositOf(actions);
}

/** The most that a delegate of one call can cost the relayer under this policy, in yoctoNEAR. */
export function mostYoctoOfOneCall({ maxGas, maxDepositYocto }: DelegatePolicy): bigint {
  return mostYoctoOf([{ kind: 'FunctionCall', gas: maxGas, depositYocto: maxDepositYocto }]);
}

function gasOf(actions: readonly ReceivedAction[]): bigint {
  return actions.reduce((sum, action) => sum + action.gas, 0n);
}

function notAllowed(what: string): Refusal {
  return new Refusal('not_allowed', `This relay does not pay for ${what}.`);
}

/** Reads `receiver:method` items, separated by commas or spaces; `receiver:*` allows every method. Throws an error that names the item. */
export function readCalls(text: string): ReadonlyMap<string, ReadonlySet<string> | null> {
  const calls = new Map<string, Set<string> | null>();
  for (const item of itemsOf(text)) {
    const [, receiver = '', method = ''] = /^([^:]*):([^:]+)$/.exec(item) ?? [];
    if (!isNearAccountId(receiver) || !/^(\*|\w{1,256})$/.test(method)) {
      throw new Error(
        `must be receiver:method, or receiver:* for every method, several with commas: ${item}`,
      );
    }
    const methods = calls.get(receiver);
    if (method === '*' || methods === null) calls.set(receiver, null);
    else calls.set(receiver, (methods ?? new Set()).add(method));
  }
  if (calls.size === 0) throw new Error('names no receiver');
  return calls;
}

/** Reads kinds of action, separated by commas or spaces. Throws an error that names the unknown one. */
export function readOwnActions(text: string): ReadonlySet<ActionKind> {
  return new Set(
    itemsOf(text).map((item) => {
      const kind = OWN_ACTION_KINDS.find((name) => name === item);
      if (!kind) throw new Error(`must name some of ${OWN_ACTION_KINDS.join(', ')}: ${item}`);
      return kind;
    }),
  );
}

function itemsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((item) => item !== '');
}
