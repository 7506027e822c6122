import { orOffline } from 'latchkey';

/** After this, a silent RPC counts as failed and the call goes to the next one. */
const TIMEOUT_MS = 10_000;

/** Calls a contract's view method, which takes no arguments and returns JSON, on the first RPC that answers. */
export async function viewCall(
  rpcUrls: readonly string[],
  contractId: string,
  method: string,
  timeoutMs = TIMEOUT_MS,
): Promise<unknown> {
  let failure: unknown;
  for (const url of rpcUrls) {
    try {
      return await viewCallOn(url, contractId, method, timeoutMs);
    } catch (error) {
      failure = error;
    }
  }
  throw orOffline(failure);
}

async function viewCallOn(
  url: string,
  contractId: string,
  method: string,
  timeoutMs: number,
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: method,
      method: 'query',
      params: {
        request_type: 'call_function',
        finality: 'final',
        account_id: contractId,
        method_name: method,
        args_base64: '',
      },
    }),
  });
  if (!response.ok) throw new Error(`RPC request failed: ${response.status} ${response.statusText}`);
  const answer: { result?: { result?: number[]; error?: string }; error?: { message?: string } } =
    await response.json();
  if (answer.error) throw new Error(answer.error.message);
  if (!answer.result?.result) throw new Error(answer.result?.error ?? 'Empty response from RPC server');
  return JSON.parse(new TextDecoder().decode(new Uint8Array(answer.result.result)));
}
