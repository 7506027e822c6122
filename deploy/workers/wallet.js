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
    // All waiting requests share one read of the registry's list, so the read outlives the first of them.
    context.waitUntil(answer);
    return answer;
  },
};
