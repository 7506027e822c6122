import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { readBalance } from './balance.js';

const NEAR = 10n ** 24n;
let close: () => void = () => undefined;
afterEach(() => close());

/** A node that gives every question this answer. */
async function nodeWith(answer: object) {
  const asked: { params: Record<string, unknown> }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    asked.push(JSON.parse(body));
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 'latchkey', ...answer }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => server.close();
  const { port } = server.address() as AddressInfo;
  return { asked, nodes: { rpcUrls: [`http://127.0.0.1:${port}`], rpcAgreement: 1 } };
}

const block = { block_height: 7, block_hash: '1'.repeat(32) };
const account = {
  amount: String(3n * NEAR),
  locked: '0',
  code_hash: '1'.repeat(32),
  storage_usage: 600,
  ...block,
};

describe('the balance of an account (core 2)', () => {
  it('is all that it owns, and what it can spend, from the newest block', async () => {
    const { nodes, asked } = await nodeWith({ result: account });
    expect(await readBalance(nodes, 'alice.testnet')).toEqual({
      total: String(3n * NEAR),
      spendable: String(3n * NEAR),
    });
    expect(asked[0]?.params).toMatchObject({ account_id: 'alice.testnet', finality: 'optimistic' });
  });

  it('spends neither the stake nor what the storage locks', async () => {
    const { nodes } = await nodeWith({
      result: { ...account, locked: String(NEAR / 100n), storage_usage: 101_000 },
    });
    expect(await readBalance(nodes, 'alice.testnet')).toEqual({
      total: String(3n * NEAR + NEAR / 100n),
      spendable: String(2n * NEAR),
    });
  });

  it('is null where there is no such account', async () => {
    const cause = { name: 'UNKNOWN_ACCOUNT', info: { requested_account_id: 'no.testnet', ...block } };
    const error = { name: 'HANDLER_ERROR', cause, code: -32000, message: 'Server error', data: 'unknown' };
    const { nodes } = await nodeWith({ error });
    expect(await readBalance(nodes, 'no.testnet')).toBeNull();
  });
});
