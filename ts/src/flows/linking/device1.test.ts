import { expect, it } from 'vitest';
import { resolveConfig } from '../../config.js';
import type { FlowContext } from '../context.js';
import { LogoutSignal } from '../session/logout-signal.js';
import { cancelling } from '../testing/cancelling.js';
import { linkDeviceWithScannedQRData } from './device1.js';

const ALICE = 'alice.testnet';
const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';

it('shows what its checks wait for on a frozen chain, and Cancel ends them', async () => {
  const confirmer = cancelling();
  const user = { nearAccountId: ALICE, clientNearPublicKey: 'ed25519:own' };
  const never = () => new Promise<never>(() => undefined);
  const context = {
    config: resolveConfig({ relayer: { url: 'http://localhost:9' } }),
    vrf: { call: async () => ({ active: true, accountId: ALICE }) },
    store: { user: async () => user, pageSettings: async () => ({}) },
    rpc: { viewAccount: never, viewAccessKey: never, block: never, callFunctionJson: never },
    page: 'http://localhost',
    logout: new LogoutSignal(),
    confirmer: () => confirmer,
  } as unknown as FlowContext;
  const qr = { device2PublicKey: KEY, timestamp: Date.now(), version: '1.0' } as const;
  const events: unknown[] = [];
  const result = await linkDeviceWithScannedQRData(context, qr, {
    onEvent: ({ phase, status }) => events.push(`${phase} ${status}`),
  });
  expect(result).toMatchObject({ success: false, errorCode: 'CANCELLED', device2PublicKey: KEY });
  expect(confirmer.waits).toEqual([{ networkId: 'testnet', theme: expect.any(String) }]);
  expect(events).toEqual(['scanning progress', 'device-linking-error error']);
});
