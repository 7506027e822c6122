// A host with nothing but the facade: what it loads is what the facade costs a page.
import { PasskeyManager } from 'latchkey';

const env = import.meta.env as Readonly<Record<string, string>>;
const manager = new PasskeyManager({
  relayer: { url: env.VITE_RELAY_URL ?? '' },
  iframeWallet: { walletOrigin: env.VITE_WALLET_ORIGIN ?? '' },
});

/** Milliseconds from the first call until the wallet page has said READY and has its workers. */
async function connect(): Promise<number> {
  const began = performance.now();
  await manager.preload();
  return performance.now() - began;
}

/** Asks for a registration; answers when that was, in milliseconds since 1970. What becomes of it is nobody's. */
function ask(accountId: string): number {
  manager.registerPasskey(accountId).catch(console.error);
  return performance.timeOrigin + performance.now();
}

Object.assign(globalThis, { bench: { connect, ask } });
