/** Listening on a port, for every server on Node. */
import { once } from 'node:events';
import type { Server } from 'node:net';
import { INVALID_CONFIG, LatchkeyError, messageOf } from 'latchkey/internal/server';
import { assertNodeVersion } from './node-version.js';

/** Resolves when the server listens. Rejects with INVALID_CONFIG, which says what to do, if it cannot. */
export async function listen(server: Server, host: string, port: number): Promise<void> {
  assertNodeVersion();
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw unusable('PORT must be a whole number from 0 to 65535', undefined);
  }
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    const reason = isTaken
      ? `port ${port} of ${host} is taken: end what uses it, or set PORT to another`
      : `cannot listen on port ${port} of ${host}: ${messageOf(error)}`;
    throw unusable(reason, error);
  }
}

function unusable(reason: string, cause: unknown): LatchkeyError {
  return new LatchkeyError(INVALID_CONFIG, { values: { reason }, cause });
}
