/** The variables of .env. */
interface ImportMetaEnv {
  readonly VITE_RELAY_URL: string;
  readonly VITE_WALLET_ORIGIN: string;
  readonly VITE_NEAR_RPC_URL: string;
  readonly VITE_CONTRACT_ID: string;
}
