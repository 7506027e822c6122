import { entryId, type JournalEntry } from '../../storage/records.js';

/** The journal of a store whose entries are of one kind and lie in `entries`, each under its id. */
export function memoryJournal<E extends JournalEntry>(entries: Map<string, E>) {
  return {
    entries: async (): Promise<E[]> => [...entries.values()],
    entriesOnDevice: async (): Promise<E[]> => [...entries.values()],
    entry: async (_kind: string, id: string): Promise<E | undefined> => entries.get(id),
    open: async (entry: E): Promise<boolean> => entries.set(entryId(entry), entry).size > 0,
    update: async (entry: E, change: Partial<E>): Promise<void> =>
      void entries.set(entryId(entry), { ...entry, ...change }),
    drop: async (entry: E): Promise<void> => void entries.delete(entryId(entry)),
  };
}
