// A dapp's page: its button asks the wallet at `?wallet=` for an account, by a window.
import { createWindowWallet } from 'latchkey/connect';

const wallet = createWindowWallet({
  walletOrigin: new URLSearchParams(location.search).get('wallet') ?? '',
});
document.querySelector('button')?.addEventListener('click', () => {
  void wallet.connect().then(console.log, console.log);
});
