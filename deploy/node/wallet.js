// A wallet origin on Node. Its variables are in README.md; a bad one ends it with a sentence.

import { walletFolder } from 'latchkey-react/wallet';
import { walletSite } from 'latchkey-server/wallet';
import { walletFolder as filesOf, serveSite } from 'latchkey-server/wallet/node';

const { env } = process;
const list = (text) => (text ?? '').split(/[\s,]+/).filter((part) => part !== '');
const missing = ['RELAY_URL', 'ALLOWED_HOSTS'].filter((name) => list(env[name]).length === 0);
if (missing.length > 0) {
  console.error(`The wallet's origin cannot start without ${missing.join(' and ')}.`);
  process.exit(1);
}

const site = walletSite({
  config: {
    relayer: { url: env.RELAY_URL },
    allowedHosts: list(env.ALLOWED_HOSTS),
    ...(env.WEBAUTHN_CONTRACT_ID && { contractId: env.WEBAUTHN_CONTRACT_ID }),
    ...(env.NEAR_RPC_URL && { rpcUrl: list(env.NEAR_RPC_URL) }),
  },
  files: filesOf(walletFolder),
  crossOrigin: env.CROSS_ORIGIN || 'none',
  ...(env.RELATED_ORIGINS && { relatedOrigins: list(env.RELATED_ORIGINS) }),
});
const host = env.HOST || '127.0.0.1';
const { port, close } = await serveSite(site, Number(env.PORT || 5174), host).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
console.log(`wallet listening on http://${host}:${port}`);
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, close);
