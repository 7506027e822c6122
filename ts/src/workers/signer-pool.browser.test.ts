import { afterEach, describe, expect, it, vi } from 'vitest';
import { cdp } from 'vitest/browser';
import { CANCELLED, LatchkeyError } from '../errors/core.js';
import { SignerPool } from './signer-pool.js';
import { createSignerPool } from './start.js';
import { compileOnce } from './wasm-module.js';

const pools: SignerPool[] = [];
const wasmUrl = new URL('../../wasm/signer/signer_bg.wasm', import.meta.url);
const startWorker = () => new Worker(new URL('./signer.worker.ts', import.meta.url), { type: 'module' });

function pool(start = startWorker, compile = compileOnce(wasmUrl)): SignerPool {
  const made = new SignerPool(start, compile);
  pools.push(made);
  return made;
}

afterEach(() => {
  for (const made of pools.splice(0)) made.close();
  vi.restoreAllMocks();
});

const derive = (signer: Awaited<ReturnType<SignerPool['acquire']>>) =>
  signer.call('deriveAndEncrypt', [
    'alice.testnet',
    Uint8Array.from({ length: 32 }, (_, index) => index),
    Uint8Array.from({ length: 32 }, (_, index) => index + 32),
  ]);

describe('the signer pool (core 4, core 9)', () => {
  it('works with the files as shipped', async () => {
    const made = createSignerPool();
    pools.push(made);
    const signer = await made.acquire();
    const { publicKey } = await derive(signer);
    expect(publicKey).toBe('ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2');
    signer.end();
  });

  it('keeps one idle worker ready, and never more than three alive', async () => {
    const made = pool();
    await made.warmUp();
    expect(made.live).toBe(1);
    const first = await made.acquire();
    expect(made.live).toBe(2);
    const second = await made.acquire();
    expect(made.live).toBe(3);
    const third = await made.acquire();
    expect(made.live).toBe(3);
    for (const signer of [first, second, third]) signer.end();
    await vi.waitFor(() => expect(made.live).toBe(1), { timeout: 10_000 });
  });

  it('makes a fourth approval wait until another one has ended', async () => {
    const made = pool();
    const held = await Promise.all([made.acquire(), made.acquire(), made.acquire()]);
    let isGiven = false;
    const fourth = made.acquire().then((signer) => {
      isGiven = true;
      return signer;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isGiven).toBe(false);
    held[0]?.end();
    const signer = await fourth;
    expect((await derive(signer)).publicKey).toMatch(/^ed25519:/);
    expect(made.live).toBe(3);
  });

  it('drops an approval that was cancelled while it waited', async () => {
    const made = pool();
    const held = await Promise.all([made.acquire(), made.acquire(), made.acquire()]);
    const controller = new AbortController();
    const waiting = made.acquire(controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
    for (const signer of held) signer.end();
    expect(made.live).toBe(1);
  });

  it("fails with the flow's own cancellation, which tells a time limit", async () => {
    const made = pool();
    const reason = new LatchkeyError(CANCELLED, { cause: new DOMException('', 'TimeoutError') });
    await expect(made.acquire(AbortSignal.abort(reason))).rejects.toBe(reason);
    const held = await Promise.all([made.acquire(), made.acquire(), made.acquire()]);
    const controller = new AbortController();
    const waiting = made.acquire(controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    for (const signer of held) signer.end();
  });

  it('uses each worker once', async () => {
    const made = pool();
    const signer = await made.acquire();
    signer.end();
    await expect(derive(signer)).rejects.toMatchObject({ code: 'WORKER_CLOSED' });
  });

  it('leaves no Worker object behind over 200 approvals', async () => {
    const objects: WeakRef<Worker>[] = [];
    const made = pool(() => {
      const worker = startWorker();
      objects.push(new WeakRef(worker));
      return worker;
    });
    for (let approval = 0; approval < 200; approval += 1) {
      (await made.acquire()).end();
    }
    made.close();
    expect(objects.length).toBeGreaterThanOrEqual(200);
    const left = async (): Promise<number> => {
      await cdp().send('HeapProfiler.collectGarbage');
      return objects.filter((object) => object.deref() !== undefined).length;
    };
    await expect.poll(left).toBe(0);
  }, 120_000);

  it('replaces a worker without fetching or compiling the WASM again', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    const streamed = vi.spyOn(WebAssembly, 'compileStreaming');
    const compiled = vi.spyOn(WebAssembly, 'compile');
    const workerCsp: string[] = [];
    const made = pool(() => {
      workerCsp.push('started');
      return startWorker();
    });
    (await made.acquire()).end();
    await made.warmUp();
    expect([fetched.mock.calls.length, streamed.mock.calls.length + compiled.mock.calls.length]).toEqual([
      1, 1,
    ]);

    const startedBefore = workerCsp.length;
    performance.clearResourceTimings();
    for (let round = 0; round < 3; round += 1) {
      const signer = await made.acquire();
      await derive(signer);
      signer.end();
    }
    await made.warmUp();
    expect(workerCsp.length).toBeGreaterThan(startedBefore);
    expect([fetched.mock.calls.length, streamed.mock.calls.length + compiled.mock.calls.length]).toEqual([
      1, 1,
    ]);
    const loaded = performance.getEntriesByType('resource').filter(({ name }) => name.includes('.wasm'));
    expect(loaded).toEqual([]);
  });

  it('leaves no secret on the page: transferred buffers are empty', async () => {
    const signer = await pool().acquire();
    const first = new Uint8Array(32).fill(7);
    const second = new Uint8Array(32).fill(9);
    await signer.call('deriveAndEncrypt', ['alice.testnet', first, second], {
      transfer: [first.buffer, second.buffer],
    });
    expect([first.byteLength, second.byteLength]).toEqual([0, 0]);
    signer.end();
  });
});
