/**
 * The relay's record in a file: each flush writes the whole of it durably, because it holds a day's entries only. One
 * relay writes it. A relay that starts with the file takes it over, and the one before can reserve no more money.
 */
import { randomBytes } from 'node:crypto';
import { INVALID_CONFIG, LatchkeyError, messageOf } from 'latchkey/internal/server';
import * as v from 'valibot';
import { entriesUnder, type RelayRecord, steadyNow } from '../relayer/record.js';
import { readIfThere, withFileLock, writeDurably } from './durable-file.js';

const ContentSchema = v.object({
  version: v.literal(1),
  /** The relay that writes the file. */
  writer: v.string(),
  entries: v.record(v.string(), v.string()),
});

/** Opens or creates the file. Rejects with INVALID_CONFIG if it is unusable; an unreadable file is kept. */
export async function openRecordFile(path: string): Promise<RelayRecord> {
  const writer = randomBytes(9).toString('base64url');
  const entries = new Map<string, string>();
  const contentOf = () => JSON.stringify({ version: 1, writer, entries: Object.fromEntries(entries) });
  await withFileLock(path, async (assertHeld) => {
    const former = await readContent(path);
    for (const [key, text] of Object.entries(former?.entries ?? {})) entries.set(key, text);
    await writeDurably(path, contentOf(), { assertHeld });
  }).catch((error: unknown) => {
    const reason = `RELAY_STATE_FILE ${path} cannot be used: ${messageOf(error)}`;
    throw new LatchkeyError(INVALID_CONFIG, { values: { reason }, cause: error });
  });

  let changes = 0;
  let kept = 0;
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    const upTo = changes;
    const content = contentOf();
    await withFileLock(path, async (assertHeld) => {
      if ((await readContent(path))?.writer !== writer) {
        throw new Error(`another relay, started later, uses ${path}: give each relay a file of its own`);
      }
      await writeDurably(path, content, { assertHeld });
    });
    kept = upTo;
  }

  return {
    entries: (prefix) => entriesUnder(entries, prefix),
    write(key, text) {
      if (text === null) entries.delete(key);
      else entries.set(key, text);
      changes += 1;
    },
    async flush() {
      const wanted = changes;
      while (kept < wanted) {
        writing ??= write().finally(() => {
          writing = undefined;
        });
        await writing;
      }
    },
    now: steadyNow,
  };
}

async function readContent(path: string): Promise<v.InferOutput<typeof ContentSchema> | null> {
  const text = await readIfThere(path);
  if (text === null) return null;
  try {
    return v.parse(ContentSchema, JSON.parse(text));
  } catch {
    throw new Error('its content is not a relay’s record. Move it away to start with a new one');
  }
}
