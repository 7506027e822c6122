import { expect, it, vi } from 'vitest';
import { CANCELLED, LatchkeyError, OFFLINE, WORKER_CLOSED } from '../errors/core.js';
import { warn } from './warn.js';

it('logs a failure, and neither a cancellation nor a worker that the wallet closed', () => {
  const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  for (const text of [CANCELLED, WORKER_CLOSED])
    warn({ logger }, 'A background refresh failed', new LatchkeyError(text));
  expect(logger.warn).not.toHaveBeenCalled();
  warn({ logger }, 'A background refresh failed', new LatchkeyError(OFFLINE));
  expect(logger.warn).toHaveBeenCalledExactlyOnceWith(
    'A background refresh failed',
    expect.stringMatching(/offline/),
  );
});
