import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resolveConfig } from '../../config.js';
import type { Confirmer, ScanModel } from '../../confirm/port.js';
import { CANCELLED, LatchkeyError, messageOf } from '../../errors/core.js';
import type { ScannedKey } from '../../storage/records.js';
import type { FlowContext } from '../context.js';
import { LogoutSignal } from '../session/logout-signal.js';
import { cancelling } from '../testing/cancelling.js';
import { linkDeviceWithScannedQRData, scanAndLinkDevice } from './device1.js';
import { linkQrText } from './qr.js';

const ALICE = 'alice.testnet';
const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
const HOST = 'https://app.example';
const text = (more: object = {}) =>
  linkQrText({ device2PublicKey: KEY, timestamp: Date.now(), version: '1.0', ...more });

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

describe('a scan by the wallet (frame 7)', () => {
  const user = { nearAccountId: ALICE, clientNearPublicKey: 'ed25519:own' };
  const contextOf = (confirmer: Partial<Confirmer> | null) =>
    ({
      config: resolveConfig({ relayer: { url: 'http://localhost:9' } }),
      vrf: { call: async () => ({ active: true, accountId: ALICE }) },
      store: { user: async () => user, pageSettings: async () => ({}) },
      page: 'http://localhost',
      confirmer: () => confirmer,
    }) as unknown as FlowContext;
  /** What the scanner shows of a text that it read. */
  async function saidOf(scanned: string): Promise<string> {
    let said = 'accepted';
    const scan = async ({ check }: ScanModel): Promise<string> => {
      try {
        check(scanned);
      } catch (error) {
        said = messageOf(error);
      }
      throw new LatchkeyError(CANCELLED);
    };
    const result = await scanAndLinkDevice(contextOf({ scan }), {});
    expect(result).toMatchObject({ success: false, errorCode: 'CANCELLED' });
    return said;
  }

  it('tells the user in the scanner why a code is not taken, and takes one of this account', async () => {
    expect(await saidOf('https://example.com')).toBe('QR code contains a URL, not device linking data');
    expect(await saidOf(text({ accountId: 'bob.testnet' }))).toContain(
      'The other device asks for bob.testnet',
    );
    expect(await saidOf(text({ accountId: ALICE }))).toBe('accepted');
    expect(await saidOf(text())).toBe('accepted');
  });

  it('needs something that draws the scanner', async () => {
    const result = await scanAndLinkDevice(contextOf(null), {});
    expect(result).toMatchObject({ success: false, error: expect.stringContaining('No confirm UI') });
  });

  it('is the only linking of its site: a code that the host hands over meanwhile is refused [S30]', async () => {
    const context = contextOf({ scan: (_model, signal) => aborted(signal) });
    const ending = new AbortController();
    const scanning = scanAndLinkDevice(context, { signal: ending.signal });
    const handedOver = await linkDeviceWithScannedQRData(context, text(), {});
    expect(handedOver).toMatchObject({ success: false, errorCode: 'LINK_BUSY' });
    ending.abort();
    expect(await scanning).toMatchObject({ success: false, errorCode: 'CANCELLED' });
  });
});

describe('a code that a host hands in (frame 7)', () => {
  afterEach(() => vi.useRealTimers());

  /** A wallet of this host, over storage that an earlier one may have used. */
  function walletOf(host: string, isLinkCodeHost: boolean, stored: { key?: ScannedKey } = {}) {
    const confirmer = { ...cancelling(), scan: async () => text() };
    const never = () => new Promise<never>(() => undefined);
    const context = {
      config: resolveConfig({ relayer: { url: 'http://localhost:9' } }),
      vrf: { call: async () => ({ active: true, accountId: ALICE }) },
      store: {
        host,
        user: async () => ({ nearAccountId: ALICE, clientNearPublicKey: 'ed25519:own' }),
        pageSettings: async () => ({}),
        scannedKey: async () => stored.key,
        keepScannedKey: async (key: ScannedKey) => {
          stored.key = key;
        },
      },
      rpc: { viewAccount: never, viewAccessKey: never, block: never, callFunctionJson: never },
      page: host,
      isLinkCodeHost,
      logout: new LogoutSignal(),
      confirmer: () => confirmer,
    } as unknown as FlowContext;
    return { context, confirmer };
  }

  /** Ends at the Cancel of the wait for the chain, where the code was taken. */
  const TAKEN = { success: false, errorCode: 'CANCELLED', device2PublicKey: KEY };
  const REFUSED = { success: false, errorCode: 'LINK_CODE_REFUSED', device2PublicKey: '' };

  it('is refused before anything is shown, whatever the code, unless the operator lists the host [S30]', async () => {
    const { context, confirmer } = walletOf(HOST, false);
    for (const code of [text(), 'no code'])
      expect(await linkDeviceWithScannedQRData(context, code, {})).toMatchObject(REFUSED);
    expect(confirmer.waits).toEqual([]);
    expect(await linkDeviceWithScannedQRData(walletOf(HOST, true).context, text(), {})).toMatchObject(TAKEN);
  });

  it('is refused for 15 minutes after a scan by the wallet, also after a reload, and a new scan starts them again [S30]', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const stored = {};
    const handIn = (host = HOST) =>
      linkDeviceWithScannedQRData(walletOf(host, true, stored).context, text(), {});
    const scan = () => scanAndLinkDevice(walletOf(HOST, true, stored).context, {});
    const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
    expect(await handIn()).toMatchObject(TAKEN);
    await scan();
    expect(await handIn()).toMatchObject(REFUSED);
    expect(await handIn('https://other.example')).toMatchObject(REFUSED);
    pass(14 * 60_000);
    expect(await handIn()).toMatchObject(REFUSED);
    await scan();
    pass(14 * 60_000);
    expect(await handIn()).toMatchObject({
      ...REFUSED,
      error: expect.stringContaining('less than 15 minutes ago'),
    });
    pass(60_000);
    expect(await handIn()).toMatchObject(TAKEN);
  });

  it('is all that the host knows: of a scan that ends before the approval, events and result tell no key [S32]', async () => {
    const { context } = walletOf(HOST, true);
    const events: unknown[] = [];
    const result = await scanAndLinkDevice(context, { onEvent: (event) => void events.push(event) });
    expect(result).toMatchObject({ success: false, errorCode: 'CANCELLED', device2PublicKey: '' });
    expect(JSON.stringify([events, result])).not.toContain(KEY.slice(8));
  });
});

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
