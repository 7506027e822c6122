/**
 * Function-call access keys for an app: the user makes and revokes them, the app uses them without a prompt. They
 * are stored sealed on this device; the chain says what each one may do.
 */

import type { AppKeyModel } from '../../confirm/port.js';
import { isLatchkeyError, LatchkeyError } from '../../errors/app-keys.js';
import { isNearAccountId } from '../../near/account-id.js';
import { type AccessKeyView, rpcFailure } from '../../near/index.js';
import type { AppKeyDeletion, AppKeyEntry } from '../../storage/records.js';
import type {
  Action,
  ActionOptions,
  ActionResult,
  AppKey,
  AppKeyCall,
  AppKeyResult,
  AppKeyToMake,
  SignedTransaction,
} from '../../types.js';
import type { SealedKey } from '../../workers/sealed-key.js';
import type { Signer } from '../../workers/signer-pool.js';
import { beforeAsking } from '../before-asking.js';
import type { FlowContext } from '../context.js';
import { isDue, watchDeletion } from '../linking/deletion.js';
import { joiningDeletions } from '../linking/deletion-joining.js';
import { pause } from '../pause.js';
import { type Run, runFlow } from '../run.js';
import { requireSession } from '../session/session.js';
import { completeTransactions } from '../signing/actions.js';
import { hold } from '../signing/batch-journal.js';
import { emitFailure, failedAction } from '../signing/failure.js';
import { sendWithKey } from '../signing/send-with-key.js';
import { sendOne, signingAndSending } from '../signing/sign-and-send.js';
import { assertExpiry, dropExpiry, expired, expiries, isOver, noteExpiry } from './expiry.js';
import {
  appKeyMutex,
  appKeyName,
  dropPendingAppKey,
  keepAppKey,
  resumeAppKeys,
  sealedName,
} from './settle-app-keys.js';

/** 0.25 NEAR: the fees of about a hundred calls. */
const DEFAULT_ALLOWANCE = '250000000000000000000000';
/** How often a call is signed again that a lagging node refused, because it does not know the key yet. */
const LAG_RESIGNS = 4;
const LAG_PAUSE_MS = 1_000;
// The chain's limits (near-parameters).
const MAX_METHOD_BYTES = 256;
const MAX_METHODS_BYTES = 2000;

/** Makes a key, adds it to the account with one confirmation and one prompt, and keeps it on this device. */
export async function addAppKey(
  context: FlowContext,
  accountId: string,
  toMake: AppKeyToMake,
  options: ActionOptions<AppKeyResult>,
): Promise<AppKeyResult> {
  let publicKey: string | null = null;
  let isPending = false;
  return runFlow(
    'action',
    options,
    async (run) => {
      const { store } = context;
      const bounds = checkedBounds(toMake, context.config.contractId);
      const { expiresAt } = toMake;
      assertExpiry(expiresAt);
      const { deviceNumber } = await requireSession(context, accountId);
      const wrappingKey = await store.wrappingKey();
      const sealed = await inSigner(context, run, (signer) =>
        signer.call('makeSealedKeyPair', [wrappingKey]),
      );
      publicKey = sealed.publicKey;
      const { receiverId } = bounds;
      const key = { accountId, publicKey: sealed.publicKey };
      const ends = expiresAt !== undefined && { expiresAt };
      const appKey = { receiverId, name: sealedName(store, key, receiverId), deviceNumber };
      const permission = { FunctionCall: bounds };
      const action: Action = { type: 'AddKey', publicKey: sealed.publicKey, accessKey: { permission } };
      const appKeys = ends && [
        { publicKey: sealed.publicKey, receiverId, ...ends, change: 'added' as const },
      ];
      let entry: AppKeyEntry | undefined;
      let end: AppKeyDeletion | undefined;
      const release = await hold(appKeyMutex(sealed.publicKey));
      try {
        const toSign = { ...key, action, ...(appKeys && { appKeys }) };
        const result = await approveAndSend(context, toSign, options, run, async (copy, blockHeight) => {
          const { nonce, publicKey: signerKey } = copy.transaction;
          if (ends) await noteExpiry(store, { ...key, appKey, ...ends, signerKey }, copy, blockHeight);
          entry = {
            kind: 'appKey',
            accountId,
            deviceNumber,
            receiverId,
            sealed,
            ...ends,
            signedBy: signerKey,
            transaction: {
              transactionId: copy.hash,
              receiverId: accountId,
              nonce,
              blockHeight,
              fate: 'unknown',
            },
            createdAt: Date.now(),
          };
          // From here on the chain may have the key, so it is stored first.
          if (!(await store.openEntry(entry))) await store.updateEntry(entry, entry);
        });
        if (entry) await keepAppKey(store, entry);
        run.emit('action-complete', 'success', 'Done', { data: { transactionId: result.transactionId } });
        return { ...result, publicKey };
      } catch (error) {
        isPending = entry !== undefined && isLatchkeyError(error) && error.details.fate === 'unknown';
        if (entry && isNeverOnChain(error))
          await Promise.all([store.dropEntry(entry), dropExpiry(store, key)]);
        throw error;
      } finally {
        release();
        if (end) watchDeletion(context, end);
      }
    },
    (error, run) => {
      emitFailure(error, run);
      return { ...failedAction(error), publicKey, ...(isPending && { pending: true }) };
    },
  );
}

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
      if (!transaction) throw new LatchkeyError('NO_PAYLOADS');
      await requireSession(context, accountId);
      const sealed = await keyFor(context, accountId, receiverId, methodName, signal);
      const { publicKey } = sealed;
      const wrappingKey = await context.store.wrappingKey();
      const sign = (nonce: string, blockHash: string): Promise<SignedTransaction> =>
        inSigner(context, run, (signer) =>
          signer.call(
            'signWithSealedKey',
            [wrappingKey, sealed, { signerAccountId: accountId, ...transaction, nonce, blockHash }],
            { signal },
          ),
        );
      const onSend = ({ hash }: SignedTransaction): void =>
        emit('broadcasting', 'progress', 'Sending', { data: { transactionId: hash } });
      const { waitUntil } = options;
      const toSend = { accountId, publicKey, sign, waitUntil, run, onSend };
      const result = await unlessLagging(context, accountId, publicKey, receiverId, signal, () =>
        sendWithKey(context, toSend),
      );
      const data = { transactionId: result.transactionId };
      emit('broadcasting', 'success', 'The chain took it', { data });
      emit('action-complete', 'success', 'Done', { data });
      return result;
    },
    (error, run) => {
      emitFailure(error, run);
      return failedAction(error);
    },
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
      if (isBeyondAllowance(error)) {
        throw new LatchkeyError('APP_KEY_ALLOWANCE', { values: { publicKey }, cause: error, details });
      }
      const reasons = Object.keys(rpcFailure(error)?.info ?? {});
      if (resigns === LAG_RESIGNS || !reasons.includes('AccessKeyNotFound')) throw error;
      // Null once two looks at different blocks have found neither the key nor its account.
      if (!(await rpc.viewAccessKey(account, publicKey, { agreed: true, certain: true, signal }))) {
        throw new LatchkeyError('APP_KEY_GONE', { values: { receiver, account }, cause: error, details });
      }
      await pause(LAG_PAUSE_MS, signal);
    }
  }
}

/**
 * Whether nodes refused a call for the key's allowance. The call's fate is unknown where a node that lags took it with an
 * earlier allowance; that refusal is then among the causes.
 */
function isBeyondAllowance(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return 'NotEnoughAllowance' in Object(rpcFailure(error)?.info) || isBeyondAllowance(error.cause);
}

/** Lists the account's function-call keys on the chain, and those of this device that the chain does not list. */
export async function getAppKeys(context: FlowContext, accountId: string): Promise<readonly AppKey[]> {
  const { rpc, store } = context;
  await resumeAppKeys(context);
  const [kept, ends] = await Promise.all([
    store.sealedKeys(appKeyName(accountId, store.host)),
    expiries(store, accountId),
  ]);
  const expiryOf = (publicKey: string) => {
    const { dueAt: expiresAt = null } = ends.get(publicKey) ?? {};
    return { expiresAt, isExpired: expiresAt !== null && Date.now() >= expiresAt };
  };
  const { keys } = await rpc.viewAccessKeyList(accountId, {
    agreed: true,
    afterWrites: true,
    // A key of this device that a node does not list may be newer than what that node knows.
    certain: true,
    isNo: (list) =>
      kept.some(({ sealed }) => !list.keys.some(({ public_key: key }) => key === sealed.publicKey)),
  });
  const onChain = keys.flatMap(({ public_key, access_key }): AppKey[] => {
    const bounds = boundsOf(access_key);
    const expiry = expiryOf(public_key);
    const isHere = !expiry.isExpired && kept.some(({ sealed }) => sealed.publicKey === public_key);
    return bounds ? [{ publicKey: public_key, ...bounds, isHere, ...expiry, isOnChain: true }] : [];
  });
  const missing = kept.filter(({ sealed }) => !keys.some((key) => key.public_key === sealed.publicKey));
  const forgotten = missing.map(
    ({ name, sealed }): AppKey => ({
      publicKey: sealed.publicKey,
      receiverId: receiverOf(name, appKeyName(accountId, store.host), sealed.publicKey),
      methodNames: [],
      allowance: null,
      isHere: true,
      ...expiryOf(sealed.publicKey),
      isOnChain: false,
    }),
  );
  return [...onChain, ...forgotten];
}

/** Removes a function-call key from the account, with one confirmation and one prompt, and from this device. */
export async function revokeAppKey(
  context: FlowContext,
  accountId: string,
  publicKey: string,
  options: ActionOptions,
): Promise<ActionResult> {
  return runFlow(
    'action',
    options,
    async (run) => {
      const { rpc, store } = context;
      await requireSession(context, accountId);
      const { signal } = run;
      // Without it on the chain nothing is sent, and the key of this device is dropped.
      const reading = rpc.viewAccessKey(accountId, publicKey, { agreed: true, certain: true, signal });
      const onChain = await beforeAsking(context, signal, reading);
      const kept = (await store.sealedKeys(appKeyName(accountId, store.host))).filter(
        ({ sealed }) => sealed.publicKey === publicKey,
      );
      if (onChain ? !boundsOf(onChain) : kept.length === 0) {
        throw new LatchkeyError('APP_KEY_UNKNOWN', { values: { publicKey, account: accountId } });
      }
      const gone: ActionResult = { success: true, transactionId: null, result: null };
      const result = onChain
        ? await approveAndSend(
            context,
            { accountId, publicKey, action: { type: 'DeleteKey', publicKey } },
            options,
            run,
          )
        : gone;
      await Promise.all([
        dropPendingAppKey(store, publicKey),
        dropExpiry(store, { accountId, publicKey }),
        ...kept.map(({ name, deviceNumber }) => store.dropSealedKey(name, deviceNumber)),
      ]);
      run.emit('action-complete', 'success', 'Done', { data: { transactionId: result.transactionId } });
      return result;
    },
    (error, run) => {
      emitFailure(error, run);
      return failedAction(error);
    },
  );
}

type Bounds = Pick<AppKey, 'receiverId' | 'methodNames' | 'allowance'>;

/** The bounds of a function-call key, as the chain gives them; undefined for every other key. */
function boundsOf({ permission }: Pick<AccessKeyView, 'permission'>): Bounds | undefined {
  if (typeof permission !== 'object' || !('FunctionCall' in permission)) return undefined;
  const { receiver_id, method_names, allowance } = permission.FunctionCall as {
    readonly receiver_id: string;
    readonly method_names: readonly string[];
    readonly allowance: string | null;
  };
  return { receiverId: receiver_id, methodNames: method_names, allowance };
}

function receiverOf(name: string, prefix: string, publicKey: string): string {
  return name.slice(prefix.length, -`:${publicKey}`.length);
}

/** Finds the key of this device whose bounds allow the call. Reports what is missing before anything is signed. */
async function keyFor(
  context: FlowContext,
  accountId: string,
  receiverId: string,
  methodName: string,
  signal: AbortSignal,
): Promise<SealedKey> {
  const { store } = context;
  const values = { account: accountId, receiver: receiverId, method: methodName };
  const name = `${appKeyName(accountId, store.host)}${receiverId}:`;
  let kept = await store.sealedKeys(name);
  const ends = await expiries(store, accountId);
  if (kept.length === 0) {
    // A key whose answer was lost may be on the chain by now.
    await resumeAppKeys(context);
    kept = await store.sealedKeys(name);
  }
  const [ended] = [...ends.values()].filter((entry) => entry.appKey.name.startsWith(name) && isDue(entry));
  if (kept.length === 0) throw ended ? expired(ended) : new LatchkeyError('APP_KEY_MISSING', { values });
  const refusals: LatchkeyError[] = [];
  const usable: { readonly sealed: SealedKey; readonly allowance: string | null }[] = [];
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
    if (bounds === null) refusals.push(new LatchkeyError('APP_KEY_GONE', { values }));
    if (!bounds) continue;
    const { methodNames, allowance } = bounds;
    const allowsMethod = methodNames.length === 0 || methodNames.includes(methodName);
    if (bounds.receiverId === receiverId && allowsMethod) {
      usable.push({ sealed, allowance });
      continue;
    }
    const allowed = `${bounds.receiverId}: ${methodNames.join(', ') || 'every method'}`;
    refusals.push(new LatchkeyError('APP_KEY_NOT_FOR_THIS', { values: { ...values, allowed } }));
  }
  // A used-up key must not precede the one made to replace it.
  const [best] = usable.sort((a, b) => (hasMore(a.allowance, b.allowance) ? -1 : 1));
  if (best) return best.sealed;
  throw refusals.at(-1) ?? new LatchkeyError('APP_KEY_MISSING', { values });
}

/** The bounds of a key of this device; null once two looks have not found it, undefined for a full-access key. */
async function boundsOnChain(
  { contexts, rpc }: FlowContext,
  accountId: string,
  publicKey: string,
  signal: AbortSignal,
): Promise<Bounds | null | undefined> {
  try {
    return boundsOf((await contexts.begin(accountId, publicKey)).accessKey);
  } catch (error) {
    if (!isLatchkeyError(error, 'ACCOUNT_NOT_ON_CHAIN', 'DEVICE_KEY_REMOVED')) throw error;
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

/** A change of the key `publicKey` of the account. */
interface KeyChange {
  readonly accountId: string;
  readonly publicKey: string;
  readonly action: Action;
  /** Shown with it. */
  readonly appKeys?: readonly AppKeyModel[];
}

/**
 * One transaction of one action on the account itself: confirmed, signed, sent, and signed again when its nonce is
 * overtaken. Keys that wait for their deletion go with it.
 */
async function approveAndSend(
  context: FlowContext,
  { accountId, publicKey, action, appKeys }: KeyChange,
  { confirmationConfig, waitUntil }: ActionOptions<AppKeyResult> | ActionOptions,
  run: Run<'action'>,
  onSend?: (copy: SignedTransaction, blockHeight: string) => Promise<void>,
): Promise<ActionResult> {
  const transactions = [{ receiverId: accountId, actions: [action] }];
  const toSign = { accountId, transactions, confirmationConfig, appKeys };
  const joining = (id: string) => joiningDeletions(context, id, publicKey);
  return signingAndSending({ ...context, joining }, toSign, run, (batch) =>
    sendOne(context, batch, 0, { waitUntil }, run, async (copy) => onSend?.(copy, batch.blockHeight)),
  );
}

/** Runs one signature in a signer worker, which ends with it. */
async function inSigner<T>(
  { signers }: FlowContext,
  { signal }: Run<'action'>,
  use: (signer: Signer) => Promise<T>,
): Promise<T> {
  const signer = await signers.acquire(signal);
  try {
    return await use(signer);
  } finally {
    signer.end();
  }
}

/** The bounds of a function-call key, complete. Throws INVALID_ACTION for what the chain would refuse, or the user regret. */
export function checkedBounds(
  { receiverId, methodNames = [], allowance = DEFAULT_ALLOWANCE }: AppKeyToMake,
  registry: string,
) {
  if (!isNearAccountId(receiverId)) throw invalid('An app key needs the receiverId of a contract');
  if (receiverId === registry) {
    throw invalid(
      `An app key may not be for the registry ${registry}, which decides about the account's passkeys`,
    );
  }
  const size = (name: string) => new TextEncoder().encode(name).length;
  if (!Array.isArray(methodNames) || methodNames.some((name) => typeof name !== 'string')) {
    throw invalid('The methodNames of an app key must be a list of texts');
  }
  if (methodNames.some((name) => name === '' || size(name) > MAX_METHOD_BYTES)) {
    throw invalid(`Each method name of an app key must be of 1 to ${MAX_METHOD_BYTES} bytes`);
  }
  if (methodNames.reduce((sum, name) => sum + size(name) + 1, 0) > MAX_METHODS_BYTES) {
    throw invalid(`The method names of an app key may take ${MAX_METHODS_BYTES} bytes together`);
  }
  if (allowance !== null && (typeof allowance !== 'string' || !/^[1-9]\d*$/.test(allowance))) {
    throw invalid('The allowance of an app key must be above 0, in yoctoNEAR, or null for no limit');
  }
  return { receiverId, methodNames: [...methodNames], allowance };
}

function invalid(reason: string): LatchkeyError {
  return new LatchkeyError('INVALID_ACTION', { values: { reason } });
}

/** Whether the chain will never have the key of this transaction. */
function isNeverOnChain(error: unknown): boolean {
  const fate = isLatchkeyError(error) ? error.details.fate : undefined;
  return fate === 'refused' || fate === 'failed' || fate === 'not-sent';
}
