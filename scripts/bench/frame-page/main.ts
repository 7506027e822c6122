// A host with only the facade: its downloads are the facade's cost to a page.
import { PasskeyManager, type QrData } from 'latchkey';

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

/** When a call answered, in milliseconds since 1970. Throws where it did not succeed. */
async function answered(call: Promise<unknown>): Promise<number> {
  const failed = [await call].flat().find((result) => (result as { success: boolean }).success === false);
  if (failed) throw new Error(JSON.stringify(failed));
  return performance.timeOrigin + performance.now();
}

const register = (accountId: string) => answered(manager.registerPasskey(accountId));

const pay = (nearAccountId: string, receiverId: string) =>
  answered(
    manager.signAndSendTransactions({
      nearAccountId,
      transactions: [{ receiverId, actions: [{ type: 'Transfer', amount: '1000000' }] }],
    }),
  );

/** Ends the session, and opens one again by the lock. */
async function logOutAndIn(accountId: string): Promise<void> {
  await manager.logoutAndClearVrfSession();
  await answered(manager.loginPasskey(accountId));
}

const signMessage = (nearAccountId: string) =>
  answered(
    manager.signNEP413Message({
      nearAccountId,
      params: { message: 'Signed by the bench', recipient: 'bench.testnet' },
    }),
  );

const link = (code: string) => answered(manager.linkDeviceWithScannedQRData(code));

let joined: Promise<number> | undefined;

/** Starts the linking of this device; returns its code's text. */
async function showCode(): Promise<string> {
  const { qrData } = await new Promise<{ qrData: QrData }>((resolve, reject) => {
    joined = answered(
      new Promise((done, failed) => {
        const options = {
          ui: 'inline',
          afterCall: (_: boolean, result: unknown) => done(result),
          onError: failed,
        };
        manager.startDevice2LinkingFlow(options as never).then(resolve, reject);
      }),
    );
    joined.catch(reject);
  });
  return JSON.stringify(qrData);
}

/** When the linking of this device had ended. */
const joinedAt = () => joined;

Object.assign(globalThis, {
  bench: { connect, ask, register, pay, logOutAndIn, signMessage, link, showCode, joinedAt },
});
