// A minimal consumer: imports the package, starts the wallet's workers, and makes a request that needs one.
import { PasskeyManager } from 'latchkey';
import { sameOriginWallet } from 'latchkey/same-origin';

const result = document.querySelector('#result');
try {
  const config = {
    relayer: { url: 'http://localhost:9' },
    rpcUrl: 'http://localhost:9',
    logLevel: 'silent',
  };
  const manager = new PasskeyManager(config, { wallet: sameOriginWallet });
  await manager.init();
  const state = await manager.getLoginState();
  result.textContent = `ready: logged in ${state.isLoggedIn}`;
} catch (error) {
  result.textContent = `failed: ${error.code ?? ''} ${error.message}`;
}
