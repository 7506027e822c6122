/**
 * Replays answers of real nodes to the readers: those that documentation and threads recorded, and those that nearcore's
 * own types write. docs/maintainers/rpc-answers.md lists what the client concludes from each.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FeeConfigSchema } from './fees.js';
import { type RpcFailure, rpcFailure } from './index.js';
import { postJson } from './rpc.js';
import {
  AccessKeyListSchema,
  AccessKeyViewSchema,
  AccountViewSchema,
  BlockViewSchema,
  queryResult,
  readCallResult,
  reader,
  resultOf,
  TransactionOutcomeSchema,
} from './rpc-answer.js';

interface Recorded {
  readonly name: string;
  readonly method: keyof typeof READERS;
  /** Of HTTP. */
  readonly status: number;
  /** A repository with a path and a commit, or with a thread. */
  readonly source: Readonly<Record<string, string>>;
  /** The JSON-RPC answer, or the text in its place. */
  readonly answer?: unknown;
  readonly body?: string;
  /** What the client reads in it, or why it fails. */
  readonly reads?: object;
  readonly fails?: Partial<RpcFailure>;
}

const READERS = {
  view_account: (result: unknown) => reader(AccountViewSchema)(queryResult(result)),
  view_access_key: (result: unknown) => reader(AccessKeyViewSchema)(queryResult(result)),
  view_access_key_list: (result: unknown) => reader(AccessKeyListSchema)(queryResult(result)),
  call_function: (result: unknown) => {
    const { bytes, ...rest } = readCallResult(queryResult(result));
    return { bytes: [...bytes], ...rest };
  },
  block: reader(BlockViewSchema),
  EXPERIMENTAL_protocol_config: reader(FeeConfigSchema),
  tx: reader(TransactionOutcomeSchema),
  send_tx: reader(TransactionOutcomeSchema),
};

const vectors = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../tests/vectors/rpc/${name}.json`, import.meta.url), 'utf8'));
const { answers } = vectors('recorded') as { answers: readonly Recorded[] };
const nearcore = vectors('nearcore') as {
  answers: Readonly<Record<string, { error?: { name?: string; cause?: { name?: string } } }>>;
  fails: Readonly<Record<string, Partial<RpcFailure>>>;
};

/** The HTTP status that a node gives an error (NEAR's documentation, "RPC Errors"). */
function statusOf({ name, cause }: { name?: string; cause?: { name?: string } }): number {
  if (cause?.name === 'TIMEOUT_ERROR') return 408;
  return name === 'REQUEST_VALIDATION_ERROR' ? 400 : name === 'INTERNAL_ERROR' ? 500 : 200;
}

/** What the readers make of an answer that arrives by HTTP. */
async function replay({
  method,
  status,
  answer,
  body,
}: Pick<Recorded, 'method' | 'status' | 'answer' | 'body'>): Promise<unknown> {
  const fetch = async () => new Response(body ?? JSON.stringify(answer), { status });
  const limits = { timeoutMs: 10_000, maxBytes: 1_000_000 };
  return READERS[method](resultOf(await postJson('https://node.example', {}, { fetch, ...limits })));
}

describe('a recorded answer of a real node', () => {
  it.each(answers.filter(({ reads }) => reads))('is read: $name', async (recorded) => {
    expect(await replay(recorded)).toMatchObject(recorded.reads ?? {});
  });

  it.each(answers.filter(({ fails }) => fails))('is understood as a failure: $name', async (recorded) => {
    const error = await replay(recorded).catch((thrown: unknown) => thrown);
    expect(rpcFailure(error)).toMatchObject(recorded.fails ?? {});
  });

  it('names where it was recorded', () => {
    for (const { name, source, reads, fails } of answers) {
      const place = source.thread ?? `${source.path} ${/^[\da-f]{40}$/.exec(source.commit ?? '')?.[0]}`;
      expect(`${name}: ${source.repository} ${place}`).not.toContain('undefined');
      expect([reads, fails].filter(Boolean)).toHaveLength(1);
    }
  });
});

describe("an answer of nearcore's own types", () => {
  it.each(Object.keys(nearcore.fails))('is understood as a failure: %s', async (name) => {
    const answer = nearcore.answers[name];
    const status = statusOf(answer?.error ?? {});
    const error = await replay({ method: 'tx', status, answer }).catch((thrown: unknown) => thrown);
    expect(rpcFailure(error)).toMatchObject(nearcore.fails[name] ?? {});
  });

  it('is read as an outcome that says nothing, from a node that does not track the shard', async () => {
    const answer = nearcore.answers['an outcome that a node without the shard does not have'];
    expect(await replay({ method: 'tx', status: 200, answer })).toEqual({ final_execution_status: 'NONE' });
  });
});
