import { send } from './cdp.js';

/** Overrides this media feature from now on, and no other; an empty value ends the override. */
export const emulateMedia = (name: string, value: string): Promise<void> =>
  send('Emulation.setEmulatedMedia', { features: [{ name, value }] });
