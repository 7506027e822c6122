/** README.md says what each is. */
interface ImportMetaEnv {
  readonly VITE_NEAR_RPC_URL: string;
  readonly VITE_RELAY_URL: string;
  readonly VITE_CONTRACT_ID: string;
  readonly VITE_EXPLORER_URL: string;
  readonly VITE_WALLET_ORIGIN: string;
  readonly VITE_RP_ID?: string;
  readonly VITE_RELAYER_ACCOUNT_ID?: string;
  readonly VITE_WALLET_SERVICE_PATH?: string;
  readonly VITE_SDK_BASE_PATH?: string;
}
