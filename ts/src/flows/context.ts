/** What the flows work with. Made once for each wallet. */
import type { ResolvedConfig } from '../config.js';
import type { Confirmer } from '../confirm/port.js';
import type { RpcClient } from '../near/index.js';
import type { RelayClient } from '../relay/relay-client.js';
import type { WalletStore } from '../storage/store.js';
import type { ConfirmationConfig } from '../types.js';
import type { SignerPool } from '../workers/signer-pool.js';
import type { VrfClient } from '../workers/vrf-client.js';
import type { TransactionContexts } from './transaction-contexts.js';

export interface FlowContext {
  readonly config: ResolvedConfig;
  readonly rpId: string;
  readonly rpc: RpcClient;
  readonly relay: RelayClient;
  readonly store: WalletStore;
  readonly signers: SignerPool;
  readonly vrf: VrfClient;
  readonly contexts: TransactionContexts;
  /** Settings changed in this page without an account to keep them with. */
  readonly pageSettings: { confirmation: Partial<ConfirmationConfig> };
  confirmer(): Confirmer | null;
}
