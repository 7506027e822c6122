import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { compileOnce } from './wasm-module.js';

/** The smallest module: magic number and version. */
const MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
const URL_OF_IT = new URL('http://localhost/x.wasm');

const serve = (contentType: string, status = 200) =>
  vi.fn(async () => new Response(MODULE, { status, headers: { 'content-type': contentType } }));

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the WASM loader', () => {
  it.each(['application/wasm', 'application/octet-stream'])(
    'compiles a file served as %s',
    async (contentType) => {
      vi.stubGlobal('fetch', serve(contentType));
      expect(await compileOnce(URL_OF_IT)()).toBeInstanceOf(WebAssembly.Module);
    },
  );

  it('fetches and compiles once for all callers', async () => {
    const fetched = serve('application/wasm');
    vi.stubGlobal('fetch', fetched);
    const compile = compileOnce(URL_OF_IT);
    const modules = await Promise.all([compile(), compile()]);
    expect(modules[0]).toBe(modules[1]);
    expect(await compile()).toBe(modules[0]);
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it('names the file that did not load, and retries at the next call', async () => {
    vi.stubGlobal('fetch', serve('text/html', 404));
    const compile = compileOnce(URL_OF_IT);
    await expect(compile()).rejects.toMatchObject({
      code: 'WORKER_FAILED',
      message: 'Worker error: /x.wasm answered 404',
    });
    vi.stubGlobal('fetch', serve('application/wasm'));
    expect(await compile()).toBeInstanceOf(WebAssembly.Module);
  });

  it.each([
    ['answers nothing', () => undefined],
    [
      'stops in the middle of it',
      (_request: IncomingMessage, response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/wasm' });
        response.write(MODULE.subarray(0, 4));
      },
    ],
  ])('gives up a file whose server %s', async (_what, answer) => {
    const server = createServer(answer).listen(0, '127.0.0.1');
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(compileOnce(new URL(`http://127.0.0.1:${port}/x.wasm`), 200)()).rejects.toMatchObject({
      code: 'WORKER_FAILED',
      message: 'Worker error: /x.wasm did not load within 0.2 seconds',
    });
  });
});
