// A recovery phrase that is refused, or whose transactions are lost. The user writes the words down, and types what is on paper.
import { base64 } from '@scure/base';
import { generateSeedPhrase, parseSeedPhrase } from 'near-seed-phrase';
import { withinPassing } from '../faults/steps.js';
import { fromTransaction } from '../support/fault-proxy.js';
import type { AccountElsewhere } from '../support/oracle.js';
import { accountOf, test as base, expect, pay, type Wallet } from './wallet.js';

const YOCTO_PER_BYTE = 10n ** 19n;
/** Less than a further key stores. */
const FEE = 2n * 10n ** 20n;

const test = base.extend<{ elsewhere: AccountElsewhere; empty: Wallet }>({
  /** A browser without an account, whose user has the words of `elsewhere` on paper. */
  empty: async ({ open }, use) => use(await open()),
  /** An account that another wallet made and gave a recovery phrase. */
  elsewhere: async ({ stack, username, empty }, use) => {
    const { seedPhrase, publicKey } = generateSeedPhrase();
    const made = await stack.oracle.makeAccountElsewhere(username, undefined, [publicKey]);
    empty.facade.paper.typed = seedPhrase;
    await use(made);
  },
});

const restored = ({ manager }: Wallet, nearAccountId: string) => manager.recoverWithPhrase({ nearAccountId });

const added = ({ manager, accountId: nearAccountId }: Wallet) => manager.addRecoveryKey({ nearAccountId });

test('recovery phrases are off unless the configuration allows them, and the error says how', async ({
  open,
  username,
}) => {
  const wallet = await open({ config: { keyExport: undefined } });
  await wallet.register(accountOf(username));
  for (const result of [await added(wallet), await wallet.manager.recoverWithPhrase()]) {
    expect(result).toMatchObject({ success: false, errorCode: 'RECOVERY_PHRASE_OFF', publicKey: null });
    expect(result.error).toContain('keyExport: { sameOrigin: true }');
  }
});

test('a refusal after the words were written down tells that they open nothing', async ({
  wallet,
  stack,
}) => {
  const before = await stack.oracle.fullAccessKeys(wallet.accountId);
  wallet.decision = 'cancel';
  const refused = await added(wallet);
  expect(wallet.facade.paper.written).toHaveLength(1);
  expect(refused).toMatchObject({ success: false, errorCode: 'RECOVERY_KEY_NOT_ADDED' });
  expect(refused.error).toContain('The words that you wrote down open nothing');
  expect(await stack.oracle.fullAccessKeys(wallet.accountId)).toEqual(before);
});

test('an AddKey whose answer is lost is named in doubt, with the words to keep, and the list shows its key', async ({
  wallet,
  expectedConsole,
}) => {
  expectedConsole.push(/^warning:/);
  for (const node of wallet.nodes) {
    const onMet = () => void wallet.fail('*', { kind: 'refuse' });
    node.fail('send_tx', { kind: 'drop-answer' }, 1, { onMet });
  }
  const result = await added(wallet);
  const { publicKey } = parseSeedPhrase(wallet.facade.paper.written[0] ?? '');
  expect(result).toMatchObject({ success: false, errorCode: 'RECOVERY_KEY_IN_DOUBT', publicKey });
  expect(result.error).toContain(
    `Keep the words. They open the account once its list of devices shows the recovery key ${publicKey}`,
  );
  wallet.heal();
  expect(await wallet.manager.getLinkedDevices(wallet.accountId)).toMatchObject({
    recoveryKeys: [publicKey],
  });
});

test('a page that ends between the AddKey and the registration continues with the same words and the same passkey', async ({
  empty,
  elsewhere: { accountId },
  stack,
  expectedConsole,
}) => {
  expectedConsole.push(/^warning:/);
  // The AddKey passes, the registration does not.
  const where = fromTransaction(2);
  const isMet = new Promise<void>((onMet) => {
    for (const node of empty.nodes) node.fail('send_tx', { kind: 'refuse' }, undefined, { where, onMet });
  });
  void restored(empty, accountId);
  await isMet;
  expect(await stack.oracle.fullAccessKeys(accountId)).toHaveLength(3);
  empty.reload();
  empty.heal();

  const before = empty.prompts.length;
  expect(await restored(empty, accountId)).toMatchObject({ success: true, deviceNumber: 1 });
  // The journal had the signed registration, so the passkey is asked at the login alone.
  expect(await empty.manager.loginPasskey(accountId)).toMatchObject({ success: true });
  expect(empty.prompts.slice(before)).toEqual(['get']);
  expect(await stack.oracle.fullAccessKeys(accountId)).toHaveLength(3);
  expect(await stack.oracle.authenticators(accountId)).toHaveLength(1);
});

test('an AddKey of the phrase that reaches no node is named in doubt after a minute, and the same words finish it', async ({
  empty,
  elsewhere: { accountId },
  stack,
  expectedConsole,
}) => {
  expectedConsole.push(/^warning:/);
  const keys = await stack.oracle.fullAccessKeys(accountId);
  empty.fail('send_tx', { kind: 'refuse' });
  let result: Awaited<ReturnType<typeof restored>> | undefined;
  void restored(empty, accountId).then((ended) => {
    result = ended;
  });
  await withinPassing(empty.clock, 60_000, async () => result !== undefined);
  expect(result).toMatchObject({ success: false, errorCode: 'RECOVERY_PHRASE_IN_DOUBT' });
  for (const part of [
    `It is not known yet whether ${accountId} has the key of the new passkey.`,
    'The account is safe, and the words still open it.',
    'Try again with the same words: no second passkey is needed.',
  ])
    expect(result?.error).toContain(part);
  expect(await stack.oracle.fullAccessKeys(accountId)).toEqual(keys);

  empty.heal();
  expect(await restored(empty, accountId)).toMatchObject({ success: true, deviceNumber: 1 });
  expect(empty.prompts.filter((kind) => kind === 'create')).toHaveLength(1);
  expect(await stack.oracle.fullAccessKeys(accountId)).toHaveLength(keys.length + 1);
});

test('a new passkey that the account cannot pay for is not even made, and one that the chain refuses is dropped', async ({
  empty,
  elsewhere: { account, accountId },
  stack,
}) => {
  const { oracle } = stack;
  const keys = await oracle.fullAccessKeys(accountId);
  const { amount, storage_usage: bytes } = await oracle.provider.viewAccount({ accountId });
  const left = BigInt(bytes) * YOCTO_PER_BYTE + FEE;
  await account.transfer({ receiverId: 'testnet', amount: BigInt(amount) - left });
  const poor = await restored(empty, accountId);
  expect(poor).toMatchObject({ success: false, errorCode: 'INSUFFICIENT_BALANCE', publicKey: null });
  expect(poor.error).toContain(accountId);
  expect(empty.prompts).toEqual([]);

  await pay(stack, accountId, 1n);
  // Makes more blocks than any node lags.
  await oracle.fastForward(10);
  const heal = empty.fail('send_tx', { kind: 'rewrite-request', rewrite: withAnotherSignature });
  const refused = await restored(empty, accountId);
  expect(refused).toMatchObject({ success: false, errorCode: 'RECOVERY_PHRASE_NOT_USED', publicKey: null });
  for (const part of [
    `The new passkey was not added to ${accountId}`,
    'The account is as it was, the words still open it, and the passkey that was made was dropped.',
    'Try again.',
  ])
    expect(refused.error).toContain(part);
  heal();
  expect(await oracle.fullAccessKeys(accountId)).toEqual(keys);

  expect(await restored(empty, accountId)).toMatchObject({
    success: true,
    deviceNumber: 1,
    isLoggedIn: true,
  });
});

/** The same transaction with a signature that is not its key's. */
function withAnotherSignature(body: { params: { signed_tx_base64: string } }): unknown {
  const bytes = base64.decode(body.params.signed_tx_base64);
  // The signature's first half, a point, ends 32 bytes before the end.
  bytes[bytes.length - 40] = (bytes[bytes.length - 40] ?? 0) ^ 1;
  return { ...body, params: { ...body.params, signed_tx_base64: base64.encode(bytes) } };
}
