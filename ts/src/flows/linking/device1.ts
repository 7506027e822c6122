/**
 * Device1's part of linking another device:
 *
 * 1. the QR code is scanned here, or comes from the caller; its request is checked (scanning)
 * 2. one confirmation shows the check code, one prompt signs three transactions: AddKey, mapping, DeleteKey
 *    (authorization)
 * 3. the first two are sent (registration); from then on Device2 continues by itself
 * 4. in the background, the key is watched, and deleted when its time is over and no device has made it its own
 */

import { mergedSettings, surroundings } from '../../confirm/decide.js';
import {
  AUTHORIZATION_TIMEOUT,
  isCancellation,
  isLatchkeyError,
  LatchkeyError,
  LINK_BUSY,
  LINK_KEY_KNOWN,
  linkText,
  NO_CONFIRMER,
  SESSION_EXPIRED,
  toLatchkeyError,
} from '../../errors/account.js';
import { orOffline } from '../../errors/offline.js';
import { DEFAULT_FUNDING_AMOUNT, failure } from '../../failed-results.js';
import { changeDeposit } from '../../registry/linking.js';
import { withMutex } from '../../storage/mutex.js';
import { type DeletionEntry, deletionId, type UserRecord } from '../../storage/records.js';
import type {
  ConfirmationWish,
  LinkDeviceOptions,
  LinkDeviceQrData,
  LinkDeviceResult,
  TransactionInput,
} from '../../types.js';
import { beforeAsking } from '../before-asking.js';
import type { FlowContext } from '../context.js';
import { eventError, type Run, runFlow } from '../run.js';
import { confirmationSettings } from '../session/settings.js';
import { signingAndSending } from '../signing/sign-and-send.js';
import { checkCode } from './check-code.js';
import { assertTakesCode, rememberScanned } from './code-source.js';
import { advanceDeletion, deletionMutex } from './deletion.js';
import { joiningDeletions } from './deletion-joining.js';
import {
  checkOnChain,
  checkOwner,
  checkRecorded,
  fundingAmount,
  loggedInUser,
  MAPPING_GAS,
} from './device1-checks.js';
import { putOnChain, type SignedLink } from './device1-send.js';
import { parseLinkQr, QR_CODE_MAX_AGE_MS } from './qr.js';

const LONGEST_WAIT_MS = 5_000;
const MUTEX = 'latchkey:link-other';

/** The request of another device. */
interface ReadCode {
  readonly qr: LinkDeviceQrData;
  /** The wallet scanned it, so its caller does not know the key. */
  readonly isScannedHere?: boolean;
  /** The origin of the host that scanned it and handed it in. */
  readonly scannedBy?: string | undefined;
}

/** Lets the device whose QR code the caller has scanned into the account that is logged in. */
export function linkDeviceWithScannedQRData(
  context: FlowContext,
  qrData: string | LinkDeviceQrData,
  options: LinkDeviceOptions,
): Promise<LinkDeviceResult> {
  return linkDevice(context, options, async ({ emit }) => {
    emit('scanning', 'progress', 'Reading the QR code');
    const scannedBy = await assertTakesCode(context);
    return { qr: parseLinkQr(qrData), scannedBy };
  });
}

/** The same with a QR code that the wallet scans by itself: no host comes between the camera and the wallet. */
export function scanAndLinkDevice(
  context: FlowContext,
  options: LinkDeviceOptions,
): Promise<LinkDeviceResult> {
  return linkDevice(context, options, async ({ emit, signal }) => {
    emit('scanning', 'progress', 'Scanning the QR code');
    const user = await loggedInUser(context);
    const confirmer = context.confirmer();
    if (!confirmer?.scan) throw new LatchkeyError(NO_CONFIRMER);
    const { theme } = await confirmationSettings(context, user, undefined).then(mergedSettings);
    const check = (text: string): void => checkOwner(parseLinkQr(text), user);
    const qr = parseLinkQr(await confirmer.scan({ theme, check }, signal));
    await rememberScanned(context, qr.device2PublicKey);
    return { qr, isScannedHere: true };
  });
}

async function linkDevice(
  context: FlowContext,
  options: LinkDeviceOptions,
  readCode: (run: Run<'linking'>) => Promise<ReadCode>,
): Promise<LinkDeviceResult> {
  /** As the caller may know it: not before the user has approved the key that the wallet scanned. */
  let device2PublicKey = '';
  const { fundingAmount: amount = DEFAULT_FUNDING_AMOUNT } = options;
  return runFlow(
    'linking',
    options,
    async (run) => {
      try {
        return await asOnlyOne(async () => {
          const code = await readCode(run);
          const approved = (): void => {
            device2PublicKey = code.qr.device2PublicKey;
          };
          if (!code.isScannedHere) approved();
          const echoed = fundingAmount(amount);
          return { ...(await link(context, code, options, run, approved)), fundingAmount: echoed };
        });
      } catch (error) {
        throw inWords(error);
      }
    },
    (error, { emit }) => {
      emit('device-linking-error', 'error', error.message, eventError(error));
      return { ...failure(error), device2PublicKey, fundingAmount: String(amount) };
    },
  );
}

/**
 * Links one device at a time over all tabs and frames: a host that asks for another linking meanwhile cannot have its
 * confirmation follow the user's scan.
 */
function asOnlyOne<T>(work: () => Promise<T>): Promise<T> {
  return withMutex(MUTEX, { ifAvailable: true }, (held) => {
    if (!held) throw new LatchkeyError(LINK_BUSY, { message: linkText('busyOther') });
    return work();
  });
}

async function link(
  context: FlowContext,
  code: ReadCode,
  options: LinkDeviceOptions,
  run: Run<'linking'>,
  approved: () => void,
): Promise<Omit<LinkDeviceResult, 'fundingAmount'>> {
  const { emit, signal } = run;
  const { qr } = code;
  const { device2PublicKey: publicKey } = qr;
  const user = await loggedInUser(context);
  const { nearAccountId: accountId } = user;
  checkOwner(qr, user);
  const preparing = theTransactions(context, accountId, publicKey);
  const checking = preparing.then(async ({ addKey, mapping }) => {
    await checkOnChain(context, accountId, publicKey, [addKey, mapping], signal);
    await checkRecorded(context, user, signal);
  });
  await beforeAsking(context, signal, checking);
  emit('scanning', 'success', 'The code is good');

  const { addKey, deleteKey } = await alone(context, { accountId, publicKey }, () =>
    authorize(context, user, code, options, run, approved),
  );
  emit('linking-complete', 'success', 'The other device is let in and finishes by itself', {
    data: { transactionId: addKey.hash },
  });
  return {
    success: true,
    device2PublicKey: publicKey,
    transactionId: addKey.hash,
    linkedToAccount: accountId,
    signedDeleteKeyTransaction: deleteKey,
  };
}

/** One confirmation and one prompt for the three transactions, and the first two of them on the chain. */
async function authorize(
  context: FlowContext,
  user: UserRecord,
  { qr, scannedBy }: ReadCode,
  { confirmationConfig }: LinkDeviceOptions,
  run: Run<'linking'>,
  approved: () => void,
): Promise<SignedLink> {
  const { emit, signal } = run;
  const { nearAccountId: accountId, clientNearPublicKey: signerKey } = user;
  const { device2PublicKey: publicKey } = qr;
  const expiresAt = qr.timestamp + QR_CODE_MAX_AGE_MS;
  const code = await checkCode(publicKey);
  const device = { publicKey, checkCode: code, expiresAt, ...(scannedBy !== undefined && { scannedBy }) };
  // Neither key nor check code: a host that knows them early could show them next to its own.
  emit('authorization', 'progress', 'Waiting for your confirmation');
  // An earlier link's deletion precedes this one's, as it will when they are sent.
  const joining = await joiningDeletions(context, accountId, publicKey);
  const { addKey, mapping, deleteKey } = await theTransactions(context, accountId, publicKey);
  const toSign = {
    type: 'linkDevice',
    accountId,
    transactions: [addKey, mapping, ...(joining?.transactions ?? []), deleteKey],
    confirmationConfig: await withClick(context, user, confirmationConfig),
    device,
    appKeys: joining?.appKeys,
  } as const;
  const alone = { ...context, joining: async () => undefined };
  return signingAndSending(alone, toSign, asAction(run), async (batch) => {
    approved();
    // Device2 gave up when its code expired.
    if (Date.now() > expiresAt) throw new LatchkeyError(SESSION_EXPIRED);
    emit('authorization', 'success', 'Authorized', {
      data: { device2PublicKey: publicKey, checkCode: code },
    });
    emit('registration', 'progress', 'Adding the key of the other device');
    try {
      const done = await putOnChain(context, { accountId, publicKey, signerKey }, batch, signal);
      emit('registration', 'success', 'The other device can register now');
      return done;
    } finally {
      await joining?.take(batch.signed.slice(2, -1));
    }
  });
}

async function theTransactions(context: FlowContext, accountId: string, publicKey: string) {
  const args = { device_public_key: publicKey, target_account_id: accountId };
  const methodName = 'store_device_linking_mapping';
  const deposit = await changeDeposit(context);
  return {
    addKey: {
      receiverId: accountId,
      actions: [{ type: 'AddKey', publicKey, accessKey: { permission: 'FullAccess' } }],
    },
    mapping: {
      receiverId: context.config.contractId,
      actions: [{ type: 'FunctionCall', methodName, args, gas: MAPPING_GAS, deposit }],
    },
    deleteKey: { receiverId: accountId, actions: [{ type: 'DeleteKey', publicKey }] },
  } as const satisfies Record<string, TransactionInput>;
}

/** The user must compare the check codes: only the call's own option skips the click. */
async function withClick(
  context: FlowContext,
  user: UserRecord,
  ofCall: ConfirmationWish | undefined,
): Promise<ConfirmationWish | undefined> {
  // A frame always requires the click.
  if (surroundings().isEmbedded) return ofCall;
  const { uiMode } = mergedSettings(await confirmationSettings(context, user, undefined));
  return { uiMode: uiMode === 'skip' ? 'modal' : uiMode, behavior: 'requireClick', ...ofCall };
}

/** Reports the steps of signing as this flow's authorization. */
function asAction({ emit, signal }: Run<'linking'>): Run<'action'> {
  return {
    signal,
    emit: (phase, _status, message) =>
      emit('authorization', 'progress', message, { data: { signing: phase } }),
  };
}

/**
 * Two linkings of one key, in two tabs for example, would both take it for theirs. Waits for a key that is just being
 * removed after an earlier try.
 */
async function alone<T>(
  context: FlowContext,
  key: Pick<DeletionEntry, 'accountId' | 'publicKey'>,
  work: () => Promise<T>,
): Promise<T> {
  const known = (cause?: unknown) =>
    new LatchkeyError(LINK_KEY_KNOWN, { values: { account: key.accountId }, cause });
  let isAlone = false;
  const locked = withMutex(deletionMutex(key), { signal: AbortSignal.timeout(LONGEST_WAIT_MS) }, async () => {
    isAlone = true;
    const earlier = await context.store.journal.entry('deletion', deletionId(key));
    if (earlier && (await advanceDeletion(context, earlier)) !== 'closed') throw known();
    return work();
  });
  return locked.catch((error: unknown) => {
    throw isAlone ? error : known(error);
  });
}

/** Keeps the codes of the specification; every other failure has one code. */
function inWords(thrown: unknown): LatchkeyError {
  const error = toLatchkeyError(orOffline(thrown), 'Device linking');
  const isOwn = isLatchkeyError(
    error,
    'OFFLINE',
    'INVALID_QR_DATA',
    'SESSION_EXPIRED',
    'ACCOUNT_NOT_OWNED',
    'ACCOUNT_UNFUNDED',
    'DEVICE_NOT_RECORDED',
    'INSUFFICIENT_BALANCE',
    'LINK_BUSY',
    'LINK_CODE_REFUSED',
  );
  if (isOwn || isCancellation(error)) return error;
  const { message: reason, details } = error;
  return new LatchkeyError(AUTHORIZATION_TIMEOUT, { values: { reason }, cause: error, details });
}
