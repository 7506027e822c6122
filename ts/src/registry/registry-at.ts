import type { RpcClient } from '../near/index.js';

/** Where the registry is: the chain's nodes, and the contract's account id. */
export interface RegistryAt {
  readonly rpc: RpcClient;
  readonly config: {
    readonly contractId: string;
    readonly logger?: { warn(message: string, ...details: unknown[]): void };
  };
}
