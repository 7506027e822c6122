/** The addresses that an app needs of a stack. */
export interface AppAddresses {
  readonly relayUrl: string;
  /** The nodes of the chain: one, or several, each tried in turn. */
  readonly rpcUrls: readonly string[];
  readonly registry: string;
  /** The explorer's address; null for the wallet's own default. */
  readonly explorerUrl: string | null;
  /** The wallet's own origin; null if the wallet runs in the app's page. */
  readonly walletOrigin: string | null;
}

/** Vite and Next hand a page the variables with their prefix. */
const PREFIXES = ['', 'VITE_', 'NEXT_PUBLIC_'];

/** The variables of an app: each by its plain name, and as Vite and Next read it. An absent address is empty. */
export function variablesOf(addresses: AppAddresses): Record<string, string> {
  const plain = {
    RELAY_URL: addresses.relayUrl,
    WALLET_ORIGIN: addresses.walletOrigin ?? '',
    NEAR_RPC_URL: addresses.rpcUrls.join(','),
    CONTRACT_ID: addresses.registry,
    EXPLORER_URL: addresses.explorerUrl ?? '',
  };
  return Object.fromEntries(
    PREFIXES.flatMap((prefix) => Object.entries(plain).map(([name, value]) => [`${prefix}${name}`, value])),
  );
}
