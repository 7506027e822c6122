export type { WalletPageData } from 'latchkey/internal/server';
export { type AssetsBinding, walletAssets } from './assets.js';
export {
  type CrossOriginPreset,
  connectOrigins,
  crossOriginHeaders,
  type Headers,
  type WalletHeaderOptions,
  walletHeaders,
} from './headers.js';
export { mimeType } from './mime.js';
export { EXECUTOR_PATH, MANIFEST_PATH } from './near-connect.js';
export { CHECK_PATH, OPENED_PATHS, type WalletFiles, type WalletSiteOptions, walletSite } from './site.js';
export { type StaticHeadersOptions, staticHeaders } from './static.js';
