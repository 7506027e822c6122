import { type PasskeyManagerConfig, resolveConfig } from '../../config.js';
import type { RpcClient } from '../../near/index.js';
import type { RelayClient } from '../../relay/relay-client.js';
import type { WalletStore } from '../../storage/store.js';
import { browserCredentials } from '../../webauthn/credentials.js';
import { createSignerPool, createVrfClient } from '../../workers/start.js';
import type { FlowContext } from '../context.js';
import { LogoutSignal } from '../session/logout-signal.js';
import { TransactionContexts } from '../signing/transaction-contexts.js';

/** What a test says of its surroundings; the relay is one that no flow of the test calls. */
export interface BrowserSurroundings extends Pick<FlowContext, 'closing' | 'confirmer'> {
  readonly rpc: RpcClient;
  readonly store: WalletStore;
  readonly confirmationConfig?: PasskeyManagerConfig['confirmationConfig'];
}

/** The surroundings of flows in a browser: real workers, and the browser's own passkeys. */
export function browserContext({
  rpc,
  store,
  confirmationConfig,
  ...rest
}: BrowserSurroundings): FlowContext {
  return {
    config: resolveConfig({
      relayer: { url: 'http://localhost:9' },
      shamir3pass: false,
      logLevel: 'silent',
      ...(confirmationConfig && { confirmationConfig }),
    }),
    rpId: location.hostname,
    credentials: browserCredentials,
    rpc,
    relay: {} as RelayClient,
    store,
    signers: createSignerPool(),
    vrf: createVrfClient(null),
    contexts: new TransactionContexts(rpc, () => undefined, store.nonces),
    logout: new LogoutSignal(),
    page: location.origin,
    ...rest,
  };
}
