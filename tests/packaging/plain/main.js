// A minimal host: connects to the wallet and sends it one request.
import { PasskeyManager } from 'latchkey';

const result = document.querySelector('#result');
try {
  const manager = new PasskeyManager({
    relayer: { url: 'http://localhost:9' },
    iframeWallet: { walletOrigin: new URLSearchParams(location.search).get('wallet') },
  });
  // Resolves when the wallet has said READY.
  await manager.preload();
  const { accountIds } = await manager.getRecentLogins();
  result.textContent = `ready: ${accountIds.length} accounts`;
} catch (error) {
  result.textContent = `failed: ${error.code ?? error}`;
}
