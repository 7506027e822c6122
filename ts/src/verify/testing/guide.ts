import { createRpcClient, verifySignedMessage } from '../index.js';

const RECIPIENT = 'app.example';
const MESSAGE = 'Log in to app.example';
const NONCE_LIFETIME_MS = 5 * 60_000;

/** Logs people in by a message that their wallet signs. `session` is the browser's own, from its cookie. */
export function createLogin(rpcUrls: readonly string[]) {
  const rpc = createRpcClient({ urls: rpcUrls });
  const asked = new Map<string, { nonce: Uint8Array; until: number }>();

  return {
    /** What the page asks the wallet to sign. */
    begin(session: string) {
      const nonce = crypto.getRandomValues(new Uint8Array(32));
      asked.set(session, { nonce, until: Date.now() + NONCE_LIFETIME_MS });
      return { message: MESSAGE, recipient: RECIPIENT, nonce };
    },

    /** Who it is that logs in; null for nobody. `signed` is what the page sent, as JSON.parse read it. */
    async finish(session: string, signed: unknown): Promise<string | null> {
      const mine = asked.get(session);
      // Before anything is waited for: a nonce counts once, and not for two requests at the same time.
      asked.delete(session);
      if (!mine || mine.until < Date.now()) return null;
      const verdict = await verifySignedMessage(signed, {
        rpc,
        message: MESSAGE,
        recipient: RECIPIENT,
        nonce: mine.nonce,
      });
      if (verdict.verified) return verdict.accountId;
      console.warn(verdict.reason, verdict.message);
      return null;
    },
  };
}
