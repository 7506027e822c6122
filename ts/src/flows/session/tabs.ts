/**
 * Messages to the other tabs of this origin: a logout, which ends every session, a change worth
 * another look, and records that the user removed.
 */
import { messageOf } from '../../errors/latchkey-error.js';

const CHANNEL = 'latchkey:session';

/** Logins are not broadcast; each tab opens its own session. */
export type TabMessage = 'logout' | 'changed' | 'forgotten';

export class Tabs {
  #channel: BroadcastChannel | undefined;

  /** Where the browser refuses a channel (a frame without storage, for example), this tab works alone. */
  constructor(heard: (message: TabMessage) => void, warn: (message: string, data: string) => void) {
    try {
      this.#channel = new BroadcastChannel(CHANNEL);
    } catch (error) {
      warn('The other tabs cannot be reached', messageOf(error));
      return;
    }
    this.#channel.addEventListener('message', ({ data }) => {
      if (data === 'logout' || data === 'changed' || data === 'forgotten') heard(data);
    });
  }

  tell(message: TabMessage): void {
    this.#channel?.postMessage(message);
  }

  close(): void {
    this.#channel?.close();
    this.#channel = undefined;
  }
}
