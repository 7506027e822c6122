import type { PasskeyManagerConfig } from 'latchkey';

const given = import.meta.env;

/** The wallet's configuration from the VITE_ variables. */
export const walletConfig: PasskeyManagerConfig = {
  rpcUrl: given.VITE_NEAR_RPC_URL,
  contractId: given.VITE_CONTRACT_ID,
  explorerUrl: given.VITE_EXPLORER_URL,
  relayer: { url: given.VITE_RELAY_URL },
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
