import type { PasskeyManagerConfig } from 'latchkey';
import { addressesOf } from './addresses.js';

const given = import.meta.env;

/** The wallet's configuration from the VITE_ variables. */
export const walletConfig: PasskeyManagerConfig = {
  ...addressesOf(given),
  // Every script of this origin is the demo's own.
  keyExport: { sameOrigin: true },
  // The user reads every request and confirms it with a click; on a phone the drawer is within the thumb's reach.
  confirmationConfig: {
    behavior: 'requireClick',
    uiMode: matchMedia('(max-width: 520px)').matches ? 'drawer' : 'modal',
  },
  ...(given.VITE_RP_ID ? { rpIdOverride: given.VITE_RP_ID } : {}),
};
