// Reads that decide about a key go to two nodes, and one of them lies.
import { accountOf, openWatchedWallet } from '../support/wallet.js';
import { test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, settle } from './fixtures.js';

declare const facade: FacadePage;

const KEYS = 'query:view_access_key_list';
const AUTHENTICATORS = 'query:get_authenticators_by_user';
const agreeing = (url: string) => `${url}?config=${encodeURIComponent(JSON.stringify({ rpcAgreement: 2 }))}`;

interface KeyListAnswer {
  result?: { keys: { public_key: string }[] };
}

const withAnotherKey = (answer: KeyListAnswer) => {
  for (const key of answer.result?.keys ?? [])
    key.public_key = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
  return answer;
};

test('a registration is checked against two nodes', async ({ context, stack, facadeUrl, username }) => {
  const wallet = await openWatchedWallet(context, stack, 'always', agreeing(facadeUrl));
  const result = await wallet.page.evaluate((id) => facade.manager.registerPasskey(id), accountOf(username));
  expect(result).toMatchObject({ success: true });
  for (const name of [KEYS, AUTHENTICATORS]) {
    for (const node of stack.nodes) {
      expect(node.calls.filter((call) => call.name === name)).not.toEqual([]);
    }
  }
  settle(stack, wallet, []);
});

test('a lying node stops a registration; the error names both nodes, and nothing is lost', async ({
  context,
  stack,
  facadeUrl,
  username,
}) => {
  const wallet = await openWatchedWallet(context, stack, 'always', agreeing(facadeUrl));
  const accountId = accountOf(username);
  stack.spareChain.fail(KEYS, { kind: 'rewrite-answer', rewrite: withAnotherKey });
  const result = await wallet.page.evaluate((id) => facade.manager.registerPasskey(id), accountId);
  expect(result).toMatchObject({ success: false, pending: true, errorCode: 'RPC_DISAGREEMENT' });
  for (const node of stack.nodes) expect(result.error).toContain(node.url);

  const stopped = await wallet.page.evaluate(() => facade.manager.resume());
  expect(stopped).toMatchObject({
    committed: [],
    pending: [accountId],
    problems: [{ accountId, errorCode: 'RPC_DISAGREEMENT' }],
  });
  stack.spareChain.heal();
  const resumed = await wallet.page.evaluate(() => facade.manager.resume());
  expect(resumed).toMatchObject({ committed: [accountId], pending: [] });
  expect(wallet.prompts.map(({ kind }) => kind)).toEqual(['create']);
  settle(stack, wallet, [/did not confirm|could not be looked up/]);
});

test('a lagging node is not treated as a lying one: the registration waits for it', async ({
  context,
  stack,
  facadeUrl,
  username,
}) => {
  const wallet = await openWatchedWallet(context, stack, 'always', agreeing(facadeUrl));
  const behind = 40;
  // One node lags some blocks behind the other.
  const head = async () => {
    const body = { jsonrpc: '2.0', id: '1', method: 'block', params: { finality: 'final' } };
    const response = await fetch(stack.chain.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return ((await response.json()) as { result: { header: { height: number } } }).result.header.height;
  };
  let height = await head();
  const clock = setInterval(async () => {
    // The stack may have stopped by the last poll.
    height = await head().catch(() => height);
  }, 50);
  const older = (body: { params: Record<string, unknown> }) => {
    const { finality, ...params } = body.params;
    return finality ? { ...body, params: { ...params, block_id: height - behind } } : body;
  };
  for (const name of [KEYS, AUTHENTICATORS])
    stack.spareChain.fail(name, { kind: 'rewrite-request', rewrite: older });
  try {
    const result = await wallet.page.evaluate(
      (id) => facade.manager.registerPasskey(id),
      accountOf(username),
    );
    expect(result).toMatchObject({ success: true });
    expect(stack.chain.calls.some(({ name, body }) => name === KEYS && body.includes('block_id'))).toBe(true);
  } finally {
    clearInterval(clock);
  }
  settle(stack, wallet, []);
});
