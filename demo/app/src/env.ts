import type { PasskeyManagerConfig } from 'latchkey';

const given: Readonly<Record<string, string | undefined>> = import.meta.env;
const rpcUrl = given.VITE_NEAR_RPC_URL ?? 'http://127.0.0.1:3030';

/** The wallet's configuration from the VITE_ variables; defaults to the local stack. */
export const walletConfig: PasskeyManagerConfig = {
  rpcUrl,
  contractId: given.VITE_CONTRACT_ID ?? 'w3a-v1.testnet',
  explorerUrl: given.VITE_EXPLORER_URL ?? 'http://127.0.0.1:3030',
  relayer: { url: given.VITE_RELAY_URL ?? 'http://localhost:3000' },
  ...(given.VITE_WALLET_ORIGIN ? { iframeWallet: { walletOrigin: given.VITE_WALLET_ORIGIN } } : {}),
  // Every script of this origin is the demo's own.
  keyExport: { sameOrigin: true },
  // The user reads every request and confirms it with a click; on a phone the drawer is within the thumb's reach.
  confirmationConfig: {
    behavior: 'requireClick',
    uiMode: matchMedia('(max-width: 520px)').matches ? 'drawer' : 'modal',
  },
  ...(given.VITE_RP_ID ? { rpIdOverride: given.VITE_RP_ID } : {}),
};
