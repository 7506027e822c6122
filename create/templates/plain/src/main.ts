import { PasskeyManager, parseNear } from 'latchkey';

const env = import.meta.env;
const status = find<HTMLElement>('[role=status]');
const names = ['VITE_RELAY_URL', 'VITE_WALLET_ORIGIN', 'VITE_NEAR_RPC_URL', 'VITE_CONTRACT_ID'] as const;
const missing = names.filter((name) => !env[name]);
if (missing.length > 0) {
  status.textContent = `${missing.join(', ')}: not set. Copy .env.example to .env, then start again.`;
  throw new Error(status.textContent);
}
const wallet = new PasskeyManager({
  relayer: { url: env.VITE_RELAY_URL },
  rpcUrl: env.VITE_NEAR_RPC_URL.split(','),
  contractId: env.VITE_CONTRACT_ID,
  iframeWallet: { walletOrigin: env.VITE_WALLET_ORIGIN },
});

const account = find<HTMLFormElement>('#account');
const payment = find<HTMLFormElement>('#payment');
let nearAccountId = '';

function find<E extends Element>(selector: string): E {
  const found = document.querySelector<E>(selector);
  if (!found) throw new Error(`index.html has no element ${selector}`);
  return found;
}

/** Shows the payments of this account, or the login for none. */
function show(id: string): void {
  nearAccountId = id;
  account.hidden = id !== '';
  payment.hidden = id === '';
  find('h1').textContent = `Hello, ${id}`;
}

const field = (form: HTMLFormElement, name: string) => String(new FormData(form).get(name));

account.addEventListener('submit', async (event) => {
  event.preventDefault();
  const id = `${field(account, 'username')}.${env.VITE_CONTRACT_ID}`;
  const isNew = event.submitter?.getAttribute('value') === 'register';
  status.textContent = '';
  const result = isNew ? await wallet.registerPasskey(id) : await wallet.loginPasskey(id);
  if (result.success) show(id);
  else status.textContent = result.error ?? 'Not logged in';
});

payment.addEventListener('submit', async (event) => {
  event.preventDefault();
  status.textContent = 'Sending…';
  const result = await wallet.executeAction({
    nearAccountId,
    receiverId: field(payment, 'receiver'),
    actionArgs: { type: 'Transfer', amount: parseNear('0.001') },
  });
  status.textContent = result.success ? `Sent in ${result.transactionId}` : (result.error ?? 'Not sent');
});

find('#logout').addEventListener('click', async () => {
  await wallet.logoutAndClearVrfSession();
  show('');
});
