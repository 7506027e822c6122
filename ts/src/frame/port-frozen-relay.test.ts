/** A relay that takes a registration and stays silent: the wallet has the last word, not the host's limit. */
// Specification: frame 9
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { LatchkeyError, REGISTRATION_PENDING } from '../errors/wallet.js';
import { createRelayClient } from '../relay/relay-client.js';
import type { RegistrationResult } from '../types.js';
import { CASES } from './testing/cases.js';
import { connected } from './testing/ports.js';

const HOST_LIMIT_MS = 20;
const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** A relay that answers nothing, and closes its connections when the test says so. */
async function frozenRelay(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(() => undefined);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.closeAllConnections() };
}

it("ends the registration with the wallet's own sentence, long after the host's limit", async () => {
  const relay = await frozenRelay();
  const pending = new LatchkeyError(REGISTRATION_PENDING, { values: { account: 'alice.testnet' } });
  const { client, asked } = connected(
    {
      registerPasskey: async () => {
        const { signal } = new AbortController();
        const lost = await createRelayClient(relay.url)
          .createAccountAndRegisterUser({}, signal)
          .catch((error: LatchkeyError) => error);
        expect(lost).toMatchObject({ code: 'RELAY_UNREACHABLE' });
        return {
          ...(CASES.PM_REGISTER.gives as RegistrationResult),
          success: false,
          pending: true,
          error: pending.message,
          errorCode: pending.code,
        };
      },
    },
    HOST_LIMIT_MS,
  );
  const answer = client.request('PM_REGISTER', CASES.PM_REGISTER.payload);
  const pings = () => asked.filter(({ type }) => type === 'PING').length;
  await vi.waitFor(() => expect(pings()).toBeGreaterThanOrEqual(3), { timeout: 10_000 });
  expect(asked.map(({ type }) => type)).not.toContain('PM_CANCEL');
  relay.close();
  expect(await answer).toMatchObject({
    success: false,
    pending: true,
    errorCode: 'REGISTRATION_PENDING',
    error: pending.message,
  });
});
