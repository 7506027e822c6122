import { cdp } from 'vitest/browser';

/** Overrides this media feature from now on, and no other; an empty value ends the override. */
export async function emulateMedia(name: string, value: string): Promise<void> {
  await cdp().send('Emulation.setEmulatedMedia', { features: [{ name, value }] });
}
