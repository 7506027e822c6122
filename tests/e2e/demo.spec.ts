// The demo command serves a user: the app from the sources, with chain, relay and wallet.
import { join } from 'node:path';
import { makeDemoPlace, STARTED, stillAnswering } from '../support/demo.js';
import { localOracle } from '../support/oracle.js';
import { register, setGreeting } from '../support/steps.js';
import { openWallet } from '../support/wallet.js';
import { expect, test } from './fixtures.js';

test('starts chain, relay, wallet and app, prints their addresses, serves a new user, and Ctrl-C stops all of it', async ({
  context,
}) => {
  // The development server prepares its dependencies on the first page load.
  test.setTimeout(180_000);
  const place = await makeDemoPlace();
  const { appUrl, walletUrl, relayUrl, chainUrl, data } = place;
  const demo = place.start();
  try {
    await expect.poll(demo.output, { timeout: 90_000 }).toContain(STARTED);
    for (const address of [appUrl, walletUrl, relayUrl, chainUrl]) expect(demo.output()).toContain(address);
    expect(demo.output()).not.toContain('ed25519:');
    // Another address of this machine, where only a server on every interface listens.
    await expect(fetch(appUrl.replace('localhost', '127.0.0.2'))).rejects.toThrow('fetch failed');
    expect((await fetch(appUrl)).status).toBe(200);
    expect((await fetch(`${relayUrl}/readyz`)).status).toBe(200);
    const wallet = await openWallet(context, appUrl, 'always', walletUrl);
    await register(wallet, 'newcomer');
    await setGreeting(wallet, 'from the sources, with hot reload');
    expect(await localOracle(chainUrl).greeting()).toContain('from the sources');
    expect(wallet.consoleLines.filter((line) => /^(error|warning):/.test(line))).toEqual([]);
    await context.close();
    const served = await fetch(`${appUrl}/@fs${join(data, 'lock-key.json')}`);
    expect(served.status).toBe(403);
  } finally {
    demo.interrupt();
  }
  expect(await demo.exit).toBe(0);
  expect(await stillAnswering(place)).toEqual([]);
  await place.remove();
});
