/** The relay as a process: how it starts, and how it ends. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm, watch, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { developmentKey, readLine, stopProcess } from '../../../tests/support/relay/devnet.js';
import { spawnRelay } from '../../../tests/support/relay/relay-process.js';
import { createLog } from '../observe/log.js';
import { encodeNumber } from '../testing/lock-numbers.js';
import { readRelayConfig } from './config.js';
import { HOST } from './durable-file.js';
import { startRelay } from './node.js';

const LISTENING = /^relay listening on (http:\/\/127\.0\.0\.1:\d+)$/;

describe('the relay’s process', () => {
  let folder: string;
  let good: Record<string, string>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-relay-'));
    good = {
      RELAYER_ACCOUNT_ID: 'relayer.testnet',
      RELAYER_PRIVATE_KEY: developmentKey('relayer.testnet'),
      EXPECTED_ORIGIN: 'http://localhost:5173',
      SHAMIR_KEY_FILE: join(folder, 'lock.json'),
    };
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('creates its lock key, serves it, keeps it over a restart, and exits with code 0 on SIGTERM', async () => {
    const ids: unknown[] = [];
    for (const _ of ['first', 'second']) {
      const relay = spawnRelay(good);
      const said = readLine(relay, /(.*NEAR_RPC_URL.*)/, 'stderr');
      const url = await readLine(relay, LISTENING);
      const health = (await (await fetch(`${url}/healthz`)).json()) as { currentKeyId: string };
      ids.push(health.currentKeyId);
      const ready = await fetch(`${url}/readyz`);
      expect(ready.status).toBe(503);
      expect(await said).toContain('no node of NEAR_RPC_URL answers yet');
      const ended = once(relay, 'exit');
      relay.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    }
    expect(ids[0]).toMatch(/^[\w-]{22}$/);
    expect(ids[1]).toBe(ids[0]);
    expect(JSON.parse(await readFile(join(folder, 'lock.json'), 'utf8'))).toMatchObject({ version: 2 });
  });

  it('enforces its limits over a raw connection', async () => {
    const relay = spawnRelay(good);
    try {
      const url = new URL(await readLine(relay, LISTENING));
      const body = JSON.stringify({ kek_c_b64u: encodeNumber(4n), padding: 'x'.repeat(70_000) });
      const socket = connect(Number(url.port), url.hostname);
      const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      socket.write(
        `POST /vrf/apply-server-lock HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
      );
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
      socket.destroy();
      const long = await fetch(new URL('/healthz', url), { headers: { 'x-long': 'y'.repeat(20_000) } });
      expect(long.status).toBe(431);
    } finally {
      await stopProcess(relay);
    }
  });

  it('reports all faults of its environment in one message', async () => {
    const relay = spawnRelay({ PORT: 'many' });
    const [code] = await once(relay, 'close');
    expect(code).toBe(1);
    const message = relay.errors();
    for (const name of ['RELAYER_ACCOUNT_ID', 'RELAYER_PRIVATE_KEY', 'EXPECTED_ORIGIN', 'PORT']) {
      expect(message).toContain(`${name}: `);
    }
    expect(message).not.toContain('    at ');
  });

  it('names a taken port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const relay = spawnRelay({ ...good, PORT: port });
    const [code] = await once(relay, 'close');
    other.close();
    expect(code).toBe(1);
    expect(relay.errors().trim().split('\n')).toEqual([
      `Invalid configuration: port ${port} of 127.0.0.1 is taken: end what uses it, or set PORT to another`,
    ]);
  });

  it('leaves no timer behind if it cannot listen', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const PORT = typeof address === 'object' ? String(address?.port) : '';
    const set = vi.spyOn(globalThis, 'setInterval');
    const clear = vi.spyOn(globalThis, 'clearInterval');
    try {
      const config = readRelayConfig({ ...good, NEAR_RPC_URL: 'http://127.0.0.1:9', PORT });
      const log = createLog(() => undefined);
      await expect(startRelay(config, log)).rejects.toThrow('is taken');
      const cleared = clear.mock.calls.map(([timer]) => timer);
      expect(set.mock.results.length).toBeGreaterThan(0);
      for (const { value } of set.mock.results) expect(cleared).toContain(value);
    } finally {
      other.close();
      set.mockRestore();
      clear.mockRestore();
    }
  });

  it('exits on a signal before it listens', async () => {
    const path = join(folder, 'busy.json');
    const holder = { host: HOST, pid: process.pid, id: 'theirs' };
    await writeFile(`${path}.lock`, JSON.stringify(holder));
    const changes = watch(folder);
    const relay = spawnRelay({ ...good, SHAMIR_KEY_FILE: path });
    const ended = once(relay, 'exit');
    // Its attempts at the lock show that it is waiting.
    for await (const { filename } of changes) if (/^busy\.json\.lock\..*tmp$/.test(filename ?? '')) break;
    relay.kill('SIGTERM');
    expect(await ended).toEqual([143, null]);
  });
});
