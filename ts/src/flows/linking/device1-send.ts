/**
 * Puts on the chain what one approval signed for a linking: AddKey, then the mapping. Whatever interrupts it, the
 * journal knows the key before the chain does, and no key stays on the account unseen.
 */
import {
  BATCH_SIGNING_FAILED,
  LatchkeyError,
  LINK_IN_DOUBT,
  LINK_KEY_KNOWN,
  LINK_UNDONE,
  toLatchkeyError,
} from '../../errors/account.js';
import type { TransactionOutcome } from '../../near/index.js';
import { pause } from '../../sleep.js';
import type { DeletionEntry, LinkDeletion } from '../../storage/records.js';
import type { SignedTransaction } from '../../types.js';
import type { FlowContext } from '../context.js';
import { sendSigned } from '../signing/send.js';
import type { SignedBatch } from '../signing/signed-batch.js';
import { advanceDeletion, heightOf, watchDeletion } from './deletion.js';

/** The positions of the first two in the batch; the DeleteKey is its last. */
const ADD_KEY = 0;
const MAPPING = 1;
/** How long a failure is examined before the user hears of it. */
const EXAMINED_MS = 3_000;
const LOOK_PAUSE_MS = 1_000;

export interface KeyToLink {
  readonly accountId: string;
  readonly publicKey: string;
  /** The key that signs. */
  readonly signerKey: string;
}

/** The link's signed transactions, in their current state. */
export interface SignedLink {
  readonly addKey: SignedTransaction;
  readonly mapping: SignedTransaction;
  readonly deleteKey: SignedTransaction;
}

/** Sends the two, and resolves when the mapping has been executed. The signal stops what was not sent yet. */
export async function putOnChain(
  context: FlowContext,
  key: KeyToLink,
  batch: SignedBatch,
  signal: AbortSignal,
): Promise<SignedLink> {
  const { store, config } = context;
  let signed = linkOf(batch.signed);
  let entry: LinkDeletion = { kind: 'deletion', ...newEntry(key), ...inEntry(key, signed, batch) };
  const note = async (change: Partial<LinkDeletion>): Promise<void> => {
    await store.journal.update(entry, change);
    entry = { ...entry, ...change };
  };

  /** Sends one of them; one that came too late is signed again, and stored before it is sent. */
  const executed = async (place: typeof ADD_KEY | typeof MAPPING): Promise<TransactionOutcome> => {
    const { result } = await sendSigned(context, batch.take(place), {
      waitUntil: 'INCLUDED_FINAL',
      untilEnded: true,
      run: { signal },
      resign: async (refused) => {
        const copy = await batch.retake(place, refused);
        const again = linkOf(batch.signed);
        // The executed AddKey remains the one of this link.
        signed = place === ADD_KEY ? again : { ...again, addKey: signed.addKey };
        await note(inEntry(key, signed, batch));
        return copy;
      },
    });
    return result as TransactionOutcome;
  };

  if (!(await store.journal.open(entry))) {
    throw new LatchkeyError(LINK_KEY_KNOWN, { values: { account: key.accountId } });
  }
  try {
    const added = await executed(ADD_KEY);
    await note({ addedAtHeight: await heightOf(context, added) });
    await executed(MAPPING);
    await note({ dueAt: Date.now() + config.deviceLinking.tempKeyDeleteDelayMs });
    batch.take(batch.signed.length - 1);
  } catch (thrown) {
    const error = toLatchkeyError(thrown, 'Device linking');
    if (entry.addedAtHeight === undefined && isCertain(error)) {
      await store.journal.drop(entry);
      throw error;
    }
    batch.take(batch.signed.length - 1);
    await clearUp(context, entry, error);
  } finally {
    watchDeletion(context, entry);
  }
  return signed;
}

/** Whether the transaction being sent certainly had no effect and never will. */
function isCertain({ details: { fate } }: LatchkeyError): boolean {
  return fate === 'not-sent' || fate === 'refused' || fate === 'failed';
}

/**
 * After a failure, asks the chain how far the link came. Returns when the link succeeded after all (its answer was
 * lost); otherwise throws, with the key removed, or with a text that it is still to be removed.
 */
async function clearUp(context: FlowContext, entry: DeletionEntry, cause: LatchkeyError): Promise<void> {
  const { message: reason, details } = cause;
  const values = { reason };
  const end = Date.now() + EXAMINED_MS;
  let state = await advanceDeletion(context, entry);
  while (state === 'unclear' && Date.now() < end) {
    await pause(LOOK_PAUSE_MS, context.closing);
    state = await advanceDeletion(context, entry);
  }
  switch (state) {
    case 'linked':
      return;
    case 'sent':
      throw new LatchkeyError(LINK_UNDONE, { values, cause, details });
    case 'closed':
      throw cause;
    default:
      throw new LatchkeyError(LINK_IN_DOUBT, { values, cause, details });
  }
}

function linkOf(signed: readonly SignedTransaction[]): SignedLink {
  const [addKey, mapping, deleteKey] = [signed[ADD_KEY], signed[MAPPING], signed.at(-1)];
  if (!addKey || !mapping || !deleteKey || signed.length < 3) throw new LatchkeyError(BATCH_SIGNING_FAILED);
  return { addKey, mapping, deleteKey };
}

function newEntry({ accountId, publicKey }: KeyToLink) {
  return { accountId, publicKey, createdAt: Date.now(), token: crypto.randomUUID() };
}

function inEntry(
  { signerKey }: KeyToLink,
  { addKey, mapping, deleteKey }: SignedLink,
  { blockHeight }: Pick<SignedBatch, 'blockHeight'>,
) {
  return {
    addKey: { id: addKey.hash, signerKey, nonce: addKey.transaction.nonce, blockHeight },
    mappingId: mapping.hash,
    deleteKey: deleteKey.borshBytes,
  };
}
