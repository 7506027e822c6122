// The smallest host: a wallet in a frame, and one call.
import { PasskeyManager } from 'latchkey';

const wallet = new PasskeyManager({
  relayer: { url: 'https://relay.example' },
  iframeWallet: { walletOrigin: 'https://wallet.example' },
});
document.querySelector('button').onclick = () => wallet.registerPasskey('alice.w3a-v1.testnet');
