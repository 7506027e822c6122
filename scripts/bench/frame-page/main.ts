// A host with only the facade: its downloads are the facade's cost to a page.
import { PasskeyManager } from 'latchkey';

const env = import.meta.env as Readonly<Record<string, string>>;
const manager = new PasskeyManager({
  relayer: { url: env.VITE_RELAY_URL ?? '' },
  iframeWallet: { walletOrigin: env.VITE_WALLET_ORIGIN ?? '' },
});

/** Milliseconds from the first call until the wallet page has sent READY and has its workers. */
async function connect(): Promise<number> {
  const began = performance.now();
  await manager.preload();
  return performance.now() - began;
}

/** Starts a registration and returns the time, in milliseconds since 1970. Ignores the outcome. */
function ask(accountId: string): number {
  manager.registerPasskey(accountId).catch(console.error);
  return performance.timeOrigin + performance.now();
}

Object.assign(globalThis, { bench: { connect, ask } });
