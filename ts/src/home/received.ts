/** What came in while the wallet's own page was open, by account (appState key `received:<account>`). */
import * as v from 'valibot';
import { isNearAccountId } from '../near/account-id.js';
import type { Incoming } from '../tokens/incoming.js';

/** The newest that are kept. */
const MOST = 60;
/** Another version may change the records; this one reads and writes only its own. */
const VERSION = 1;

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
const EntrySchema = v.object({
  contractId: v.optional(v.pipe(v.string(), v.check(isNearAccountId))),
  amount: v.pipe(v.string(), v.regex(/^\d{1,39}$/)),
  at: whole,
  aboveBlock: whole,
  upToBlock: whole,
});
const StoredSchema = v.object({ version: v.number(), entries: v.array(v.unknown()) });

/** The newest first. What another version wrote, and an entry that does not fit, are left out. */
export function receivedOf(stored: unknown): readonly Incoming[] {
  if (!v.is(StoredSchema, stored) || stored.version !== VERSION) return [];
  return stored.entries.filter((entry) => v.is(EntrySchema, entry));
}

/** Leaves out what another tab has noted: what came in above a block that an entry of the same token reaches beyond. */
export function withReceived(stored: unknown, incoming: Incoming): unknown {
  if (v.is(StoredSchema, stored) && stored.version !== VERSION) return stored;
  const entries = receivedOf(stored);
  const isNoted = entries.some(
    ({ contractId, upToBlock }) => contractId === incoming.contractId && upToBlock > incoming.aboveBlock,
  );
  return { version: VERSION, entries: isNoted ? entries : [incoming, ...entries].slice(0, MOST) };
}
