/** How the tokens' contracts are asked: one client for a configuration, which keeps what a contract says of itself. */
import type { ChainNodes } from '../balance.js';
import { createRpcClient, type RpcClient } from '../near/index.js';
import type { TokenMetadata } from './metadata.js';

export interface TokenClient {
  readonly rpc: RpcClient;
  /** By contract. */
  readonly metadata: Map<string, Promise<TokenMetadata>>;
}

/** Room for metadata with an icon: nodes write each byte of an answer as a number. */
const MAX_ANSWER_BYTES = 512 * 1024;
const TIMEOUT_MS = 10_000;

const clients = new WeakMap<ChainNodes, TokenClient>();

export function clientOf(nodes: ChainNodes): TokenClient {
  const known = clients.get(nodes);
  if (known) return known;
  const rpc = createRpcClient({
    urls: nodes.rpcUrls,
    agreement: nodes.rpcAgreement,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    timeoutMs: TIMEOUT_MS,
  });
  const made = { rpc, metadata: new Map() };
  clients.set(nodes, made);
  return made;
}
