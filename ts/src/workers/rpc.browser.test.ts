import { afterEach, describe, expect, it } from 'vitest';
import { LatchkeyError } from '../errors/latchkey-error.js';
import { connect, type WorkerClient } from './rpc.js';
import type { EchoApi } from './testing/echo.worker.js';

const started: WorkerClient<EchoApi>[] = [];

function start(
  make = () => new Worker(new URL('./testing/echo.worker.ts', import.meta.url), { type: 'module' }),
) {
  const client = connect<EchoApi>(make);
  started.push(client);
  return client;
}

afterEach(() => {
  for (const client of started.splice(0)) client.close();
});

const reasonOf = (promise: Promise<unknown>): Promise<LatchkeyError> =>
  promise.then(
    () => {
      throw new Error('it did not reject');
    },
    (reason) => reason,
  );

describe('a call to a worker (core 8)', () => {
  it('rejects when the worker answers in an unknown format', async () => {
    const client = start(
      () => new Worker(new URL('./testing/babbling.worker.ts', import.meta.url), { type: 'module' }),
    );
    expect(await reasonOf(client.call('echo', ['a']))).toMatchObject({
      code: 'UNKNOWN_WORKER_RESPONSE',
      message: 'Unknown worker response format',
    });
  });

  it('answers even when it comes before the worker is ready', async () => {
    const client = start();
    const answers = await Promise.all([client.call('echo', [{ a: 1 }]), client.call('echo', ['two'])]);
    expect(answers).toEqual([{ a: 1 }, 'two']);
  });

  it('transfers buffers in both directions', async () => {
    const client = start();
    const bytes = new Uint8Array(32);
    expect(await client.call('length', [bytes], { transfer: [bytes.buffer] })).toBe(32);
    expect(bytes.byteLength).toBe(0);
    expect(await client.call('moved', [])).toEqual(new Uint8Array([1, 2, 3]));
  });

  it('keeps the code and the cause of a LatchkeyError, and no stack of the worker', async () => {
    const error = await reasonOf(start().call('failOurs', []));
    expect(error).toBeInstanceOf(LatchkeyError);
    expect(error.code).toBe('VRF_UNLOCK_FAILED');
    expect((error.cause as Error).message).toContain('the inner reason');
    expect(error.stack).not.toContain('echo.worker');
  });

  it("keeps the WASM's message and code under a LatchkeyError code", async () => {
    const error = await reasonOf(start().call('failForeign', []));
    expect([error.code, error.message, error.details]).toEqual([
      'CRYPTO_FAILED',
      'from the WASM',
      { workerCode: 'DECRYPTION_FAILED' },
    ]);
  });

  it('reports any other error as a worker error', async () => {
    const error = await reasonOf(start().call('failPlain', []));
    expect([error.code, error.message]).toEqual(['WORKER_FAILED', 'Worker error: plain']);
  });

  it('rejects, and does not hang, when the result cannot be sent', async () => {
    expect((await reasonOf(start().call('unsendable', []))).code).toBe('WORKER_FAILED');
  });

  it('rejects immediately when the signal aborts, and the worker learns of it', async () => {
    const client = start();
    await client.ready;
    const controller = new AbortController();
    const reason = reasonOf(client.call('waitForCancel', [], { signal: controller.signal }));
    setTimeout(() => controller.abort(), 20);
    expect((await reason).code).toBe('CANCELLED');
    expect(await client.call('lastCancelled', [])).toBe(true);
  });

  it('rejects without reaching the worker when the signal has aborted before', async () => {
    const error = await reasonOf(start().call('echo', [1], { signal: AbortSignal.abort() }));
    expect(error.code).toBe('CANCELLED');
  });

  it('rejects when the worker is closed while it runs, and ever after', async () => {
    const client = start();
    await client.ready;
    const pending = reasonOf(client.call('waitForCancel', []));
    client.close();
    expect((await pending).code).toBe('WORKER_CLOSED');
    expect((await reasonOf(client.call('echo', [1]))).code).toBe('WORKER_CLOSED');
  });

  it('times out with a text that names the limit, and leaves the worker usable', async () => {
    const client = start();
    await client.ready;
    const error = await reasonOf(client.call('waitForCancel', [], { timeoutMs: 50 }));
    expect([error.code, error.message]).toEqual(['WORKER_TIMEOUT', 'Worker operation timed out after 50ms']);
    expect(await client.call('echo', ['still here'])).toBe('still here');
  });

  it('ends a worker that cannot be interrupted', async () => {
    const client = start();
    await client.ready;
    const error = await reasonOf(client.call('spin', [], { timeoutMs: 50, hard: true }));
    expect(error.code).toBe('WORKER_TIMEOUT');
    expect(client.dead).toBe(error);
  });

  it('rejects when the worker fails outside of it', async () => {
    const client = start();
    const error = await reasonOf(client.call('crash', []));
    expect([error.code, error.message]).toEqual([
      'WORKER_FAILED',
      expect.stringContaining('outside of any call'),
    ]);
  });

  it("rejects when the worker's script is missing", async () => {
    const client = start(() => new Worker(URL.createObjectURL(new Blob(['throw new Error("broken")']))));
    expect((await reasonOf(client.call('echo', [1]))).code).toBe('WORKER_FAILED');
  });
});
