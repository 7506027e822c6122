import type { ResumedBatch, ResumeResult } from 'latchkey';

/** How many answers in a row may lack an open batch, because another tab looks it up, before that tab reports it. */
const MAX_MISSES = 3;

/** What earlier visits and other tabs left behind, as far as the user has not seen it. */
export interface Kept {
  readonly result: ResumeResult | undefined;
  /** The answers in a row that lacked an open batch. */
  readonly misses: ReadonlyMap<string, number>;
}

export const NOTHING_KEPT: Kept = { result: undefined, misses: new Map() };

/** Whether something is still to be looked up. */
export function isOpen(result: ResumeResult | undefined): boolean {
  return result !== undefined && (result.pending.length > 0 || (result.batches ?? []).some(isUnsettled));
}

/** Takes the wallet's newest answer. It reports a settled batch once, so those of earlier answers stay. */
export function withAnswer({ result: before, misses }: Kept, answer: ResumeResult): Kept {
  const told = new Map((answer.batches ?? []).map((batch) => [keyOf(batch), batch]));
  const missed = new Map<string, number>();
  const stays = (batch: ResumedBatch): boolean => {
    const key = keyOf(batch);
    if (!isUnsettled(batch) || told.has(key)) return true;
    const count = (misses.get(key) ?? 0) + 1;
    missed.set(key, count);
    return count < MAX_MISSES;
  };
  const earlier = (before?.batches ?? []).filter(stays);
  for (const batch of earlier) if (!told.has(keyOf(batch))) told.set(keyOf(batch), batch);
  const batches = [...told.values()].sort((a, b) => a.createdAt - b.createdAt);
  const { batches: _, ...rest } = answer;
  return { result: { ...rest, ...(batches.length > 0 && { batches }) }, misses: missed };
}

/** Adds a registration that just ended with an unknown outcome, as resume() would report it. */
export function withPending({ result, misses }: Kept, accountId: string): Kept {
  const { pending, ...rest } = result ?? { committed: [], dropped: [], mismatched: [], pending: [] };
  return { result: { ...rest, pending: [...new Set([...pending, accountId])] }, misses };
}

/** Drops the settled registrations when the next flow begins: the user has seen them by then. */
export function withoutSettledRegistrations({ result, misses }: Kept): Kept {
  if (!result) return { result, misses };
  const { pending, batches } = result;
  const kept = { committed: [], dropped: [], mismatched: [], pending, ...(batches && { batches }) };
  return { result: kept, misses };
}

/** Drops everything that is settled. */
export function withoutSettled(kept: Kept): Kept {
  if (!kept.result) return kept;
  const { batches = [], ...rest } = kept.result;
  const open = batches.filter(isUnsettled);
  const result = {
    ...rest,
    committed: [],
    dropped: [],
    mismatched: [],
    ...(open.length > 0 && { batches: open }),
  };
  return { ...kept, result };
}

function isUnsettled({ transactions }: ResumedBatch): boolean {
  return transactions.some(({ fate }) => fate === 'unknown');
}

function keyOf({ nearAccountId, createdAt }: ResumedBatch): string {
  return `${nearAccountId}|${createdAt}`;
}

/** Whether there is something to say of registrations. */
export function saysOfRegistrations(resumed: ResumeResult | undefined): boolean {
  if (!resumed) return false;
  const { pending, committed, dropped, mismatched } = resumed;
  return [pending, committed, dropped, mismatched].some((accounts) => accounts.length > 0);
}
