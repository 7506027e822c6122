import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A fault between a service and its caller. */
export type Fault =
  /** Closes the connection without an answer; forwards nothing. */
  | { kind: 'refuse' }
  /** Answers with this status; forwards nothing. */
  | { kind: 'status'; status: number; body?: unknown }
  /** Forwards after this delay. */
  | { kind: 'delay'; ms: number }
  /** Forwards once this resolves: see {@link FaultProxy.hold}. */
  | { kind: 'hold'; until: Promise<void> }
  /** Forwards, and discards the answer: the caller cannot know what happened. */
  | { kind: 'drop-answer' }
  /** Changes the request's JSON on the way. */
  | { kind: 'rewrite-request'; rewrite: (body: never) => unknown }
  /** Changes the answer's JSON on the way; also gets the request's body as text. */
  | { kind: 'rewrite-answer'; rewrite: (body: never, request: string) => unknown };

/** A node that lags: what asks for its newest block gets the one at this height. */
export const lagsAt = (height: () => number): Fault => ({
  kind: 'rewrite-request',
  rewrite: (body: { params: Record<string, unknown> }) => {
    const { finality, ...params } = body.params;
    return finality ? { ...body, params: { ...params, block_id: height() } } : body;
  },
});

/** One request that reached the proxy, except preflights. */
export interface Call {
  /** A JSON-RPC method (`send_tx`, `query:view_access_key`, `query:get_greeting`) or a path (`/vrf/apply-server-lock`). */
  name: string;
  /** Milliseconds since the epoch at which it arrived. */
  at: number;
  /** The request's body as text. */
  body: string;
  /** The answer's body; absent until it arrives, and if there is none. */
  status?: number;
}

export interface FaultOptions {
  /** Of the calls of that name, which ones the fault meets, by their bodies. Default: all. */
  readonly where?: (body: string) => boolean;
  /** The number of calls of that name to spare first. Default 0. */
  readonly skip?: number;
  /** Runs when such a call arrives. */
  readonly onMet?: () => void;
}

/** A proxy in front of one service that records calls and causes faults. */
export interface FaultProxy {
  readonly url: string;
  readonly calls: Call[];
  /**
   * Makes calls of this name fail (every call: '*'), until the returned function or `heal()` is called, or this many
   * of them have failed.
   */
  fail(name: string, fault: Fault, times?: number, options?: FaultOptions): () => void;
  /** Makes calls of this name wait until the returned function is called, which also ends the fault. */
  hold(name: string, times?: number, options?: FaultOptions): () => void;
  /** Ends every fault. The calls stay recorded. */
  heal(): void;
  close(): Promise<void>;
}

interface ActiveFault extends Pick<FaultOptions, 'onMet'> {
  readonly name: string;
  readonly fault: Fault;
  readonly where: (body: string) => boolean;
  left: number;
  skip: number;
}

/** Starts a proxy on a free port of 127.0.0.1 that forwards to `target`. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const calls: Call[] = [];
  let faults: ActiveFault[] = [];

  const server = createServer((request, response) => {
    forward(request, response).catch((error: unknown) => {
      if (!response.headersSent) answer(request, response, 502, { error: `proxy: ${String(error)}` });
      else response.destroy();
    });
  });

  function takeFault(name: string, body: string, preflight: boolean): Fault | undefined {
    const entry = faults.find(
      (other) =>
        other.left > 0 && (other.name === '*' || other.name === name) && (preflight || other.where(body)),
    );
    if (entry && entry.skip > 0) {
      if (!preflight) entry.skip -= 1;
      return undefined;
    }
    // A refused preflight is a refused call: the browser does not send the request itself.
    if (entry && (!preflight || entry.fault.kind === 'refuse')) {
      entry.left -= 1;
      entry.onMet?.();
    }
    return entry?.fault;
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = await bodyOf(request);
    const name = callName(request, body);
    const preflight = request.method === 'OPTIONS';
    const call: Call = { name, at: Date.now(), body: body.toString() };
    const fault = takeFault(name, call.body, preflight);
    if (!preflight) calls.push(call);

    if (fault?.kind === 'refuse') return void response.destroy();
    if (!preflight) {
      if (fault?.kind === 'status') {
        call.status = fault.status;
        return answer(request, response, fault.status, fault.body ?? { error: 'made by the test' });
      }
      if (fault?.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.ms));
      if (fault?.kind === 'hold') await fault.until;
      if (fault?.kind === 'rewrite-request') body = rewritten(body, fault.rewrite);
    }

    const upstream = await fetch(new URL(request.url ?? '/', target), {
      method: request.method ?? 'GET',
      headers: forwardedHeaders(request),
      ...(body.length > 0 ? { body } : {}),
    });
    let bytes = Buffer.from(await upstream.arrayBuffer());
    if (!preflight) {
      if (fault?.kind === 'drop-answer') return void response.destroy();
      if (fault?.kind === 'rewrite-answer') bytes = rewritten(bytes, fault.rewrite, call.body);
    }
    call.status = upstream.status;
    const headers = Object.fromEntries(
      [...upstream.headers].filter(([header]) => !HOP_BY_HOP.has(header) && !REMADE.has(header)),
    );
    // On a broken kept-alive connection the browser would silently repeat a request.
    response.writeHead(upstream.status, { ...headers, connection: 'close' });
    response.end(bytes);
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The proxy has no port.');

  const fail: FaultProxy['fail'] = (
    name,
    fault,
    times = Number.POSITIVE_INFINITY,
    { skip = 0, where = () => true, onMet } = {},
  ) => {
    const entry = { name, fault, left: times, skip, where, ...(onMet && { onMet }) };
    faults = [entry, ...faults];
    return () => {
      faults = faults.filter((other) => other !== entry);
    };
  };

  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    fail,
    hold(name, times, options) {
      let letGo: () => void = () => undefined;
      const until = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      const end = fail(name, { kind: 'hold', until }, times, options);
      return () => {
        end();
        letGo();
      };
    },
    heal() {
      faults = [];
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Whether a `send_tx` is of the n-th transaction that this function meets, or of a later one. A client sends the same
 * transaction again until a node shows it, so the number of calls says nothing.
 */
export function fromTransaction(nth: number): (body: string) => boolean {
  const met: unknown[] = [];
  return (body) => {
    const { params } = JSON.parse(body) as { params: { signed_tx_base64?: unknown } };
    if (!met.includes(params.signed_tx_base64)) met.push(params.signed_tx_base64);
    return met.indexOf(params.signed_tx_base64) >= nth - 1;
  };
}

/**
 * Without what only a slow machine makes the wallet ask: when a node takes long to answer a `send_tx`, the wallet looks
 * for the transaction and sends the same bytes again, which the chain executes once.
 */
export function withoutRepeats(calls: readonly Call[]): readonly Call[] {
  const sent = new Set<string>();
  const firsts = calls.filter((call) => {
    const bytes = bytesSent(call);
    if (bytes === undefined) return true;
    const isFirst = !sent.has(bytes);
    sent.add(bytes);
    return isFirst;
  });
  return firsts.length === calls.length ? calls : firsts.filter(({ name }) => name !== 'tx');
}

/** The signed transaction of a call that sends one. */
export function bytesSent({ name, body }: Call): string | undefined {
  if (name !== 'send_tx') return undefined;
  return (JSON.parse(body) as { params: { signed_tx_base64: string } }).params.signed_tx_base64;
}

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'host', 'expect']);
// fetch has already undone the encoding, and a rewrite changes the length.
const REMADE = new Set(['content-length', 'content-encoding']);

function forwardedHeaders(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers)
      .filter(([header]) => !HOP_BY_HOP.has(header) && !REMADE.has(header))
      .map(([header, value]) => [header, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

/** The proxy's own answer, readable by a page of any origin. */
function answer(request: IncomingMessage, response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'access-control-allow-origin': request.headers.origin ?? '*',
    connection: 'close',
  });
  response.end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function rewritten(
  bytes: Buffer,
  rewrite: (body: never, request: string) => unknown,
  request = '',
): Buffer<ArrayBuffer> {
  return Buffer.from(JSON.stringify(rewrite(JSON.parse(bytes.toString()) as never, request)));
}

interface JsonRpcCall {
  method?: string;
  params?: { request_type?: string; method_name?: string };
}

function callName(request: IncomingMessage, body: Buffer): string {
  const path = new URL(request.url ?? '/', 'http://proxy').pathname;
  if (path !== '/' || body.length === 0) return path;
  const { method, params } = JSON.parse(body.toString()) as JsonRpcCall;
  if (method !== 'query') return method ?? path;
  return `query:${params?.method_name ?? params?.request_type ?? 'unknown'}`;
}
