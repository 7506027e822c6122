import { latchkeyWallet } from 'latchkey-react/vite';

const config = {
  relayer: { url: 'https://relay.example' },
  rpcUrl: 'http://localhost:9',
  allowedHosts: ['https://app.example'],
};

export default { plugins: [latchkeyWallet({ config })] };
