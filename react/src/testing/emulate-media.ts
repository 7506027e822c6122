import { cdp } from 'vitest/browser';

/** Overrides this media feature from now on, and no other; an empty value ends the override. */
export const emulateMedia = (name: string, value: string): Promise<void> =>
  (cdp() as unknown as { send(method: string, params: unknown): Promise<void> }).send(
    'Emulation.setEmulatedMedia',
    { features: [{ name, value }] },
  );
