/** Stands between the relay and the chain, counts what passes, and does to it what a bad network would. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ProxiedCall {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** `refuse`: never reaches the chain. `lose`: reaches it, and its answer is lost. A function: changes the answer. */
export type Fault = 'refuse' | 'lose' | ((result: Record<string, unknown>) => unknown);

export interface FaultProxy {
  readonly url: string;
  /** Every call since the start or the last `reset`. */
  readonly calls: ProxiedCall[];
  /** Says what happens to a call; by default nothing does. */
  fault: (call: ProxiedCall) => Fault | undefined;
  reset(): void;
  stop(): Promise<void>;
}

export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const proxy: FaultProxy = {
    url: '',
    calls: [],
    fault: () => undefined,
    reset() {
      proxy.calls.length = 0;
      proxy.fault = () => undefined;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const call = JSON.parse(body) as ProxiedCall;
    proxy.calls.push(call);
    const fault = proxy.fault(call);
    if (fault === 'refuse') return void request.socket.destroy();
    const answer = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const text = await answer.text();
    if (fault === 'lose') return void request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    if (!fault) return void response.end(text);
    const envelope = JSON.parse(text) as { result: Record<string, unknown> };
    response.end(JSON.stringify({ ...envelope, result: fault(envelope.result) }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(proxy, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
