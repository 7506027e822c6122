import { cdp } from 'vitest/browser';

/** Sends a command of the Chrome DevTools Protocol. */
export const send = (method: string, params: unknown): Promise<void> =>
  (cdp() as unknown as { send(method: string, params: unknown): Promise<void> }).send(method, params);
