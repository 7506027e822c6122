import { walletAssets, walletSite } from 'latchkey/server/wallet';

let site;

export default {
  fetch(request, env, context) {
    site ??= walletSite({
      config: {
        relayer: { url: env.RELAY_URL },
        rpcUrl: env.NEAR_RPC_URL,
        contractId: 'w3a-v1.testnet',
        allowedHosts: ['https://app.example'],
      },
      files: walletAssets(env.ASSETS),
    });
    const answer = site(request);
    // The registry's list is shared by all who wait for it: it is read also when the first of them goes away.
    context.waitUntil(answer);
    return answer;
  },
};
