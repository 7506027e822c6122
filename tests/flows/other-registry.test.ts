// The whole way of a wallet on the registry that testnet has. A build of Latchkey's own registry speaks its dialect.
// Specification: core 8
import { CHAIN_NETWORK } from '../../dev/services/services.js';
import { ORIGIN, startFaultStack } from '../faults/stack.js';
import { endOfLinking } from '../faults/steps.js';
import { builtContract } from '../support/contracts.js';
import { accountOf, test as base, expect } from './wallet.js';

const OTHER_REGISTRY = /is not a Latchkey registry/;
/** That registry accepts passkeys of https pages only. */
const SECURE = ORIGIN.replace('http:', 'https:');

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures' names from this pattern
const test = base.override('stack', { scope: 'file' }, async ({}, { onCleanup }) => {
  const stack = await startFaultStack(CHAIN_NETWORK, {
    registry: builtContract('registry-dialect.wasm'),
    origins: `${ORIGIN},${SECURE}`,
  });
  onCleanup(() => stack.stop());
  return stack;
});

test('on the other registry of testnet a user registers, logs in, pays and links, and the log names once what it does not protect', async ({
  open,
  stack,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(OTHER_REGISTRY);
  const accountId = accountOf(username);
  const plain = await open();
  const refused = await plain.manager.registerPasskey(accountId);
  expect(refused).toMatchObject({ success: false, errorCode: 'REGISTRY_LACKS' });
  expect(refused.error).toContain('lacks passkeys of http pages. Serve this page over https');
  expect(plain.prompts).toEqual([]);

  const device1 = await open({ origin: SECURE });
  await device1.register(accountId);
  await device1.manager.logoutAndClearVrfSession();
  await device1.logIn();
  expect(await device1.execute('testnet', { type: 'Transfer', amount: '1' })).toMatchObject({
    success: true,
    fate: 'executed',
  });

  const device2 = await open({ origin: SECURE });
  const { qrData } = await device2.facade.startLinking(accountId);
  const authorized = await device1.manager.linkDeviceWithScannedQRData(qrData);
  expect(authorized).toMatchObject({ success: true });
  expect(await endOfLinking(device2.facade)).toMatchObject({
    success: true,
    deviceNumber: 2,
    isLoggedIn: true,
  });
  expect(await stack.oracle.authenticators(accountId)).toHaveLength(2);

  for (const { consoleLines } of [device1, device2]) {
    const said = consoleLines.filter((line) => OTHER_REGISTRY.test(line));
    expect(said).toEqual([
      expect.stringMatching(/less protection: it keeps the deposit .* lets any account/),
    ]);
  }
});
