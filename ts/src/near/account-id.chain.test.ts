// Compares our account-id rules with the chain's: the node parses every request with the crate near-account-id.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Devnet, startDevnet } from '../../../tests/support/relay/devnet.js';
import { accountIdProblem, isNearAccountId } from './account-id.js';
import { createRpcClient, type RpcClient, rpcFailure } from './index.js';

let chain: Devnet;
let rpc: RpcClient;

beforeAll(async () => {
  chain = await startDevnet();
  rpc = createRpcClient({ urls: chain.url });
});
afterAll(() => chain.stop());

/** Whether the node accepts the text as an account id. It parses every request with near-account-id. */
async function isTakenByTheChain(text: string): Promise<boolean> {
  try {
    await rpc.viewAccount(text);
    return true;
  } catch (error) {
    const failure = rpcFailure(error);
    if (failure?.kind === 'http' || failure?.kind === 'invalid_request' || failure?.kind === 'node')
      return false;
    throw error;
  }
}

it('accepts and refuses the same ids as the chain', async () => {
  expect(await isTakenByTheChain('nobody.testnet')).toBe(true);
  expect(await isTakenByTheChain('No Body')).toBe(false);
  const seen = { taken: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.stringMatching(/^[ab0_.-]{1,8}$/),
        fc.stringMatching(/^[a-c]{1,3}[._-][a-c]{1,3}\.(testnet|near)$/),
        fc.stringMatching(/^[aAä 1._-]{1,66}$/),
        fc.integer({ min: 60, max: 68 }).map((length) => 'a'.repeat(length)),
      ),
      async (text) => {
        const isTaken = await isTakenByTheChain(text);
        seen[isTaken ? 'taken' : 'refused'] += 1;
        expect(isNearAccountId(text)).toBe(isTaken);
        if (accountIdProblem(text) === undefined) expect(isTaken).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
  expect(seen.taken).toBeGreaterThan(30);
  expect(seen.refused).toBeGreaterThan(30);
});
