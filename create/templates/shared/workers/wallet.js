import { walletAssets, walletSite } from 'latchkey-server/wallet';

let site;

export default {
  fetch(request, env, context) {
    site ??= walletSite({
      config: {
        relayer: { url: env.RELAY_URL },
        rpcUrl: env.NEAR_RPC_URL,
        contractId: env.WEBAUTHN_CONTRACT_ID,
        allowedHosts: env.ALLOWED_HOSTS.split(','),
      },
      files: walletAssets(env.ASSETS),
    });
    const answer = site(request);
    // All waiting requests share one read of the registry's list, so the read outlives the first of them.
    context.waitUntil(answer);
    return answer;
  },
};
