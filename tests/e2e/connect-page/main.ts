// A dapp that signs by @hot-labs/near-connect, unmodified, and one that opens the wallet's windows by itself. A test sets what
// the button's click asks for.
import { NearConnector } from '@hot-labs/near-connect';
import { PasskeyManager } from 'latchkey';
import { createWindowWallet } from 'latchkey/connect';
import { createNearConnectWallet, injectLatchkey } from 'latchkey/near-connect';
import { fromNearConnect, Near } from 'near-kit';
import { everyBuilder, oneByOne } from './builders.js';

const env = import.meta.env as Readonly<Record<string, string>>;
const walletOrigin = env.VITE_WALLET_ORIGIN ?? '';
const makeConnector = () =>
  new NearConnector({
    network: 'testnet',
    manifest: { wallets: [], version: '1.0.0' },
    providers: { testnet: [env.VITE_NEAR_RPC_URL ?? ''], mainnet: [] },
  });
const connector = makeConnector();
const inWindow = createWindowWallet({ walletOrigin });

/** Registers the wallet of the wallet's origin by its manifest, as a debug wallet. Returns its id. */
async function addSandboxed(): Promise<string> {
  await connector.whenManifestLoaded;
  const manifest = await (await fetch(`${walletOrigin}/near-connect.json`)).json();
  await connector.registerDebugWallet(manifest.wallets[0]);
  return manifest.wallets[0].id;
}

/** Another wallet than the stack's, and what pays for its new accounts. */
export interface OwnWalletOfPage {
  readonly walletOrigin: string;
  readonly relayUrl: string;
  /** One for each sign-in; undefined asks for none. */
  readonly vouchers?: readonly string[];
}

/** Offers a wallet of this page, in its frame. Returns its id. */
async function addInjected(own?: OwnWalletOfPage): Promise<string> {
  const left = [...(own?.vouchers ?? [])];
  const wallet = createNearConnectWallet({
    wallet: new PasskeyManager({
      rpcUrl: env.VITE_NEAR_RPC_URL ?? '',
      contractId: env.VITE_CONTRACT_ID ?? '',
      relayer: { url: own?.relayUrl ?? env.VITE_RELAY_URL ?? '' },
      iframeWallet: { walletOrigin: own?.walletOrigin ?? walletOrigin },
    }),
    ...(own?.vouchers && { signupVoucher: async () => left.shift() ?? '' }),
  });
  injectLatchkey(wallet);
  return wallet.manifest.id;
}

/** near-kit over the connector, by its own adapter. */
const near = new Near({
  network: { rpcUrl: env.VITE_NEAR_RPC_URL?.split(/[\s,]+/)[0] ?? '', networkId: 'testnet' },
  wallet: fromNearConnect(connector as never),
});
const account = async (): Promise<string> => {
  const [connected] = await (await connector.wallet()).getAccounts();
  return connected?.accountId ?? '';
};
const nearKit: Readonly<Record<string, (given: { to: string; publicKey: string }) => Promise<unknown>>> = {
  send: ({ to }) => near.send(to, '7 yocto'),
  call: ({ to }) => near.call(to, 'set_greeting', { greeting: 'by near-kit' }),
  signMessage: async () => near.signMessage({ message: 'Hello', recipient: 'shop.localhost' }),
  batch: async ({ to }) =>
    near
      .transaction(await account())
      .functionCall(to, 'set_greeting', { greeting: 'by a batch' }, { gas: '30 Tgas' })
      .transfer(to, '1 yocto')
      .send(),
  delegate: async ({ to }) =>
    (
      await near
        .transaction(await account())
        .functionCall(to, 'set_greeting', {})
        .delegate()
    ).payload,
  addKey: async ({ publicKey }) =>
    near
      .transaction(await account())
      .addKey(publicKey, { type: 'fullAccess' })
      .send(),
};

type Ask = () => Promise<unknown>;
let next: Ask | undefined;
let answer: Promise<unknown> = Promise.resolve();

document.getElementById('ask')?.addEventListener('click', () => {
  answer = next?.() ?? Promise.reject(new Error('The test set nothing to ask'));
  show('');
  answer.then(
    () => show('Done'),
    () => show('Failed'),
  );
});

/** Shows the user what became of the last click. */
function show(text: string): void {
  const output = document.querySelector('output');
  if (output) output.textContent = text;
}

/** Opens a window of the wallet and sends it one request of the port, as none of our clients would. Resolves with the answer. */
function raw(address: string, request: object): Promise<unknown> {
  const opened = window.open(`${walletOrigin}${address}`);
  const session = crypto.randomUUID();
  const poll = setInterval(() => opened?.postMessage({ type: 'WALLET_OPENER_CONNECT', session }, '*'), 100);
  return new Promise((resolve) => {
    addEventListener('message', ({ data }) => {
      if (data.session !== session) return;
      clearInterval(poll);
      if (data.type === 'WALLET_OPENER_READY')
        opened?.postMessage({ type: 'WALLET_OPENER_MESSAGE', session, message: request }, walletOrigin);
      else resolve(data.message ?? data);
    });
  });
}

/** The wallets that a connector knows which starts now. */
async function knownToLaterConnector(): Promise<string[]> {
  const later = makeConnector();
  await later.whenManifestLoaded;
  return later.wallets.map(({ manifest }) => manifest.id);
}

const page = {
  knownToLaterConnector,
  raw,
  addSandboxed,
  addInjected,
  connector,
  inWindow,
  everyBuilder,
  oneByOne,
  nearKit,
  /** What the button asks for. */
  onClick(ask: Ask): void {
    next = ask;
  },
  /** The answer to the last click, or the message of its error. */
  async answer(): Promise<{ value: unknown } | { error: string }> {
    return answer.then(
      (value) => ({ value }),
      (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
    );
  },
  async call(name: string, params: unknown): Promise<unknown> {
    const wallet = (await connector.wallet()) as unknown as Record<string, (params: unknown) => unknown> & {
      readonly executor?: { call(method: string, params: unknown): Promise<unknown> };
    };
    // Its sandbox carries calls that the connector of this version has no method for.
    return name in wallet ? wallet[name]?.(params) : wallet.executor?.call(`wallet:${name}`, params);
  },
};
export type ConnectPage = typeof page;
Object.assign(globalThis, { dapp: page });
