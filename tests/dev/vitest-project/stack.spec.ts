import { expect, inject, test } from 'vitest';
import type { StackAddresses } from '../../../dev/test/index.js';

declare module 'vitest' {
  interface ProvidedContext {
    latchkey: StackAddresses;
  }
}

test('the stack answers at the addresses that this test has', async () => {
  const { relayUrl, rpcUrls, registry, walletOrigin } = inject('latchkey');
  expect((await fetch(`${relayUrl}/readyz`)).status).toBe(200);
  expect(process.env).toMatchObject({
    RELAY_URL: relayUrl,
    VITE_NEAR_RPC_URL: rpcUrls.join(),
    CONTRACT_ID: registry,
    WALLET_ORIGIN: walletOrigin,
  });
  console.log(`relay at ${relayUrl}`);
});
