// An account without a name has the registry record its passkey, on the real chain: before, after, and while services fail.
import type { RegisterDeviceOptions, RegisteredDevice } from 'latchkey';
import { authorize, devicesOf, errorOf, link, linked, otherDevice } from './linking.js';
import { createAccount, expect, fund, prove, RECORDS, send, someone, test, VERDICT } from './nameless.js';
import { accountOf, type Wallet } from './wallet.js';

const register = (
  { manager, accountId }: Wallet,
  options: RegisterDeviceOptions = {},
): Promise<RegisteredDevice> => manager.registerDevice(accountId, options);

test('one prompt records it; from then on every signature needs the verdict of the registry', async ({
  wallet,
  stack,
}) => {
  await fund(wallet, stack);
  const before = await stack.oracle.balance(wallet.accountId);
  const { prompts } = await wallet.during(async () =>
    expect(await register(wallet)).toMatchObject({ success: true, fate: 'executed', deviceNumber: 1 }),
  );
  expect(prompts).toEqual(['get']);
  const shown = wallet.shown.at(-1);
  if (shown?.kind !== 'registration' || !shown.recording) throw new Error('another confirmation was shown');
  expect(shown).toMatchObject({ accountId: wallet.accountId, deviceNumber: 1 });
  expect(shown.recording.asksTwice).toBeUndefined();
  const { depositYocto, keptYocto } = shown.recording;
  const paid = before - (await stack.oracle.balance(wallet.accountId));
  // Gas is a tenth of it.
  expect(paid).toBeLessThan(BigInt(depositYocto));
  expect(Number(paid) / Number(keptYocto)).toBeGreaterThan(0.9);
  expect(Number(paid) / Number(keptYocto)).toBeLessThan(1.2);

  const verdicts = wallet.calls(VERDICT);
  expect(await send(wallet, someone())).toMatchObject({ success: true });
  expect(wallet.calls(VERDICT)).toBeGreaterThan(verdicts);
  expect((await devicesOf(wallet)).devices).toMatchObject([
    { deviceNumber: 1, isCurrent: true, accessKey: expect.stringMatching(/^ed25519:/) },
  ]);
});

test('its confirmation has no address before the passkey is proven', async ({
  wallet,
  stack,
  expectedConsole,
}) => {
  expectedConsole.push(/^warning:/);
  await fund(wallet, stack);
  const address = wallet.accountId;
  wallet.clearSiteData();
  wallet.refuseAll();
  const { accountId } = await wallet.manager.recoverAccount();
  wallet.heal();
  const earlier = wallet.shown.length;
  expect(await wallet.manager.registerDevice(accountId ?? '')).toMatchObject({ success: true });
  const shown = wallet.shown.slice(earlier);
  expect(shown).toMatchObject([{ kind: 'registration', accountId, recording: {} }]);
  expect(JSON.stringify(shown)).not.toContain(address);
});

test('recorded already, it sends nothing and asks for no passkey', async ({ wallet, stack }) => {
  await fund(wallet, stack);
  expect(await register(wallet)).toMatchObject({ success: true });
  const sent = wallet.calls('send_tx');
  const { prompts } = await wallet.during(async () =>
    expect(await register(wallet)).toMatchObject({ success: true, transactionId: null, deviceNumber: 1 }),
  );
  expect(prompts).toEqual([]);
  expect(wallet.calls('send_tx')).toBe(sent);
});

test('after a recovery two prompts tell the public key, and the confirmation says so', async ({
  wallet,
  stack,
}) => {
  await fund(wallet, stack);
  wallet.clearSiteData();
  expect(await wallet.manager.recoverAccount()).toMatchObject({ success: true });
  const { prompts } = await wallet.during(async () =>
    expect(await register(wallet)).toMatchObject({ success: true, deviceNumber: 1 }),
  );
  expect(prompts).toEqual(['get', 'get']);
  expect(wallet.shown.at(-1)).toMatchObject({ recording: { asksTwice: true } });
  expect(await send(wallet, someone())).toMatchObject({ success: true });
  // With a record, a browser that knows nothing has the key from there.
  wallet.clearSiteData();
  expect(await wallet.manager.recoverAccount()).toMatchObject({ success: true });
  const verdicts = wallet.calls(VERDICT);
  expect(await send(wallet, someone())).toMatchObject({ success: true });
  expect(wallet.calls(VERDICT)).toBeGreaterThan(verdicts);
});

test('a passkey of another algorithm is recorded where it was made; a browser that recovered it says so, and pays', async ({
  stack,
  open,
}) => {
  const wallet = await open({ knobs: { algorithm: 'RS256' } });
  await createAccount(wallet);
  await fund(wallet, stack);
  expect(await register(wallet)).toMatchObject({ success: true, deviceNumber: 1 });
  expect(await send(wallet, someone())).toMatchObject({ success: true });

  const other = await open({ knobs: { algorithm: 'RS256' } });
  await createAccount(other);
  await fund(other, stack);
  other.clearSiteData();
  expect(await other.manager.recoverAccount()).toMatchObject({ success: true });
  const sent = other.calls('send_tx');
  const { prompts } = await other.during(async () =>
    expect(await register(other)).toMatchObject({
      success: false,
      errorCode: 'PASSKEY_KEY_UNKNOWN',
      fate: 'not-sent',
    }),
  );
  expect(prompts).toEqual(['get']);
  expect(other.calls('send_tx')).toBe(sent);
  expect(await send(other, someone())).toMatchObject({ success: true });
});

test('another device is linked, and its passkey alone recovers the account', async ({
  wallet,
  stack,
  open,
}) => {
  await fund(wallet, stack);
  expect(await register(wallet)).toMatchObject({ success: true });
  const device2 = await open();
  await authorize(wallet, await device2.facade.startLinking());
  expect(await linked(device2)).toMatchObject({ nearAccountId: wallet.accountId, deviceNumber: 2 });
  device2.accountId = wallet.accountId;
  expect(await send(device2, someone())).toMatchObject({ success: true });

  device2.clearSiteData();
  const { prompts } = await device2.during(async () =>
    expect(await device2.manager.recoverAccount()).toMatchObject({
      success: true,
      accountId: wallet.accountId,
    }),
  );
  expect(prompts).toEqual(['get']);
  expect(await send(device2, someone())).toMatchObject({ success: true });
  expect((await devicesOf(device2)).devices).toMatchObject([
    { deviceNumber: 2, isCurrent: true },
    { deviceNumber: 1 },
  ]);
});

test('linking before that says what it needs and costs, and asks for no passkey', async ({
  wallet,
  stack,
}) => {
  await prove(wallet);
  const prompts = wallet.prompts.length;
  const { qr } = otherDevice();
  expect(await errorOf(wallet, qr())).toMatchObject({ errorCode: 'ACCOUNT_UNFUNDED' });
  await fund(wallet, stack);
  expect(await errorOf(wallet, qr())).toEqual({
    errorCode: 'DEVICE_NOT_RECORDED',
    error: expect.stringMatching(/registerDevice\): that costs about 0.007 NEAR\.$/),
  });
  expect(wallet.prompts).toHaveLength(prompts);
  expect(await register(wallet)).toMatchObject({ success: true });
  expect(await link(wallet, qr())).toMatchObject({ success: true });
});

test('before its first money, with too little of it, and with a name: an error, and no prompt', async ({
  wallet,
  stack,
  open,
  username,
}) => {
  await prove(wallet);
  const prompts = wallet.prompts.length;
  expect(await register(wallet)).toMatchObject({
    success: false,
    errorCode: 'ACCOUNT_UNFUNDED',
    fate: 'not-sent',
    deviceNumber: null,
  });
  await stack.funders.during((funder) =>
    funder.transfer({ receiverId: wallet.accountId, amount: 10n ** 21n }),
  );
  await expect
    .poll(async () => (await register(wallet)).errorCode, { timeout: 30_000 })
    .toBe('INSUFFICIENT_BALANCE');
  expect(wallet.prompts).toHaveLength(prompts);

  const named = await open();
  await named.register(accountOf(username));
  const made = named.prompts.length;
  expect(await register(named)).toMatchObject({ success: false, errorCode: 'ACCOUNT_HAS_NAME' });
  expect(named.prompts).toHaveLength(made);
  expect(named.calls('send_tx')).toBe(0);
});

test('a registry without the method is named before any prompt', async ({ wallet, stack }) => {
  await fund(wallet, stack);
  const prompts = wallet.prompts.length;
  wallet.fail('query:contract_source_metadata', {
    kind: 'rewrite-answer',
    rewrite: (answer: { result: { result: number[] } }) => {
      const metadata = Buffer.from(answer.result.result)
        .toString()
        .replace(/"2\.\d+\.\d+"/, '"2.0.0"');
      return { ...answer, result: { ...answer.result, result: [...Buffer.from(metadata)] } };
    },
  });
  wallet.reload();
  await wallet.logIn();
  expect(await register(wallet)).toMatchObject({
    success: false,
    errorCode: 'REGISTRY_LACKS',
    error: expect.stringContaining('lacks a method to record a passkey'),
  });
  expect(wallet.prompts).toHaveLength(prompts);
  expect(wallet.shown.some((model) => model.kind === 'registration' && model.recording)).toBe(false);
});

test('a refused confirmation leaves nothing, and the next call asks again', async ({ wallet, stack }) => {
  await fund(wallet, stack);
  const prompts = wallet.prompts.length;
  wallet.decision = 'cancel';
  expect(await register(wallet)).toMatchObject({ success: false, errorCode: 'CANCELLED', fate: 'not-sent' });
  expect(wallet.prompts).toHaveLength(prompts);
  wallet.decision = 'confirm';
  expect(await register(wallet)).toMatchObject({ success: true });
});

test('a lost answer to the registration is no second one', async ({ wallet, stack }) => {
  await fund(wallet, stack);
  for (const node of wallet.nodes) node.fail('send_tx', { kind: 'drop-answer' }, 1);
  expect(await register(wallet)).toMatchObject({ success: true, deviceNumber: 1 });
  expect(await stack.oracle.authenticators(wallet.accountId)).toHaveLength(1);
});

test('a registration whose record no node shows is pending; the next call finds it, without a prompt', async ({
  wallet,
  stack,
  expectedConsole,
}) => {
  expectedConsole.push(/^warning:/);
  await fund(wallet, stack);
  wallet.decision = 'wait';
  const registering = register(wallet, { confirmationConfig: { behavior: 'requireClick' } });
  const isShown = () => wallet.shown.some((model) => model.kind === 'registration' && model.recording);
  await expect.poll(isShown, { timeout: 20_000 }).toBe(true);
  wallet.fail(RECORDS, { kind: 'refuse' });
  wallet.decision = 'confirm';
  expect(await registering).toMatchObject({
    success: false,
    errorCode: 'REGISTRATION_PENDING',
    fate: 'executed',
    transactionId: expect.any(String),
  });
  wallet.heal();
  const { prompts } = await wallet.during(async () =>
    expect(await register(wallet)).toMatchObject({ success: true, transactionId: null, deviceNumber: 1 }),
  );
  expect(prompts).toEqual([]);
});

test('a registry that says no keeps nothing but gas, and the error says why', async ({ wallet, stack }) => {
  await fund(wallet, stack);
  const before = await stack.oracle.balance(wallet.accountId);
  // The nodes name another number: the passkey approves a registration as device 2.
  wallet.fail('query:get_device_counter', {
    kind: 'rewrite-answer',
    rewrite: (answer: { result?: object }) => ({
      ...answer,
      result: { ...answer.result, result: [...Buffer.from('1')] },
    }),
  });
  const { success, errorCode, error } = await register(wallet);
  expect({ success, errorCode }).toEqual({ success: false, errorCode: 'REGISTRATION_FAILED' });
  expect(error).toMatch(/^The registry did not accept this device: .*intent/);
  const paid = before - (await stack.oracle.balance(wallet.accountId));
  expect(paid).toBeLessThan(5n * 10n ** 21n);
  wallet.heal();
  expect(await register(wallet)).toMatchObject({ success: true, deviceNumber: 1 });
});
