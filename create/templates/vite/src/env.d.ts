/** The variables of the environment and of .env files. */
interface ImportMetaEnv {
  readonly VITE_RELAY_URL?: string;
  readonly VITE_WALLET_ORIGIN?: string;
  readonly VITE_NEAR_RPC_URL?: string;
  readonly VITE_CONTRACT_ID?: string;
  readonly VITE_EXPLORER_URL?: string;
  readonly VITE_APP_NAME?: string;
  readonly VITE_BRAND_ACCENT?: string;
  readonly VITE_LANGUAGE?: string;
}
