// The page that a phone opens first, over plain HTTP: it hands out the authority's certificate and leads to the demo.
import { createServer } from 'node:http';
import { AUTHORITY_NAME } from './authority.js';

export interface StartPage {
  readonly url: string;
  close(): Promise<void>;
}

export interface StartPageOptions {
  readonly name: string;
  /** It listens there on every interface. */
  readonly port: number;
  /** The authority's certificate, DER. */
  readonly certificate: Uint8Array;
  /** The demo's origin, https. */
  readonly appOrigin: string;
}

/** Serves the page at `/` and the certificate at `/ca.crt`. */
export async function serveStartPage(options: StartPageOptions): Promise<StartPage> {
  const { name, port, certificate, appOrigin } = options;
  const page = startPage(name, appOrigin);
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src ${appOrigin}`;
  const server = createServer((request, response) => {
    response.setHeader('cache-control', 'no-store');
    response.setHeader('x-content-type-options', 'nosniff');
    if (request.url === '/ca.crt') {
      response.writeHead(200, { 'content-type': 'application/x-x509-ca-cert' }).end(certificate);
    } else if (request.url === '/') {
      const type = 'text/html; charset=utf-8';
      response.writeHead(200, { 'content-type': type, 'content-security-policy': policy }).end(page);
    } else {
      response.writeHead(404).end('Not found\n');
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, resolve);
  });
  return {
    url: `http://${name}:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A phone that trusts the certificate goes on by itself. */
const startPage = (name: string, appOrigin: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Latchkey on this phone</title>
<style>
  :root { color-scheme: light dark; font: 17px/1.5 system-ui, sans-serif }
  body { max-width: 34rem; margin: 0 auto; padding: 1.5rem }
  li { margin-block: 1rem }
</style>
<h1>Latchkey on this phone</h1>
<p>This phone does not trust <strong>${name}</strong> yet. Two steps change that; you do them once.</p>
<ol>
  <li><a href="/ca.crt">Get the certificate</a> and allow the download. Then open Settings › General › VPN &amp; Device
    Management, and install the profile “${AUTHORITY_NAME}”.</li>
  <li>Open Settings › General › About › Certificate Trust Settings, and switch “${AUTHORITY_NAME}” on.</li>
</ol>
<p><a href="${appOrigin}/">Open the demo</a></p>
<p>The certificate can vouch for ${name} alone. Remove the profile when you are done.</p>
<script>
  // Fails until the phone trusts the certificate.
  fetch('${appOrigin}/', { mode: 'no-cors' }).then(() => location.replace('${appOrigin}/'), () => undefined);
</script>
</html>
`;
