import { afterEach, describe, expect, it, vi } from 'vitest';
import { createVrfClient } from './start.js';
import { VrfClient } from './vrf-client.js';

let client: VrfClient | undefined;

function clientOf(start: () => Worker): VrfClient {
  client = new VrfClient(
    start,
    async () => new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)),
    null,
  );
  return client;
}
const mute = () => new Worker(new URL('./testing/mute.worker.ts', import.meta.url), { type: 'module' });

afterEach(() => {
  client?.close();
  client = undefined;
});

describe('the VRF worker (core 8, core 9)', () => {
  it('fails its health check when it starts but does not answer', async () => {
    await expect(clientOf(mute).warmUp()).rejects.toMatchObject({
      code: 'VRF_WORKER_UNHEALTHY',
      message: 'VRF Worker failed health check',
      cause: { message: 'Worker operation timed out after 5000ms' },
    });
  });

  it('names the call that it does not answer', async () => {
    await expect(clientOf(mute).call('status', [], { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'WORKER_TIMEOUT',
      message: 'VRF Web Worker communication timeout (50ms) for message type: status',
    });
  });

  it('limits its start, which a stalled download never ends', async () => {
    client = new VrfClient(mute, () => new Promise(() => undefined), null);
    await expect(client.call('logout', [], { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'WORKER_TIMEOUT',
      message: 'VRF Web Worker communication timeout (50ms) for message type: logout',
    });
  });

  it('has 60 seconds for a call', async () => {
    const started = clientOf(mute);
    await started.call('ping', [], { timeoutMs: 10 }).catch(() => undefined);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const silent = expect(started.call('status', [])).rejects.toMatchObject({
      message: 'VRF Web Worker communication timeout (60000ms) for message type: status',
    });
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    await silent;
  });

  it('fails to initialise when its script does not load', async () => {
    const broken = clientOf(() => new Worker('/there-is-no-such-file.js', { type: 'module' }));
    await expect(broken.warmUp()).rejects.toMatchObject({
      message: expect.stringMatching(/^VRF Worker failed to initialize: Worker error: /),
    });
  });

  it('takes over another session: answers its pending requests and reports its loss', async () => {
    client = createVrfClient(null);
    let changes = 0;
    client.onSessionChange = () => {
      changes += 1;
    };
    await client.warmUp();
    const other = client.beside();
    await other.call('deriveKeypairFromPrf', ['b.testnet', new Uint8Array(32).fill(7), true]);
    expect(await client.call('status', [])).toMatchObject({ active: false });
    expect(changes).toBe(0);

    const asked = client.call('status', []);
    client.takeOver(other);
    other.close();
    await expect(asked).resolves.toBeDefined();
    expect(await client.call('status', [])).toMatchObject({ active: true, accountId: 'b.testnet' });
    await expect.poll(() => changes).toBe(2);
    client.close();
    await expect.poll(() => changes).toBe(3);
  });

  it('reports the loss of its session, but not of one that never started', async () => {
    let changes = 0;
    const started = clientOf(mute);
    started.onSessionChange = () => {
      changes += 1;
    };
    await started.warmUp().catch(() => undefined);
    expect(changes).toBe(1);
    const broken = clientOf(() => new Worker('/there-is-no-such-file.js', { type: 'module' }));
    broken.onSessionChange = () => {
      changes += 1;
    };
    await broken.call('status', []).catch(() => undefined);
    expect(changes).toBe(1);
  });
}, 20_000);
