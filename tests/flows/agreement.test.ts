// Reads that decide about a key go to two nodes, and one of them lies.
import { lagsAt } from '../support/fault-proxy.js';
import { accountOf, test as base, expect, type Wallet } from './wallet.js';

const KEYS = 'query:view_access_key_list';
const AUTHENTICATORS = 'query:get_authenticators_by_user';

/** `wallet` asks two nodes, and has no account yet. */
const test = base.extend<{ wallet: Wallet }>({
  wallet: async ({ open }, use) => use(await open({ config: { rpcAgreement: 2 } })),
});

interface KeyListAnswer {
  result?: { keys: { public_key: string }[] };
}

const withAnotherKey = (answer: KeyListAnswer) => {
  for (const key of answer.result?.keys ?? [])
    key.public_key = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
  return answer;
};

test('a registration is checked against two nodes', async ({ wallet, username }) => {
  await wallet.register(accountOf(username));
  for (const name of [KEYS, AUTHENTICATORS]) {
    for (const node of wallet.nodes) {
      expect(node.calls.filter((call) => call.name === name)).not.toEqual([]);
    }
  }
});

test('a lying node stops a registration; the error names both nodes, and nothing is lost', async ({
  wallet,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(/did not confirm|could not be looked up/);
  const { manager, nodes } = wallet;
  const accountId = accountOf(username);
  const [, liar] = nodes;
  liar.fail(KEYS, { kind: 'rewrite-answer', rewrite: withAnotherKey });
  const result = await manager.registerPasskey(accountId);
  expect(result).toMatchObject({ success: false, pending: true, errorCode: 'RPC_DISAGREEMENT' });
  for (const node of nodes) expect(result.error).toContain(node.url);

  expect(await manager.resume()).toMatchObject({
    committed: [],
    pending: [accountId],
    problems: [{ accountId, errorCode: 'RPC_DISAGREEMENT' }],
  });
  liar.heal();
  expect(await manager.resume()).toMatchObject({ committed: [accountId], pending: [] });
  expect(wallet.prompts).toEqual(['create']);
});

test('a lagging node is not treated as a lying one: the registration waits for it', async ({
  wallet,
  username,
  stack,
}) => {
  const behind = 15;
  let height = await stack.oracle.height();
  const clock = setInterval(async () => {
    // The stack may have stopped by the last poll.
    height = await stack.oracle.height().catch(() => height);
  }, 50);
  // One node lags behind the other, by less than the wallet waits for.
  const older = lagsAt(() => height - behind);
  const lagging = wallet.nodes[1];
  for (const name of [KEYS, AUTHENTICATORS]) lagging.fail(name, older);
  try {
    await wallet.register(accountOf(username));
    expect(wallet.chain.calls.some(({ name, body }) => name === KEYS && body.includes('block_id'))).toBe(
      true,
    );
  } finally {
    clearInterval(clock);
  }
});
