// The server lock on another server than the relay that pays for accounts.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRelay } from '../../dev/services/services.js';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.js';
import { type FaultStack, ORIGIN, startFaultStack } from './stack.js';
import { assertDone, logOut, registered } from './steps.js';
import { World } from './world.js';

const LOCK_PATHS = ['/shamir/key-info', '/vrf/apply-server-lock', '/vrf/remove-server-lock'];

let stack: FaultStack;
let lock: FaultProxy;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  stack = await startFaultStack([]);
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-lock-'));
  const server = await startRelay({
    port: 0,
    chainUrl: stack.chainUrl,
    appOrigin: ORIGIN,
    lockKeyFile: join(folder, 'lock-key.json'),
  });
  lock = await startFaultProxy(server.url);
  ends.push(
    lock.close,
    () => server.stop(),
    () => rm(folder, { recursive: true, force: true }),
  );
});

afterAll(async () => {
  for (const end of ends) await end();
  await stack?.stop();
});

test('a login without a prompt works with the lock on a server of its own, and asks the relay for nothing of it', async () => {
  const vrfWorkerConfigs = { shamir3pass: { relayServerUrl: lock.url } };
  const world = await World.open(stack, { vrfWorkerConfigs });
  try {
    await world.beginNew(`lock${Date.now()}`);
    await registered(world);
    await logOut(world);
    const phases: string[] = [];
    const login = await world.call(({ manager }) =>
      manager.loginPasskey(world.accountId, { onEvent: ({ phase }) => phases.push(phase) }),
    );
    assertDone('The login', login);
    expect(phases).not.toContain('webauthn-assertion');
    expect(new Set(lock.calls.map(({ name }) => name))).toEqual(new Set(LOCK_PATHS));
    expect(
      world.proxies.relay.calls.map(({ name }) => name).filter((name) => LOCK_PATHS.includes(name)),
    ).toEqual([]);
  } finally {
    await world.close();
  }
});
