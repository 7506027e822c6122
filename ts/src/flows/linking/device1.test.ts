import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resolveConfig } from '../../config.js';
import type { Confirmer, ScanModel } from '../../confirm/port.js';
import { LatchkeyError, messageOf } from '../../errors/linking.js';
import type { FlowContext } from '../context.js';
import { LogoutSignal } from '../session/logout-signal.js';
import { cancelling } from '../testing/cancelling.js';
import { linkDeviceWithScannedQRData, scanAndLinkDevice } from './device1.js';
import { linkQrText } from './qr.js';

const ALICE = 'alice.testnet';
const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';

beforeEach(() => {
  // Node 20 has no navigator, and with it no locks: there is one tab.
  vi.stubGlobal('navigator', {});
});
afterEach(() => vi.unstubAllGlobals());

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

describe('a scan by the wallet', () => {
  const user = { nearAccountId: ALICE, clientNearPublicKey: 'ed25519:own' };
  const contextOf = (confirmer: Partial<Confirmer> | null) =>
    ({
      config: resolveConfig({ relayer: { url: 'http://localhost:9' } }),
      vrf: { call: async () => ({ active: true, accountId: ALICE }) },
      store: { user: async () => user, pageSettings: async () => ({}) },
      page: 'http://localhost',
      confirmer: () => confirmer,
    }) as unknown as FlowContext;
  const text = (accountId?: string) =>
    linkQrText({
      device2PublicKey: KEY,
      timestamp: Date.now(),
      version: '1.0',
      ...(accountId && { accountId }),
    });
  /** What the scanner shows of a text that it read. */
  async function saidOf(scanned: string): Promise<string> {
    let said = 'accepted';
    const scan = async ({ check }: ScanModel): Promise<string> => {
      try {
        check(scanned);
      } catch (error) {
        said = messageOf(error);
      }
      throw new LatchkeyError('CANCELLED');
    };
    const result = await scanAndLinkDevice(contextOf({ scan }), {});
    expect(result).toMatchObject({ success: false, errorCode: 'CANCELLED' });
    return said;
  }

  it('tells the user in the scanner why a code is not taken, and takes one of this account', async () => {
    expect(await saidOf('https://example.com')).toBe('QR code contains a URL, not device linking data');
    expect(await saidOf(text('bob.testnet'))).toContain('The other device asks for bob.testnet');
    expect(await saidOf(text(ALICE))).toBe('accepted');
    expect(await saidOf(text())).toBe('accepted');
  });

  it('needs something that draws the scanner', async () => {
    const result = await scanAndLinkDevice(contextOf(null), {});
    expect(result).toMatchObject({ success: false, error: expect.stringContaining('No confirm UI') });
  });

  it('is the only linking of its site: a code that the host hands over meanwhile is refused', async () => {
    const context = contextOf({ scan: (_model, signal) => aborted(signal) });
    const ending = new AbortController();
    const scanning = scanAndLinkDevice(context, { signal: ending.signal });
    const handedOver = await linkDeviceWithScannedQRData(context, text(), {});
    expect(handedOver).toMatchObject({ success: false, errorCode: 'LINK_BUSY' });
    ending.abort();
    expect(await scanning).toMatchObject({ success: false, errorCode: 'CANCELLED' });
  });
});

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
