// The places of an attack: a page that frames the wallet, on hosts of every kind around one wallet origin.
import { fileURLToPath } from 'node:url';
import { walletFolder } from 'latchkey-react/vite';
import { walletSite } from 'latchkey-server/wallet';
import { walletFolder as filesOf, serveSite } from 'latchkey-server/wallet/node';
import { REGISTRY } from '../../../dev/services/services.js';
import type { LocalStack } from '../../support/local-stack.js';

/** The host that the wallet's operator lets hand in the code of a new device. */
export const LINK_CODE_HOST = 'shop.app.localhost';

/** Origins; `at` makes more of them. */
export interface Places {
  /** Any origin that serves the attack host's page. */
  at(name: string): string;
  /** A host that the registry lists, and that may hand in the code of a new device. */
  shop: string;
  /** Another listed host on the same site: the browser gives both the same wallet storage. */
  neighbour: string;
  /** A listed host on another site: the wallet's storage there is separate, as on another device. */
  elsewhere: string;
  wallet: string;
  /** The wallet from a server that lets every page frame it: only the page can refuse a host. */
  unguarded: string;
}

/** Serves the attack host's page and the unguarded wallet, and lists the honest hosts. */
export async function servePlaces(stack: LocalStack): Promise<{ places: Places; close(): Promise<void> }> {
  await stack.addPage(fileURLToPath(new URL('./', import.meta.url)), 'attack');
  const { port } = new URL(stack.appUrl);
  const at = (name: string): string => `http://${name}:${port}`;
  const [shop, neighbour, elsewhere] = [at(LINK_CODE_HOST), at('evil.app.localhost'), at('phone.localhost')];
  for (const host of [shop, neighbour, elsewhere]) await stack.oracle.allowHost(host);
  const { url, close } = await serveUnguarded(stack);
  const wallet = stack.walletOrigin ?? '';
  return { places: { at, shop, neighbour, elsewhere, wallet, unguarded: url }, close };
}

// A static host lists at most 50 pages that may frame the wallet; the registry may have removed some since.
async function serveUnguarded(stack: LocalStack): Promise<{ url: string; close(): Promise<void> }> {
  const site = walletSite({
    config: { relayer: { url: stack.relay.url }, rpcUrl: stack.chain.url, contractId: REGISTRY },
    files: filesOf(walletFolder),
  });
  const { port, close } = await serveSite(async (request) => {
    const { pathname } = new URL(request.url);
    const answer = await site(
      pathname === '/service/' ? new Request(new URL(pathname, request.url)) : request,
    );
    const headers = new Headers(answer.headers);
    const policy = headers.get('content-security-policy') ?? '';
    headers.set('content-security-policy', policy.replace("frame-ancestors 'none'", 'frame-ancestors *'));
    return new Response(answer.body, { status: answer.status, headers });
  }, 0);
  return { url: `http://wallet.localhost:${port}`, close };
}
