// The steps of the tour, and what each one proves on the chain.
import { KeyPair } from 'near-api-js';
import { REGISTRY, RELAYER } from '../../dev/services/services.js';
import type { Device } from '../../tests/support/device.js';
import type { LocalStack } from '../../tests/support/local-stack.js';
import {
  checkCodeIn,
  closeKeyViewer,
  confirmDialog,
  continueToKey,
  forgetEverything,
  joinAccount,
  listDevices,
  logIn,
  logOut,
  openKeyViewer,
  pay,
  recover,
  register,
  revealKey,
  scanAndConfirm,
  scannedCodeOf,
  sendBatch,
  setGreeting,
  showLinkCode,
  signMessage,
} from '../../tests/support/steps.js';
import { accountOf } from '../../tests/support/wallet.js';

/** A step's proof in a few words: an account, a transaction id. */
export type Proof = string;

export interface Step {
  title: string;
  run(): Promise<Proof>;
}

/** Two devices of one account that share only the chain. */
export interface Travellers {
  first: Device;
  second: Device;
  /** Opens another one, with passkeys of its own. */
  third: () => Promise<Device>;
  stack: LocalStack;
  username: string;
}

const GREETING = 'Hello from a passkey';
/** Of the first page's second step. */
const PAID_YOCTO = 10n ** 21n;
const BATCH = [
  { recipient: RELAYER, near: '0.001' },
  { recipient: REGISTRY, near: '0.002' },
  { recipient: RELAYER, near: '0.003' },
];
const BATCH_YOCTO = 6n * 10n ** 21n;

export function steps({ first, second, stack, username }: Omit<Travellers, 'third'>): Step[] {
  const accountId = accountOf(username);
  const { oracle } = stack;

  async function greet(device: Device, text: string): Promise<Proof> {
    const transactionId = await setGreeting(device, text);
    const { succeeded } = await oracle.transaction(transactionId, accountId);
    must(succeeded, `Transaction ${transactionId} failed.`);
    const greeting = await oracle.greeting();
    must(greeting.includes(text), `The chain says '${greeting}', not '${text}'.`);
    return `the chain says '${greeting}'; transaction ${transactionId}`;
  }

  return [
    {
      title: 'Register',
      run: async () => {
        const transactionId = await register(first, username);
        const keys = await oracle.fullAccessKeys(accountId);
        must(keys.length === 1, `${accountId} has ${keys.length} keys.`);
        return `${accountId} holds ${keys[0]}; transaction ${transactionId}`;
      },
    },
    { title: 'Log out', run: async () => logOut(first).then(() => 'the session is closed') },
    {
      title: 'Log in silently',
      run: async () => logIn(first, username).then(() => 'the server lock opened the session'),
    },
    {
      title: 'Log in, relay down',
      run: async () => {
        await logOut(first);
        stack.relay.fail('*', { kind: 'refuse' });
        await logIn(first, username);
        stack.relay.heal();
        return 'the passkey opened the session';
      },
    },
    { title: 'Pay', run: () => payAndSee(first, stack, accountId) },
    { title: 'Set the greeting', run: () => greet(first, GREETING) },
    {
      title: 'Sign a message',
      run: async () => {
        const signed = await signMessage(first, 'This account is mine.');
        await oracle.verifyMessage(signed);
        return `near-api-js verified ${signed.signature.slice(0, 16)}… of ${signed.publicKey}`;
      },
    },
    {
      title: 'Send a batch',
      run: async () => {
        const before = await oracle.balance(accountId);
        const sent = await sendBatch(first, BATCH);
        const ids = sent.map((text) => /\b\w{43,44}\b/.exec(text)?.[0] ?? '');
        for (const id of ids)
          must((await oracle.transaction(id, accountId)).succeeded, `Transaction ${id} failed.`);
        const paid = before - (await oracle.balance(accountId));
        must(paid >= BATCH_YOCTO, `${accountId} paid ${paid} yoctoNEAR only.`);
        return `${ids.length} transfers, 1 confirmation; transactions ${ids.join(' ')}`;
      },
    },
    {
      title: 'Recover by name',
      run: async () => {
        await forgetEverything(first);
        await recover(first, username);
        return `${accountId} is back in a browser that knew nothing of it`;
      },
    },
    {
      title: 'Recover by passkey',
      run: async () => {
        await forgetEverything(first);
        await recover(first, username, '');
        return 'the passkey named its account';
      },
    },
    {
      title: 'Link a device',
      run: async () => {
        const image = await showLinkCode(second);
        const shown = await scannedCodeOf(second);
        await first.see(image);
        const compared = await scanAndConfirm(first);
        must(compared === shown, `One device shows ${shown}, the other ${compared}.`);
        const asked = await checkCodeIn(confirmDialog(second.page));
        must(asked === shown, `The second device showed ${shown} and asks for ${asked}.`);
        await joinAccount(second, username);
        const keys = await oracle.fullAccessKeys(accountId);
        must(keys.length === 2, `${accountId} has ${keys.length} keys.`);
        return `through the camera; both showed ${shown}; ${accountId} has 2 keys`;
      },
    },
    { title: 'Sign on the second', run: () => greet(second, 'Hello from the second device') },
    {
      title: 'List the devices',
      run: async () => {
        const [here, there] = [await listDevices(first), await listDevices(second)];
        must(here.length === 2 && there.length === 2, `Listed: ${here} and ${there}.`);
        return `the first shows ${here.join(', ')}; the second ${there.join(', ')}`;
      },
    },
    {
      title: 'Export the key',
      run: async () => {
        await first.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        const viewer = await openKeyViewer(first);
        const warning = await viewer.getByRole('dialog').innerText();
        must(warning.includes('Give it to nobody.'), 'The viewer did not warn.');
        await continueToKey(viewer);
        // The key itself is never printed and in no picture.
        const key = await revealKey(viewer);
        await viewer.getByRole('button', { name: 'Copy' }).click();
        await viewer.getByRole('status').filter({ hasText: 'Copied.' }).waitFor();
        const copied = await first.page.evaluate(() => navigator.clipboard.readText());
        must(copied === key, 'The clipboard has something else than the viewer.');
        await closeKeyViewer(first.page, 'Done');
        const publicKey = KeyPair.fromString(key as `ed25519:${string}`)
          .getPublicKey()
          .toString();
        must((await oracle.fullAccessKeys(accountId)).includes(publicKey), 'It is no key of the account.');
        return `warned, shown, copied, gone; it is the key of ${publicKey}, and not printed`;
      },
    },
  ];
}

/** Pays on the first page. */
export async function payAndSee(device: Device, { oracle }: LocalStack, accountId: string): Promise<Proof> {
  const before = await oracle.balance(REGISTRY);
  const transactionId = await pay(device);
  const { succeeded } = await oracle.transaction(transactionId, accountId);
  must(succeeded, `Transaction ${transactionId} failed.`);
  const received = (await oracle.balance(REGISTRY)) - before;
  must(received >= PAID_YOCTO, `${REGISTRY} received ${received} yoctoNEAR only.`);
  return `0.001 NEAR to ${REGISTRY}; transaction ${transactionId}`;
}

export function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}
