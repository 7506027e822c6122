import { createRpcClient, verifySignedMessage } from '../index.js';

const RECIPIENT = 'app.example';
const MESSAGE = 'Log in to app.example';
const NONCE_LIFETIME_MS = 5 * 60_000;

/** Logs users in by a message that their wallet signs. `session` is this browser's, from its cookie. */
export function createLogin(rpcUrls: readonly string[]) {
  const rpc = createRpcClient({ urls: rpcUrls });
  const asked = new Map<string, { nonce: Uint8Array; until: number }>();

  return {
    /** The message that the page asks the wallet to sign. JSON has no bytes, so the nonce crosses as base64. */
    begin(session: string) {
      const nonce = crypto.getRandomValues(new Uint8Array(32));
      asked.set(session, { nonce, until: Date.now() + NONCE_LIFETIME_MS });
      return { message: MESSAGE, recipient: RECIPIENT, nonce: btoa(String.fromCharCode(...nonce)) };
    },

    /** The account that logs in, or null. `signed` is the page's answer, parsed by JSON.parse. */
    async finish(session: string, signed: unknown): Promise<string | null> {
      const mine = asked.get(session);
      // Before the first await, so that two simultaneous requests cannot both use the nonce.
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
