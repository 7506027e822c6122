/** Which delegates this relay pays for: what is not named is refused. */
import { isNearAccountId } from '../../near/account-id.js';
import { writeNear } from '../../near/near-amount.js';
import { Refusal } from '../http/refusal.js';
import { gasReserveYocto } from '../relayer/spend.js';
import {
  INNER_ACTION_KINDS,
  type InnerAction,
  type InnerActionKind,
  type SignedDelegate,
} from './delegate-codec.js';

export interface DelegatePolicy {
  /** The methods that may be called, by receiver; null allows every method of that receiver. */
  readonly calls: ReadonlyMap<string, ReadonlySet<string> | null>;
  /** Kinds of action beside function calls, which a sender may carry out on its own account alone. */
  readonly ownActions: ReadonlySet<InnerActionKind>;
  /** Gas attached to all calls of one delegate. */
  readonly maxGas: bigint;
  /**
   * yoctoNEAR that all actions of one delegate may attach. The relayer gives them away: where an action fails, the
   * chain returns its deposit to the sender (NEP-366).
   */
  readonly maxDepositYocto: bigint;
  /** yoctoNEAR that all delegates together may cost within 24 hours. */
  readonly spendCapYocto: bigint;
  /** The same for the delegates of one sender. */
  readonly senderCapYocto: bigint;
}

/** What sending and executing one action may take beside the gas attached to it: CreateAccount takes 7.8 Tgas. */
const GAS_PER_ACTION = 8n * 10n ** 12n;

/** Throws a {@link Refusal} `not_allowed` that says which part of the delegate the policy does not take. */
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
  // Nothing is to be gained by coming back: it would pass the cap of an unspent day.
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
  action: InnerAction,
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
export function depositOf(actions: readonly InnerAction[]): bigint {
  return actions.reduce((sum, action) => sum + action.depositYocto, 0n);
}

/** The most that carrying out these actions takes from the relayer, in yoctoNEAR. */
export function mostYoctoOf(actions: readonly InnerAction[]): bigint {
  const gas = gasOf(actions) + BigInt(actions.length) * GAS_PER_ACTION;
  return gasReserveYocto(gas) + depositOf(actions);
}

/** The most that one delegate of one call takes from the relayer under this policy, in yoctoNEAR. */
export function mostYoctoOfOneCall({ maxGas, maxDepositYocto }: DelegatePolicy): bigint {
  return mostYoctoOf([{ kind: 'FunctionCall', gas: maxGas, depositYocto: maxDepositYocto }]);
}

function gasOf(actions: readonly InnerAction[]): bigint {
  return actions.reduce((sum, action) => sum + action.gas, 0n);
}

function notAllowed(what: string): Refusal {
  return new Refusal('not_allowed', `This relay does not pay for ${what}.`);
}

/** `receiver:method`, separated by commas or spaces; `receiver:*` for every method. Throws what is wrong. */
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

/** Kinds of action that stand beside function calls, separated by commas or spaces. Throws what is wrong. */
export function readOwnActions(text: string): ReadonlySet<InnerActionKind> {
  const nameable = INNER_ACTION_KINDS.filter((kind) => kind !== 'FunctionCall');
  return new Set(
    itemsOf(text).map((item) => {
      const kind = nameable.find((name) => name === item);
      if (!kind) throw new Error(`must name some of ${nameable.join(', ')}: ${item}`);
      return kind;
    }),
  );
}

function itemsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((item) => item !== '');
}
