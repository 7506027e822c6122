import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  AUTHENTICATORS_FAILED,
  LatchkeyError,
  NEAR_RPC_FAILED,
  NOT_LOGGED_IN,
  RELAY_UNREACHABLE,
  WORKER_FAILED,
} from './account.js';
import { WALLET_FRAME_UNREACHABLE } from './frame.js';
import { orOffline } from './offline.js';

afterEach(() => vi.unstubAllGlobals());

const offline = (): void => void vi.stubGlobal('navigator', { onLine: false });

describe('without a network (core 4)', () => {
  it.each([
    new LatchkeyError(NEAR_RPC_FAILED, { values: { reason: 'Failed to fetch' } }),
    new LatchkeyError(AUTHENTICATORS_FAILED),
    new LatchkeyError(WALLET_FRAME_UNREACHABLE),
    new LatchkeyError(RELAY_UNREACHABLE, { details: { fate: 'not-sent' } }),
    new LatchkeyError(WORKER_FAILED, { values: { reason: 'its script did not load' } }),
    new TypeError('Failed to fetch dynamically imported module'),
  ])('a read that fails says so in one sentence, and keeps its cause: %s', (error) => {
    offline();
    const said = orOffline(error) as LatchkeyError;
    expect(said).toMatchObject({
      code: 'OFFLINE',
      message: 'This device is offline. Your keys and your money are safe. Connect, then try again.',
    });
    expect(said.cause).toBe(error);
  });

  it.each([
    new LatchkeyError(NOT_LOGGED_IN),
    new LatchkeyError(NEAR_RPC_FAILED, { details: { fate: 'unknown' } }),
    new LatchkeyError(NEAR_RPC_FAILED, { details: { kind: 'outcome_unknown' } }),
  ])('an error of another kind, or of what was sent, stays: %s', (error) => {
    offline();
    expect(orOffline(error)).toBe(error);
  });
});

it('changes no error while there is a network', () => {
  vi.stubGlobal('navigator', { onLine: true });
  const error = new LatchkeyError(NEAR_RPC_FAILED);
  expect(orOffline(error)).toBe(error);
});
