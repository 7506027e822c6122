/**
 * Joins this device to an account: it shows a code, another device (or another wallet of the account) adds the key in
 * the code, and the passkey made here is registered. The steps:
 *
 * 1. option F: a temporary key is made; option E, where the account is known: the passkey is made first, and its own
 *    key goes into the code
 * 2. the code is shown, and every 3 s the chain is asked whether the key is on an account
 * 3. option F: the user sees the account's name and makes the passkey; option E: only when the first one came too
 *    late for the registry
 * 4. the journal entry is written; the temporary key is swapped for the device's own, the passkey is registered, and
 *    the records are stored (device2-chain.ts)
 * 5. the VRF keypair, already in memory, is put under the server lock: this device is logged in, and the session of
 *    another account, which lasts until then, ends
 */

import {
  CANCELLED,
  isLatchkeyError,
  LatchkeyError,
  LINK_BUSY,
  LINK_NOT_FOUND,
  linkText,
  PASSKEY_EXISTS,
  toLatchkeyError,
} from '../../errors/account.js';
import type { FlowPhase } from '../../events.js';
import { failedLinking } from '../../failed-results.js';
import { assertJoinableAccountId, rulesBelow } from '../../near/account-id.js';
import { nextDeviceNumber } from '../../registry/linking.js';
import { sleep } from '../../sleep.js';
import { withMutex } from '../../storage/mutex.js';
import { type LinkEntry, TEMPORARY_DEVICE, TEMPORARY_LINKING_KEY } from '../../storage/records.js';
import type {
  ConfirmationWish,
  Device2Linking,
  Device2LinkingOptions,
  FinishLinkingOptions,
  FlowOptions,
  LinkDeviceQrData,
  LinkedAccount,
} from '../../types.js';
import { assertDevice } from '../../webauthn/device-check.js';
import type { SealedKey } from '../../workers/sealed-key.js';
import type { FlowContext } from '../context.js';
import { retrying } from '../retrying.js';
import { eventError, type Run, runFlow } from '../run.js';
import { notFound } from './balance.js';
import { checkCode } from './check-code.js';
import { detect, type Found } from './detect.js';
import { abandon, join, type LinkContext, step } from './device2-join.js';
import { makeLinkEntry, openLink } from './device2-passkey.js';
import { hold, pageWrappingKey, releaseUnused } from './link-keys.js';
import { dropLink, stateForCertain } from './link-state.js';
import { linkQrText, QR_CODE_MAX_AGE_MS, QR_VERSION } from './qr.js';
import { qrImage } from './qr-image.js';
import { isResumingLinks } from './resume-links.js';

interface Running {
  readonly stopping: AbortController;
  /** Settles when its host has the outcome. */
  readonly ended: Promise<unknown>;
  /** Settles when its work is done; its host's callbacks may still run. */
  readonly over: Promise<unknown>;
}

const MUTEX = 'latchkey:link';
/** How long the next flow waits for a host's callbacks. */
const CALLBACKS_MS = 100;
/** How long this linking waits for another one, here or in another tab. */
const LONGEST_WAIT_MS = 3_000;

const running = new WeakMap<FlowContext, Running>();

/** Resolves when the code can be shown; events, `onError` and `afterCall` report the rest. */
export async function startDevice2LinkingFlow(
  context: FlowContext,
  options: Device2LinkingOptions,
): Promise<Device2Linking> {
  return new Promise((resolve, reject) => {
    launch(context, options, (own, run) => linkThisDevice(own, options, run, resolve)).catch(reject);
  });
}

/**
 * Ends the flow that runs or is about to begin, even while it waits. The next start looks up what is on its way to
 * the chain.
 */
export async function stopDevice2LinkingFlow(context: FlowContext): Promise<void> {
  const flow = running.get(context);
  if (!flow) return;
  flow.stopping.abort(new LatchkeyError(CANCELLED));
  // A callback may await this call, or the next flow; the flow does not end before the callback returns.
  const callbacksWait = flow.over.then(() => sleep(CALLBACKS_MS));
  await Promise.race([flow.ended.catch(() => undefined), callbacksWait]);
}

/** Continues a linking whose key is on the account and whose passkey came too late: one more prompt. */
export async function finishDeviceLinking(
  context: FlowContext,
  accountId: string,
  options: FinishLinkingOptions,
): Promise<LinkedAccount> {
  return launch(context, options, async (own, run) => {
    await assertDevice('create', context.credentials);
    const entry = await own.store.journal.entry('link', accountId);
    if (!entry) throw new LatchkeyError(LINK_NOT_FOUND, { values: { account: accountId } });
    return join(own, { accountId, deleteAt: undefined, entry }, options, run);
  }).catch((error) => notLinked(error, accountId));
}

/** The result of a linking that failed. */
export function notLinked(error: unknown, nearAccountId: string): LinkedAccount {
  return failedLinking(toLatchkeyError(error), nearAccountId);
}

/**
 * Runs one flow at a time over all tabs, because they share the temporary key's place in storage. In this tab a newer
 * flow ends the older one. A flow is known from the call on, so that it can be ended before it has done anything.
 */
export function launch<T>(
  context: FlowContext,
  options: FlowOptions<'linking', T>,
  body: (own: LinkContext, run: Run<'linking'>) => Promise<T>,
  withVrf: typeof withOwnVrf<T> = withOwnVrf,
): Promise<T> {
  const stopping = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stopping.signal]) : stopping.signal;
  let workIsOver = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    workIsOver = resolve;
  });
  const flow = () =>
    runFlow(
      'linking',
      { ...options, signal },
      (run) => alone(context, run, () => withVrf(context, (own) => body(own, run))).finally(workIsOver),
      (error, { emit }): T => {
        emit(errorPhase(error), 'error', error.message, eventError(error));
        throw error;
      },
    );
  const ended = stopDevice2LinkingFlow(context)
    .then(flow)
    .finally(() => {
      if (running.get(context)?.stopping === stopping) running.delete(context);
    });
  running.set(context, { stopping, ended, over });
  return ended;
}

/** Gives the work its own VRF worker, which ends with it unless it has become the session's. */
async function withOwnVrf<T>(context: FlowContext, work: (own: LinkContext) => Promise<T>): Promise<T> {
  const vrf = context.vrf.beside();
  try {
    return await work({ ...context, vrf, sessionVrf: context.vrf });
  } finally {
    vrf.close();
  }
}

/** Makes this tab the only one that links; drops the temporary key and forgets the keys of what has ended afterwards. */
async function alone<T>(
  context: FlowContext,
  { signal }: Run<'linking'>,
  work: () => Promise<T>,
): Promise<T> {
  let isAlone = false;
  const workAlone = async (): Promise<T> => {
    isAlone = true;
    try {
      return await work();
    } finally {
      await step(context, 'drop the temporary key', () =>
        context.store.sealedKeys.drop(TEMPORARY_LINKING_KEY, TEMPORARY_DEVICE),
      );
      await step(context, 'forget the keys of what has ended', () => releaseUnused(context));
    }
  };
  try {
    signal.throwIfAborted();
    // The first try has no time limit, since a slow browser is no sign that the mutex is held.
    const done = await withMutex(
      MUTEX,
      { ifAvailable: true },
      async (held) => held && { value: await workAlone() },
    );
    if (done) return done.value;
    // A starting page holds it briefly, to look for what an earlier visit left.
    const waiting = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_WAIT_MS)]);
    return await withMutex(MUTEX, { signal: waiting }, workAlone);
  } catch (error) {
    if (isAlone) throw error;
    signal.throwIfAborted();
    throw busy(context, error);
  }
}

function busy(context: FlowContext, cause: unknown): LatchkeyError {
  const message = isResumingLinks(context) ? linkText('busyHere') : undefined;
  return new LatchkeyError(LINK_BUSY, { ...(message !== undefined && { message }), cause });
}

async function linkThisDevice(
  context: LinkContext,
  options: Device2LinkingOptions,
  run: Run<'linking'>,
  show: (linking: Device2Linking) => void,
): Promise<LinkedAccount> {
  await assertDevice('create', context.credentials);
  const { accountId } = options;
  const { signal: loggedOut } = context.logout;
  // Before a key of this device can be on the account.
  await retrying(async () => context.assertHost?.(run.signal), run.signal);
  const started =
    accountId === undefined
      ? { key: await makeTemporaryKey(context, run.signal) }
      : await startWithPasskey(context, accountId, options, run);
  const found = await showUntilFound(context, started.key.publicKey, accountId, run, show).catch(
    async (error) => {
      if ('entry' in started) await abandon(context, started.entry, error);
      throw error;
    },
  );
  if ('entry' in started) return join(context, { ...found, entry: started.entry, loggedOut }, options, run);
  // An earlier try may have its key on the account too: that key must not be left there.
  const entry = await earlierEntry(context, found.accountId, run.signal);
  return join(context, { ...found, ...(entry ? { entry } : { key: started.key }) }, options, run);
}

async function showUntilFound(
  context: FlowContext,
  publicKey: string,
  accountId: string | undefined,
  run: Run<'linking'>,
  show: (linking: Device2Linking) => void,
): Promise<Found> {
  const linking = await shownCode(publicKey, accountId);
  run.signal.throwIfAborted();
  const { flowId, qrData, expiresAt } = linking;
  const data = { flowId, qrData, checkCode: linking.checkCode, expiresAt };
  run.emit('qr-code-generated', 'success', 'QR code ready', { data });
  show(linking);
  run.emit('polling', 'progress', 'Waiting for your other device to scan');
  const found = await detect(context, { publicKey, accountId, byDevice: true, expiresAt }, run);
  run.emit('addkey-detected', 'success', `${found.accountId} has added the key of this device`, {
    data: {
      nearAccountId: found.accountId,
      deviceNumber: found.deviceNumber,
      checkCode: linking.checkCode,
      ...(found.deleteAt !== undefined && { deleteAt: found.deleteAt }),
    },
  });
  return found;
}

// -------------------------------------------------------------- before the code is shown

/** Makes the key of option F. What storage keeps of it opens in this page alone. */
async function makeTemporaryKey(context: FlowContext, signal: AbortSignal): Promise<SealedKey> {
  const wrappingKey = await pageWrappingKey(context);
  const signer = await context.signers.acquire(signal);
  try {
    const key = await signer.call('makeSealedKeyPair', [wrappingKey], { signal });
    hold(context, { wrappingKey, sealed: key });
    await context.store.sealedKeys.put(TEMPORARY_LINKING_KEY, TEMPORARY_DEVICE, key);
    return key;
  } finally {
    signer.end();
  }
}

interface Started {
  readonly key: Pick<SealedKey, 'publicKey'>;
  readonly entry: LinkEntry;
  /** Whether the account has the key already. */
  readonly isAdded: boolean;
}

/** Option E, or an adoption. Continues with the key of an earlier try where that is already on the account. */
export async function startWithPasskey(
  context: FlowContext,
  accountId: string,
  {
    confirmationConfig,
    option = 'E',
  }: { readonly confirmationConfig?: ConfirmationWish | undefined; readonly option?: 'E' | 'adopt' },
  run: Run<'linking'>,
): Promise<Started> {
  assertJoinableAccountId(accountId, rulesBelow(accountId));
  const { signal } = run;
  // The account may be younger than what a node that lags knows.
  const view = { agreed: true, certain: true, signal };
  if (!(await retrying(() => context.rpc.viewAccount(accountId, view), signal))) {
    throw notFound(accountId);
  }
  const earlier = await earlierEntry(context, accountId, signal);
  if (earlier) return { key: earlier.replaces ?? earlier.key, entry: earlier, isAdded: true };

  const deviceNumber = await retrying(() => nextDeviceNumber(context, accountId, signal), signal);
  const joining = {
    option,
    accountId,
    deviceNumber,
    onAccount: null,
    deleteAt: undefined,
    confirmationConfig,
  } as const;
  const entry = await makeLinkEntry(context, joining, signal);
  // Runs before the code is shown: from then on the key may be on the account.
  await openLink(context, entry);
  return { key: entry.key, entry, isAdded: false };
}

/** Returns what an earlier try left, if its key is on the account; otherwise ends that try. */
async function earlierEntry(
  context: FlowContext,
  accountId: string,
  signal: AbortSignal,
): Promise<LinkEntry | undefined> {
  const entry = await context.store.journal.entry('link', accountId);
  if (!entry) return undefined;
  const state = await stateForCertain(context, entry, signal);
  if (state === 'registered') {
    await context.store.commitEntry(entry);
    throw new LatchkeyError(PASSKEY_EXISTS, { values: { account: accountId } });
  }
  if (state === 'added' || state === 'to-swap') return entry;
  await (state === 'gone' ? dropLink(context, entry) : context.store.journal.drop(entry));
  return undefined;
}

async function shownCode(publicKey: string, accountId: string | undefined): Promise<Device2Linking> {
  const qrData: LinkDeviceQrData = {
    device2PublicKey: publicKey,
    ...(accountId !== undefined && { accountId }),
    timestamp: Date.now(),
    version: QR_VERSION,
  };
  return {
    flowId: crypto.randomUUID(),
    qrData,
    qrCodeDataURL: await qrImage(linkQrText(qrData)),
    checkCode: await checkCode(publicKey),
    expiresAt: qrData.timestamp + QR_CODE_MAX_AGE_MS,
  };
}

function errorPhase(error: LatchkeyError): FlowPhase<'linking'> {
  return isLatchkeyError(error, 'REGISTRATION_FAILED', 'SIGNING_FAILED', 'LINK_PENDING')
    ? 'registration-error'
    : 'device-linking-error';
}
