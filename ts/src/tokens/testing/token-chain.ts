/** A node with tokens whose answers a test chooses, over HTTP. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a contract's view returns, or the text that it panics with. */
export type View = (args: Readonly<Record<string, string>>) => unknown;
export type Contract = Readonly<Record<string, View>>;

const HASH = '1'.repeat(32);
const DEPOSIT = '1250000000000000000000';

export const panic =
  (text: string): View =>
  () => {
    throw new Error(text);
  };

/** A token of near-contract-standards, with these balances. Accounts without one are not registered. */
export const token = (metadata: object, balances: Readonly<Record<string, string>> = {}): Contract => ({
  ft_metadata: () => ({ spec: 'ft-1.0.0', name: 'Test coin', symbol: 'TEST', decimals: 2, ...metadata }),
  ft_balance_of: ({ account_id: id = '' }) => balances[id] ?? '0',
  storage_balance_of: ({ account_id: id = '' }) =>
    id in balances ? { total: DEPOSIT, available: '0' } : null,
  storage_balance_bounds: () => ({ min: DEPOSIT, max: DEPOSIT }),
});

export async function startTokenChain(contracts: Readonly<Record<string, Contract>>) {
  const asked: string[] = [];
  /** Of the one account: its NEAR, the nonce of its key, and the block that answers come from. */
  const state = { amount: '0', nonce: 1, height: 10 };
  const answerOf = (params: Readonly<Record<string, string>>): object => {
    const block = { block_height: state.height, block_hash: HASH };
    switch (params.request_type) {
      case 'view_account':
        return { ...block, amount: state.amount, locked: '0', code_hash: HASH, storage_usage: 182 };
      case 'view_access_key_list': {
        const access_key = { nonce: state.nonce, permission: 'FullAccess' };
        return { ...block, keys: [{ public_key: 'ed25519:k', access_key }] };
      }
      default:
        return { ...block, ...viewed(params) };
    }
  };
  const viewed = ({ account_id: id = '', method_name: method = '', args_base64: args = '' }): object => {
    asked.push(`${id}.${method}`);
    const view = contracts[id]?.[method];
    const failed = (reason: string) => ({ error: `wasm execution failed with error: ${reason}`, logs: [] });
    if (!view) return failed('MethodResolveError(MethodNotFound)');
    try {
      const value = view(JSON.parse(Buffer.from(args, 'base64').toString()));
      return { result: [...Buffer.from(JSON.stringify(value))], logs: [] };
    } catch (error) {
      return failed(`HostError(GuestPanic { panic_msg: ${JSON.stringify(String(error))} })`);
    }
  };
  const url = await serve(async (body, response) => {
    const { params } = JSON.parse(body);
    response.end(JSON.stringify({ jsonrpc: '2.0', id: '1', result: answerOf(params) }));
  });
  return { nodes: { rpcUrls: [url], rpcAgreement: 1 }, asked, state };
}

/** An indexer that gives every question this answer. */
export async function startIndexer(answer: (path: string, response: ServerResponse) => void) {
  const paths: string[] = [];
  const url = await serve(async (_body, response, path) => {
    paths.push(path);
    answer(path, response);
  });
  return { url, paths };
}

async function serve(
  answer: (body: string, response: ServerResponse, path: string) => Promise<void>,
): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    await answer(body, response, request.url ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
