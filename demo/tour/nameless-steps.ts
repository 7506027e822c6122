// The tour's second part: an account without a name, from its passkey to another browser that has this passkey and nothing else.
import { actions } from 'near-api-js';
import {
  createNameless,
  joinAccount,
  recoverNameless,
  registerPasskey,
  scanAndConfirm,
  scannedCodeOf,
  showAddress,
  showLinkCode,
} from '../../tests/support/steps.js';
import { must, payAndSee, type Step, type Travellers } from './steps.js';

const NEAR = 10n ** 24n;

/** `first` and `second` share their passkeys. */
export function namelessSteps({ first, second, third, stack }: Omit<Travellers, 'username'>): Step[] {
  const { oracle } = stack;
  const network = first.page.context();
  let accountId = '';
  return [
    {
      title: 'Create offline',
      run: async () => {
        await first.page.waitForLoadState('networkidle');
        await network.setOffline(true);
        return `${await createNameless(first)}, whose address nobody sees yet`;
      },
    },
    {
      title: 'Prove offline',
      run: async () => {
        accountId = await showAddress(first.page);
        await network.setOffline(false);
        return `the passkey gave the same keys again: ${accountId}`;
      },
    },
    {
      title: 'Receive',
      run: async () => {
        await oracle.accountAs('testnet').signAndSendTransaction({
          receiverId: accountId,
          actions: [actions.transfer(NEAR)],
          waitUntil: 'FINAL',
        });
        const keys = await oracle.fullAccessKeys(accountId);
        must(keys.length === 1, `${accountId} has ${keys.length} keys.`);
        return `1 NEAR made the account, which holds ${keys[0]}`;
      },
    },
    { title: 'Pay from it', run: () => payAndSee(first, stack, accountId) },
    {
      title: 'Recover elsewhere',
      run: async () => {
        const recovered = await recoverNameless(second);
        must(recovered === accountId, `The passkey opened ${recovered}, not ${accountId}.`);
        return `${accountId} is open in a browser that knew nothing of it`;
      },
    },
    { title: 'Pay from there', run: () => payAndSee(second, stack, accountId) },
    {
      title: 'Register the passkey',
      run: async () => {
        await registerPasskey(first);
        const [record, ...others] = await oracle.authenticators(accountId);
        must(record !== undefined && others.length === 0, `The registry has ${others.length + 1} records.`);
        return `the registry has the passkey as device ${record?.[1].device_number}`;
      },
    },
    {
      title: 'Link another device',
      run: async () => {
        const other = await third();
        const image = await showLinkCode(other);
        const shown = await scannedCodeOf(other);
        await first.see(image);
        const compared = await scanAndConfirm(first);
        must(compared === shown, `One device shows ${shown}, the other ${compared}.`);
        await joinAccount(other, accountId);
        const keys = await oracle.fullAccessKeys(accountId);
        must(keys.length === 2, `${accountId} has ${keys.length} keys.`);
        return `both showed ${shown}; ${accountId} has 2 keys`;
      },
    },
  ];
}
