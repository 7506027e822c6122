/**
 * An HTTP proxy between WebKit and everything it loads. WebKitGTK has no WebAuthn and its driver runs no script before
 * a page's own, so the proxy puts one first in every HTML document, and answers its questions:
 *
 * - software passkeys stand in navigator.credentials of page, frame and window;
 * - what a document reports (console errors, uncaught errors, rejections, policy violations) is kept.
 */
import { readFileSync } from 'node:fs';
import {
  Agent,
  createServer,
  request as forward,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { type Asked, type Ceremony, SoftwarePasskeys } from '../../dev/authenticators/software-passkeys.js';

/** Paths of the proxy itself, on every origin: a policy's 'self' covers them. */
const SCRIPT_PATH = '/__test/first.js';
const REPORTS_PATH = '/__test/reports';

const sourceOf = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const FIRST_SCRIPTS = [
  'collect-reports.page.js',
  'credentials.page.js',
  '../../dev/authenticators/software-passkeys.page.js',
];

export interface Proxy {
  readonly url: string;
  readonly passkeys: SoftwarePasskeys;
  /** What documents reported: `origin kind: text`. */
  readonly reports: readonly string[];
  stop(): Promise<void>;
}

/** Starts it. Without `hasFrameStorage`, documents in frames may store nothing. */
export async function startProxy(hasFrameStorage = true): Promise<Proxy> {
  const firstScript = [...FIRST_SCRIPTS, ...(hasFrameStorage ? [] : ['refuse-frame-storage.page.js'])]
    .map(sourceOf)
    .join('\n');
  // A connection that is kept may end just as it is used again, which the browser would take for a failure of the server.
  const agent = new Agent({ keepAlive: false });
  const passkeys = new SoftwarePasskeys();
  const reports: string[] = [];

  const answerItself = async (
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    if (url.pathname === SCRIPT_PATH) {
      response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-store' });
      response.end(firstScript);
      return;
    }
    const asked = JSON.parse(await textOf(request)) as Record<string, unknown>;
    if (url.pathname === REPORTS_PATH) {
      reports.push(`${url.origin} ${asked.report}`);
      response.writeHead(204).end();
      return;
    }
    const { kind, isFramed, isActivated, options } = asked as Omit<Ceremony, 'origin'> & { options: Asked };
    response.writeHead(200, { 'content-type': 'application/json' });
    const place = { origin: url.origin, isFramed, ...(isActivated !== undefined && { isActivated }) };
    response.end(JSON.stringify(passkeys.answer(kind, place, options)));
  };

  const pass = (url: URL, request: IncomingMessage, response: ServerResponse): void => {
    // Node resolves no names below localhost, and the test's servers listen there.
    const host = url.hostname.endsWith('localhost') ? 'localhost' : url.hostname;
    // Unconditional and unencoded, so that the script can be put in.
    const headers = { ...request.headers, host: url.host, 'accept-encoding': 'identity' };
    const onward = forward(
      { agent, host, port: url.port, path: url.pathname + url.search, method: request.method, headers },
      (answer) => {
        passBack(answer, response).catch(() => response.destroy());
      },
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  };

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/');
    if (!url.pathname.startsWith('/__test/')) return pass(url, request, response);
    answerItself(url, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passkeys,
    reports,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Passes on an answer, with the script in an HTML document. Rejects where its server breaks it off. */
async function passBack(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  const { statusCode = 502, headers } = answer;
  if (!/^text\/html/.test(headers['content-type'] ?? '')) {
    response.writeHead(statusCode, headers);
    return pipeline(answer, response);
  }
  const html = await textOf(answer);
  const { 'content-length': _length, etag: _etag, ...rest } = headers;
  response.writeHead(statusCode, { ...rest, 'cache-control': 'no-store' });
  response.end(withScript(html));
}

const withScript = (html: string): string =>
  html.replace(/<head[^>]*>|^(?!.*<head)/is, (start) => `${start}<script src="${SCRIPT_PATH}"></script>`);

async function textOf(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
