// TLS in front of a service of this machine, for the other devices of its network.
import { Agent, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { pipeline } from 'node:stream';
import type { ServerCertificate } from './authority.js';

export interface TlsFront {
  /** `https://<name>:<port>` */
  readonly origin: string;
  close(): Promise<void>;
}

export interface TlsFrontOptions {
  /** The only host that it answers to. */
  readonly name: string;
  /** It listens there on every interface. */
  readonly port: number;
  /** The port of the service, at localhost. */
  readonly target: number;
  readonly certificate: ServerCertificate;
  /** The name of a folder whose files it never hands out: a development server serves what lies in its project. */
  readonly hiddenFolder?: string;
}

/** The origin of a front. */
export const httpsOrigin = (name: string, port: number): string => new URL(`https://${name}:${port}`).origin;

/**
 * Forwards requests for `https://<name>:<port>` and keeps their Host header. Refuses any other (421): a peer that named
 * `localhost` would reach what a service keeps for this machine, such as the chain's admin route.
 */
export async function startTlsFront(options: TlsFrontOptions): Promise<TlsFront> {
  const { name, port, target, certificate, hiddenFolder } = options;
  const { origin, host } = new URL(httpsOrigin(name, port));
  // A connection for each request: one that is kept may end under the next.
  const agent = new Agent({ keepAlive: false });
  const forward = (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers.host?.toLowerCase() !== host) {
      return void response.writeHead(421).end(`This server is ${host}.\n`);
    }
    const { method, url, headers } = request;
    if (hiddenFolder !== undefined && isNamed(hiddenFolder, url ?? '')) {
      return void response.writeHead(403).end(`${hiddenFolder} is for this machine alone.\n`);
    }
    const onward = ask({
      agent,
      host: 'localhost',
      port: target,
      method,
      path: url,
      headers: endToEnd(headers),
    });
    onward.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
      pipeline(answer, response, () => undefined);
    });
    onward.once('error', () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end('The service does not answer.\n');
    });
    response.once('close', () => onward.destroy());
    request.pipe(onward);
  };
  const server = createServer({ ...certificate, minVersion: 'TLSv1.2' }, forward);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, resolve);
  });
  return {
    origin,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'proxy-connection']);

/** The headers that are not for the next hop alone (RFC 9110, 7.6.1). */
const endToEnd = (headers: IncomingMessage['headers']): IncomingMessage['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([header]) => !HOP_BY_HOP.has(header)));

/** Whether an address has this name anywhere, however often it is encoded, in upper or lower case. */
function isNamed(name: string, url: string): boolean {
  // Byte by byte, so that an encoding that is not whole hides nothing.
  const decoded = (text: string) =>
    text.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  let text = url;
  while (decoded(text) !== text) text = decoded(text);
  return text.toLowerCase().includes(Buffer.from(name).toString('latin1').toLowerCase());
}
