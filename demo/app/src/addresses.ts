import type { PasskeyManagerConfig } from 'latchkey';

type Addresses = Pick<
  PasskeyManagerConfig,
  'contractId' | 'explorerUrl' | 'iframeWallet' | 'relayer' | 'rpcUrl'
>;

/** The part of the wallet's configuration that the VITE_ variables give. An empty optional variable counts as absent. */
export function addressesOf(given: ImportMetaEnv): Addresses {
  const {
    VITE_RELAYER_ACCOUNT_ID: accountId,
    VITE_WALLET_ORIGIN: walletOrigin,
    VITE_WALLET_SERVICE_PATH: walletServicePath,
    VITE_SDK_BASE_PATH: sdkBasePath,
  } = given;
  const iframeWallet = {
    ...(walletOrigin && { walletOrigin }),
    ...(walletOrigin && walletServicePath && { walletServicePath }),
    ...(sdkBasePath && { sdkBasePath }),
  };
  return {
    rpcUrl: given.VITE_NEAR_RPC_URL,
    contractId: given.VITE_CONTRACT_ID,
    explorerUrl: given.VITE_EXPLORER_URL,
    relayer: { url: given.VITE_RELAY_URL, ...(accountId && { accountId }) },
    ...(Object.keys(iframeWallet).length > 0 && { iframeWallet }),
  };
}
