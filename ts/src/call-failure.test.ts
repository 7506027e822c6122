// Specification: frame 8
import { expect, it, vi } from 'vitest';
import { PasskeyManager } from './index.js';
import { sameOriginWallet } from './same-origin.js';

vi.mock('./failed-calls.js', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

it('a call resolves also where the code of its failed result does not load, as without a network', async () => {
  const manager = new PasskeyManager(
    { relayer: { url: 'https://relay.example' } },
    { wallet: sameOriginWallet },
  );
  const outcome = { success: false, errorCode: 'NO_BROWSER', error: expect.any(String) };
  expect(await manager.loginPasskey('alice.testnet')).toEqual(outcome);
  const batch = { nearAccountId: 'alice.testnet', transactions: [] };
  expect(await manager.signAndSendTransactions(batch)).toEqual([outcome]);
});
