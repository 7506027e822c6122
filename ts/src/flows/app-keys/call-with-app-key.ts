import {
  APP_KEY_ALLOWANCE,
  APP_KEY_GONE,
  APP_KEY_MISSING,
  APP_KEY_NOT_FOR_THIS,
  APP_KEY_OUT_OF_GAS,
  isLatchkeyError,
  LatchkeyError,
  NO_PAYLOADS,
} from '../../errors/account.js';
import { rpcFailure } from '../../near/index.js';
import { pause } from '../../sleep.js';
import { appKeyName } from '../../storage/app-key-name.js';
import type { ActionOptions, ActionResult, AppKeyCall, SignedTransaction } from '../../types.js';
import type { SealedKey } from '../../workers/sealed-key.js';
import type { FlowContext } from '../context.js';
import { isDue } from '../linking/deletion.js';
import { runFlow } from '../run.js';
import { requireSession } from '../session/session.js';
import { endText, reportFailedAction } from '../signing/action-result.js';
import { completeTransactions } from '../signing/actions.js';
import { sendWithKey } from '../signing/send-without-prompt.js';
import { type Bounds, boundsOf } from './bounds.js';
import { expired, expiries, isOver } from './expiry.js';
import { inSigner } from './in-signer.js';
import { laneOfTab } from './lane-of-tab.js';
import { resumeAppKeys } from './settle-app-keys.js';

/** How often a call is signed again that a lagging node refused, because it does not know the key yet. */
const LAG_RESIGNS = 4;
const LAG_PAUSE_MS = 1_000;

/** Calls a method of the app's contract with the key made for that app. No prompt, no confirmation, no deposit. */
export async function callWithAppKey(
  context: FlowContext,
  accountId: string,
  { receiverId, methodName, args, gas }: AppKeyCall,
  options: ActionOptions,
): Promise<ActionResult> {
  return runFlow(
    'action',
    options,
    async (run) => {
      const { emit, signal } = run;
      emit('preparation', 'progress', 'Preparing');
      const call = { type: 'FunctionCall' as const, methodName, args, ...(gas !== undefined && { gas }) };
      const [transaction] = completeTransactions([{ receiverId, actions: [call] }]);
      if (!transaction) throw new LatchkeyError(NO_PAYLOADS);
      await requireSession(context, accountId);
      const { sealed, lanes } = await keyFor(context, accountId, receiverId, methodName, signal);
      const { publicKey } = sealed;
      const lane = lanes === undefined ? undefined : await laneOfTab({ accountId, publicKey }, lanes);
      const wrappingKey = await context.store.sealedKeys.wrappingKey();
      const sign = (nonce: string, blockHash: string): Promise<SignedTransaction> =>
        inSigner(context, run, (signer) =>
          signer.call(
            'signWithSealedKey',
            [wrappingKey, sealed, { signerAccountId: accountId, ...transaction, nonce, blockHash, lane }],
            { signal },
          ),
        );
      const onSend = ({ hash }: SignedTransaction): void =>
        emit('broadcasting', 'progress', 'Sending', { data: { transactionId: hash } });
      const { waitUntil } = options;
      const toSend = { accountId, publicKey, lane, sign, waitUntil, run, onSend };
      const result = await unlessLagging(context, accountId, publicKey, receiverId, signal, () =>
        sendWithKey(context, toSend),
      );
      const data = { transactionId: result.transactionId };
      emit('broadcasting', 'success', 'The network took it', { data });
      emit('action-complete', 'success', endText(result), { data });
      return result;
    },
    reportFailedAction,
  );
}

/** Sends a call, again where a node refused it for a key that it does not know yet. */
async function unlessLagging(
  { rpc }: FlowContext,
  account: string,
  publicKey: string,
  receiver: string,
  signal: AbortSignal,
  send: () => Promise<ActionResult>,
): Promise<ActionResult> {
  for (let resigns = 0; ; resigns += 1) {
    try {
      return await send();
    } catch (error) {
      const { details = {} } = error as Partial<LatchkeyError>;
      if (isRefusedFor('NotEnoughAllowance', error)) {
        throw new LatchkeyError(APP_KEY_ALLOWANCE, { values: { publicKey }, cause: error, details });
      }
      if (isRefusedFor('NotEnoughGasKeyBalance', error)) {
        throw new LatchkeyError(APP_KEY_OUT_OF_GAS, { values: { publicKey }, cause: error, details });
      }
      const reasons = Object.keys(rpcFailure(error)?.info ?? {});
      const isUnknown = reasons.includes('AccessKeyNotFound') || isLatchkeyError(error, 'DEVICE_KEY_REMOVED');
      if (resigns === LAG_RESIGNS || !isUnknown) throw error;
      // Null once two looks at different blocks have found neither the key nor its account.
      if (!(await rpc.viewAccessKey(account, publicKey, { agreed: true, certain: true, signal }))) {
        throw new LatchkeyError(APP_KEY_GONE, { values: { receiver, account }, cause: error, details });
      }
      await pause(LAG_PAUSE_MS, signal);
    }
  }
}

/**
 * Whether nodes refused a call for this reason. The call's fate is unknown where a node that lags took it with what the key had
 * earlier; that refusal is then among the causes.
 */
function isRefusedFor(reason: string, error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const failure = rpcFailure(error);
  if (failure?.reason === reason || reason in Object(failure?.info)) return true;
  return isRefusedFor(reason, error.cause);
}

/** A key of this device that may make the call. */
interface UsableKey {
  readonly sealed: SealedKey;
  readonly allowance: string | null;
  /** Of a gas key. */
  readonly lanes: number | undefined;
}

/** Finds the key of this device whose bounds allow the call. Reports what is missing before anything is signed. */
async function keyFor(
  context: FlowContext,
  accountId: string,
  receiverId: string,
  methodName: string,
  signal: AbortSignal,
): Promise<UsableKey> {
  const { store } = context;
  const values = { account: accountId, receiver: receiverId, method: methodName };
  const name = `${appKeyName(accountId, store.host)}${receiverId}:`;
  let kept = await store.sealedKeys.list(name);
  const ends = await expiries(store, accountId);
  if (kept.length === 0) {
    // A key whose answer was lost may be on the chain by now.
    await resumeAppKeys(context);
    kept = await store.sealedKeys.list(name);
  }
  const [ended] = [...ends.values()].filter((entry) => entry.appKey.name.startsWith(name) && isDue(entry));
  if (kept.length === 0) throw ended ? expired(ended) : new LatchkeyError(APP_KEY_MISSING, { values });
  const refusals: LatchkeyError[] = [];
  const usable: UsableKey[] = [];
  for (const { sealed } of kept) {
    const end = ends.get(sealed.publicKey);
    const [isEnded, bounds] = await Promise.all([
      end !== undefined && isOver(context, end),
      boundsOnChain(context, accountId, sealed.publicKey, signal),
    ]);
    if (end && isEnded) {
      refusals.push(expired(end));
      continue;
    }
    if (bounds === null) refusals.push(new LatchkeyError(APP_KEY_GONE, { values }));
    if (!bounds) continue;
    const { methodNames, allowance, lanes } = bounds;
    const allowsMethod = methodNames.length === 0 || methodNames.includes(methodName);
    if (bounds.receiverId === receiverId && allowsMethod) {
      usable.push({ sealed, allowance, lanes });
      continue;
    }
    const allowed = `${bounds.receiverId}: ${methodNames.join(', ') || 'every method'}`;
    refusals.push(new LatchkeyError(APP_KEY_NOT_FOR_THIS, { values: { ...values, allowed } }));
  }
  // A used-up key must not precede the one made to replace it.
  const [best] = usable.sort((a, b) => (hasMore(a.allowance, b.allowance) ? -1 : 1));
  if (best) return best;
  throw refusals.at(-1) ?? new LatchkeyError(APP_KEY_MISSING, { values });
}

/** The bounds of a key of this device; null once two looks have not found it, undefined for a full-access key. */
async function boundsOnChain(
  { contexts, rpc }: FlowContext,
  accountId: string,
  publicKey: string,
  signal: AbortSignal,
): Promise<Bounds | null | undefined> {
  try {
    return boundsOf((await contexts.beginWithoutDialog(accountId, publicKey)).accessKey);
  } catch (error) {
    if (!isLatchkeyError(error, 'ACCOUNT_NOT_ON_CHAIN', 'ACCOUNT_UNFUNDED', 'DEVICE_KEY_REMOVED'))
      throw error;
    const key = await rpc.viewAccessKey(accountId, publicKey, { agreed: true, certain: true, signal });
    if (!key) return null;
    contexts.learn(accountId, publicKey, key);
    return boundsOf(key);
  }
}

/** No allowance means no limit. */
function hasMore(a: string | null, b: string | null): boolean {
  return a === null || (b !== null && BigInt(a) > BigInt(b));
}
