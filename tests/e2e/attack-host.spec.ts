// A hostile host: every attempt fails with the error that the specification names, and yields no key, money or secret.
// Specification: frame 10
import { agree } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import {
  ask,
  confirm,
  confirmButton,
  connect,
  endOf,
  expect,
  type Host,
  refusedWith,
  register,
  start,
  test,
  UNSEEN,
} from './attack-host/fixture.js';
import type { AttackPage } from './attack-host/main.js';

declare const attack: AttackPage;

test.use({ actionTimeout: 15_000 });

test.describe('a port', () => {
  test('is refused to an unlisted host, to lookalikes of a listed one, and for a listed one in the address [S16]', async ({
    open,
    places,
  }) => {
    const { hostname: shop } = new URL(places.shop);
    const strangers = [
      'stranger.localhost',
      `${shop}.evil.localhost`,
      `wallet.localhost.${shop}`,
      `x${shop}`,
    ];
    for (const origin of strangers.map(places.at)) {
      const host = await open(origin, places.unguarded);
      const answer = await host.page.evaluate(() => attack.connect());
      expect(answer, origin).toMatchObject(refusedWith('HOST_NOT_ALLOWED'));
      // A later try fails too: no port has received anything by the time the page shows the reason.
      await host.page.evaluate(() => attack.offerPort());
      await expect(host.wallet.getByText(origin)).toBeVisible();
      expect(await host.page.evaluate(() => attack.ports.flat())).toEqual([]);
      await host.page.close();
    }

    // The browser shows the page to the host in its address only.
    const host = await open(places.at('stranger.localhost'));
    const said = host.page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()));
    await host.page.evaluate(
      (address) => attack.frame(address),
      `${places.wallet}/service/?host=${encodeURIComponent(places.shop)}`,
    );
    await said;
    await expect.poll(() => host.page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/');
    await host.page.evaluate(() => attack.offerPort());
    expect(await host.page.evaluate(() => [attack.ports.flat(), attack.heard])).toEqual([[], []]);
  });

  test('is granted once: a second CONNECT in the same page load gets none [S16]', async ({
    open,
    places,
  }) => {
    const host = await open(places.neighbour);
    await connect(host);
    await host.page.evaluate(() => {
      attack.offerPort();
      attack.offerPort();
      for (const port of attack.ports.keys()) attack.send({ type: 'PING', requestId: '1-1' }, port);
    });
    for (const _ of [1, 2]) expect(await ask(host, 'PING')).toMatchObject({ type: 'PONG' });
    const came = await host.page.evaluate(() => attack.ports.filter(({ length }) => length > 0));
    expect(came.map((messages) => messages[0]?.type)).toEqual(['READY']);
  });
});

test('the host and the wallet ignore every message that a third frame forges', async ({
  open,
  places,
  stack,
  username,
}) => {
  const shop = await open(places.shop);
  const evil = `${places.at('evil.localhost')}/attack/index.html`;
  await shop.page.evaluate(async (address) => {
    const advertisement = document.createElement('iframe');
    advertisement.src = address;
    advertisement.style.cssText = 'position: static; width: 1px; height: 1px';
    const loaded = new Promise((resolve) => advertisement.addEventListener('load', resolve));
    document.body.append(advertisement);
    await loaded;
  }, evil);
  const forger = shop.page.frames().find((frame) => frame.url() === evil);
  // From before the handshake to the end: every message of either side goes to both, with and without a port.
  await forger?.evaluate(async () => {
    const loadId = crypto.randomUUID();
    const payload = {
      ok: true,
      result: { success: true },
      code: 'HOST_NOT_ALLOWED',
      message: 'gone',
      loadId,
    };
    const forged = [
      { type: 'CONNECT' },
      { type: 'READY', payload: { protocolVersion: '1.0.0', loadId } },
      { type: 'SERVICE_HOST_BOOTED', payload: { loadId } },
      { type: 'ERROR', payload: { code: 'HOST_NOT_ALLOWED', message: 'gone' } },
      { type: 'PM_RESULT', requestId: '1-1', payload },
      { type: 'WALLET_UI_CLOSED', requestId: '1-1' },
      { type: 'REGISTER_BUTTON_SUBMIT', payload: { nearAccountId: 'evil.testnet' } },
      { type: 'REGISTER_BUTTON_RESULT', payload: { ok: true } },
      { type: 'WALLET_WEBAUTHN_GET', requestId: 'get:1:1', publicKey: { challenge: new Uint8Array(32) } },
      { type: 'WALLET_WEBAUTHN_GET_RESULT', requestId: 'get:1:1', ok: true, credential: {} },
    ];
    const said: MessagePort[] = [];
    Object.assign(globalThis, { said });
    setInterval(() => {
      const windows = [parent, ...Array.from({ length: parent.length }, (_, index) => parent[index]!)];
      for (const target of windows.filter((other) => other !== window)) {
        for (const message of forged) {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => void said.push(port1);
          target.postMessage(message, '*');
          target.postMessage(message, '*', [port2]);
        }
      }
    }, 50);
  });

  const nearAccountId = accountOf(username);
  const registering = shop.page.evaluate((id) => attack.manager.registerPasskey(id), nearAccountId);
  await agree(shop.wallet.getByRole('dialog'), 'Create passkey');
  expect(await registering).toMatchObject({ success: true, nearAccountId });
  const before = shop.prompts.length;
  const sending = shop.page.evaluate(
    (id) =>
      attack.manager.executeAction({
        nearAccountId: id,
        receiverId: 'w3a-v1.testnet',
        actionArgs: { type: 'Transfer', amount: '1' },
        options: { waitUntil: 'FINAL' },
      }),
    nearAccountId,
  );
  await expect(confirmButton(shop)).toBeEnabled();
  expect(shop.prompts).toHaveLength(before);
  await confirm(shop);
  const sent = await sending;
  expect(sent).toMatchObject({ success: true });
  expect(shop.prompts.slice(before)).toMatchObject([{ kind: 'get' }]);
  const transaction = await stack.oracle.transaction(sent.transactionId ?? '', nearAccountId);
  expect(transaction).toEqual({ receiverId: 'w3a-v1.testnet', succeeded: true });

  const told = await forger?.evaluate(() => [
    attack.heard,
    (globalThis as unknown as { said: unknown[] }).said.length,
  ]);
  expect(told).toEqual([[], 0]);
});

test('a host cannot change the configuration that the wallet runs on, nor mount its own UI in it', async ({
  open,
  places,
}) => {
  const host = await open(places.neighbour);
  const asked: string[] = [];
  host.page.on('request', (request) => void asked.push(request.url()));
  await connect(host);
  const evil = 'http://evil.localhost';
  const settings: Record<string, unknown>[] = [
    { rpcUrl: `${evil}/rpc` },
    { rpcUrl: [`${evil}/rpc`] },
    { contractId: 'evil.testnet' },
    { relayer: { url: `${evil}/relay` } },
    { relayer: { accountId: 'evil.testnet' } },
    { vrfWorkerConfigs: { shamir3pass: { relayServerUrl: evil } } },
    { vrfWorkerConfigs: { shamir3pass: { applyServerLockRoute: `${evil}/lock` } } },
    { vrfWorkerConfigs: { shamir3pass: false } },
    { networkId: 'mainnet' },
    { rpIdOverride: 'localhost' },
    { rpIdOverride: 'evil.app.localhost' },
    { authenticatorOptions: { userVerification: 'discouraged' } },
    { authenticatorOptions: { originPolicy: { all: true } } },
    { uiRegistry: { confirm: `${evil}/confirm.js` } },
    { assetsBaseUrl: `${evil}/sdk` },
  ];
  for (const setting of settings) {
    const answer = await ask(host, 'PM_SET_CONFIG', { theme: 'dark', ...setting });
    expect(answer, JSON.stringify(setting)).toMatchObject({
      type: 'ERROR',
      payload: {
        code: 'CONFIG_NOT_ALLOWED',
        message: expect.stringContaining(Object.keys(setting).join()),
      },
    });
  }
  expect(await ask(host, 'PM_SET_CONFIG', { insertUserConfirmUI: `${evil}/ui.js` })).toMatchObject(
    refusedWith('INVALID_MESSAGE'),
  );
  // The wallet's next request still goes to its own node.
  expect(await ask(host, 'PM_VIEW_ACCESS_KEYS', { accountId: 'relayer.testnet' })).toMatchObject({
    type: 'PM_RESULT',
  });
  expect(await ask(host, 'PM_SET_CONFIG', { theme: 'dark' })).toMatchObject({ type: 'PONG' });

  /** Without the links by which the wallet loads its own code, whenever it does. */
  const elements = () =>
    host.wallet.locator('*').evaluateAll((all) => {
      const isOwnCode = (one: Element) =>
        one instanceof HTMLLinkElement && new URL(one.href).origin === location.origin;
      return all.filter((one) => !isOwnCode(one)).map(({ localName }) => localName);
    });
  const before = await elements();
  const html = `<img src="${evil}/x">`;
  const props = { innerHTML: html, id: 'evil' };
  const src = `${evil}/x.js`;
  const mounts: [type: string, payload: unknown, reason: string][] = [
    [
      'WALLET_UI_REGISTER_TYPES',
      { types: ['settings', 'evil-button'] },
      'types.1: the wallet ships no "evil-button"',
    ],
    [
      'WALLET_UI_REGISTER_TYPES',
      { types: { 'evil-button': { tag: 'evil-button', src } } },
      'types: must be Array',
    ],
    [
      'WALLET_UI_MOUNT',
      { id: 'evil', type: 'evil-button', props },
      'type: the wallet ships no "evil-button"',
    ],
    ['WALLET_UI_MOUNT', { id: 'evil', type: 'script', props: { src } }, 'type: the wallet ships no "script"'],
    ['WALLET_UI_MOUNT', { id: 'evil', type: '__proto__', props }, 'type: the wallet ships no "__proto__"'],
    ['WALLET_UI_MOUNT', { id: 'evil', type: 'settings', props }, 'props.innerHTML: no such field'],
    [
      'WALLET_UI_MOUNT',
      { id: 'evil', type: 'register-button', props: { nearAccountId: html } },
      'props.nearAccountId: is no account id',
    ],
    ['WALLET_UI_UPDATE', { id: 'evil', props }, 'id: nothing is mounted under it'],
  ];
  for (const [type, payload, reason] of mounts) {
    expect(await tellByWindow(host, places.wallet, type, payload), reason).toMatchObject({
      type: 'ERROR',
      payload: { code: 'INVALID_MESSAGE', message: `The message ${type} is not valid: payload.${reason}` },
    });
    expect(await ask(host, type, payload), type).toMatchObject(refusedWith('INVALID_MESSAGE'));
  }
  for (const type of ['__proto__', 'constructor']) {
    expect(await ask(host, type, props), type).toMatchObject(refusedWith('INVALID_MESSAGE'));
  }
  expect(await elements()).toEqual(before);
  expect(asked.filter((url) => url.startsWith(evil))).toEqual([]);

  // The wallet draws its own UI, and the user sees only the wallet's content.
  const button = { id: 'mine', type: 'register-button', props: { nearAccountId: 'alice.testnet' } };
  const mounted = tellByWindow(host, places.wallet, 'WALLET_UI_MOUNT', button);
  await expect(host.wallet.getByRole('button', { name: 'Create a passkey alice.testnet' })).toBeVisible();
  await tellByWindow(host, places.wallet, 'WALLET_UI_UNMOUNT', { id: 'mine' });
  expect(await mounted).toEqual({ type: 'WALLET_UI_CLOSED', payload: { id: 'mine' } });
  await expect(host.wallet.getByRole('button')).toHaveCount(0);
});

test('a host that draws and covers the passkey field hears nothing while the user has chosen no passkey', async ({
  open,
  places,
}) => {
  const host = await open(places.neighbour);
  await connect(host);
  const type = 'PM_MOUNT_PASSKEY_FIELD';
  for (const wrong of [
    { placeholder: 'Your seed phrase' },
    { accountId: 'evil.testnet' },
    { immediate: true },
  ])
    expect(await ask(host, type, wrong)).toMatchObject(refusedWith('INVALID_MESSAGE'));
  // Nobody touches it; an authenticator without passkeys would refuse at once.
  await host.passkey.setPresence(false);
  await host.page.locator('iframe').evaluate((frame) => {
    frame.style.cssText = 'position: fixed; left: 0; top: 0; width: 300px; height: 52px; opacity: 0.01';
  });
  const asked = await start(host, type, {});
  await endOf(host, asked);
  const field = host.wallet.getByRole('textbox');
  await expect(field).toHaveAccessibleName('Choose your passkey here');
  await field.pressSequentially('secret');
  await expect(field).toHaveValue('');
  expect(await ask(host, 'PM_CANCEL', { requestId: asked })).toMatchObject({ type: 'PONG' });
  await expect(field).toHaveCount(0);
  const heard = await host.page.evaluate(() => attack.ports.flat());
  const ofField = heard.filter(({ requestId }) => requestId === asked);
  // What the cancelling itself brings, and nothing before it.
  expect(ofField).toMatchObject([
    { type: 'PM_RESULT' },
    { type: 'PROGRESS', payload: { phase: 'cancelled' } },
    refusedWith('CANCELLED'),
  ]);
  expect(JSON.stringify(ofField)).not.toContain('secret');
});

/** Sends the wallet's window a message. Returns the next message that it sends to this window. */
const tellByWindow = (host: Host, walletOrigin: string, type: string, payload: unknown) =>
  host.page.evaluate(
    ({ type, payload, walletOrigin }) =>
      new Promise((resolve) => {
        const onMessage = ({ origin, data }: MessageEvent<unknown>): void => {
          if (origin !== walletOrigin) return;
          removeEventListener('message', onMessage);
          resolve(data);
        };
        addEventListener('message', onMessage);
        window.frames[0]?.postMessage({ type, payload }, walletOrigin);
      }),
    { type, payload, walletOrigin },
  );

test('no other page can use the passkeys of the wallet: the browser refuses its rpId', async ({
  open,
  places,
}) => {
  const { hostname: rpId } = new URL(places.wallet);
  const siblings = ['evil.localhost', `${rpId}.evil.localhost`, `x${rpId}`].map(places.at);
  const parent = places.at('localhost');
  const { page } = await open(places.neighbour);
  for (const origin of [places.neighbour, parent, ...siblings]) {
    await page.goto(`${origin}/attack/index.html`);
    const refusal = await page.evaluate(async (rpId) => {
      const publicKey: PublicKeyCredentialRequestOptions = {
        challenge: new Uint8Array(32),
        rpId,
        extensions: { prf: { eval: { first: new Uint8Array(32) } } },
      };
      return navigator.credentials.get({ publicKey }).then(String, (error: DOMException) => error.name);
    }, rpId);
    expect(refusal, origin).toBe('SecurityError');
  }
  // The browser would ask the wallet's origin for exceptions; a host does not get one.
  const related = await page.goto(`${places.wallet}/.well-known/webauthn`);
  const { origins } = JSON.parse((await related?.text()) ?? '') as { origins: string[] };
  for (const origin of [places.shop, places.neighbour, parent]) expect(origins).not.toContain(origin);
});

test("a host learns nothing about accounts used through another host, although both share the wallet's storage [S18]", async ({
  open,
  places,
  username,
}) => {
  const shop = await open(places.shop);
  await connect(shop);
  const nearAccountId = await register(shop, username);
  expect(await ask(shop, 'PM_GET_LOGIN_STATE')).toMatchObject({ payload: { result: { nearAccountId } } });

  const host = await open(places.neighbour);
  await connect(host);
  const walletFrame = host.page.frames().find((frame) => frame.url().startsWith(places.wallet));
  expect(await walletFrame?.evaluate(allRecords)).toContain(nearAccountId);

  expect(await ask(host, 'PM_GET_LOGIN_STATE')).toMatchObject({
    payload: { result: { isLoggedIn: false, nearAccountId: null } },
  });
  expect(await ask(host, 'PM_GET_LOGIN_STATE', { nearAccountId })).toMatchObject({
    payload: { result: { isLoggedIn: false, userData: null } },
  });
  expect(await ask(host, 'PM_GET_RECENT_LOGINS')).toMatchObject({
    payload: { result: { accountIds: [], lastUsedAccountId: null } },
  });
  expect(await ask(host, 'PM_HAS_PASSKEY', { nearAccountId })).toMatchObject({ payload: { result: false } });
  const prompts = host.prompts.length;
  const action = { type: 'FunctionCall', methodName: 'set_greeting', args: { greeting: 'mine' } };
  const asked: [type: string, payload: object][] = [
    ['PM_GET_USER_PREFERENCES', { nearAccountId }],
    ['PM_GET_CONFIRMATION_CONFIG', { nearAccountId }],
    ['PM_SET_THEME', { nearAccountId, theme: 'dark' }],
    ['PM_EXECUTE_ACTION', { nearAccountId, receiverId: 'w3a-v1.testnet', actionArgs: action, ...UNSEEN }],
    ['PM_SIGN_NEP413', { nearAccountId, params: { message: 'x', recipient: 'evil.testnet' }, ...UNSEEN }],
  ];
  const unknown = 'nobody-at-all.w3a-v1.testnet';
  for (const [type, payload] of asked) {
    const answers = [];
    for (const id of [nearAccountId, unknown]) {
      const { payload: answer } = await ask(host, type, { ...payload, nearAccountId: id });
      answers.push(JSON.stringify(answer).replaceAll(id, '<account>'));
    }
    // Word for word the same answer as for an account that no device knows.
    expect(answers[0], type).toBe(answers[1]);
    expect(answers[0], type).toMatch(/NO_USER_DATA|NOT_LOGGED_IN|NO_LOCAL_ACCOUNT/);
  }
  expect(host.prompts).toHaveLength(prompts);
  const { page } = host;
  const told = () => page.evaluate(() => JSON.stringify(attack.ports));
  expect((await told()).replaceAll(`"${nearAccountId}"`, '')).not.toContain('userData":{');
  // The host does not receive events of the other host's session either.
  expect(await ask(shop, 'PM_LOGOUT')).toMatchObject({ type: 'PM_RESULT' });
  expect(await ask(host, 'PING')).toMatchObject({ type: 'PONG' });
  expect(await told()).not.toContain('LOGIN_STATE"');
});

/** Everything in the storage of the frame that runs this. */
async function allRecords(): Promise<string> {
  const parts: string[] = [];
  for (const { name = '' } of await indexedDB.databases()) {
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
    });
    for (const store of db.objectStoreNames) {
      parts.push(
        await new Promise((resolve) => {
          const request = db.transaction(store).objectStore(store).getAll();
          request.onsuccess = () => resolve(JSON.stringify(request.result));
        }),
      );
    }
    db.close();
  }
  return parts.join();
}

test('a replayed request or signed transaction has no further effect', async ({ openRegistered, stack }) => {
  const { host, nearAccountId } = await openRegistered();
  const transactions = [
    { receiverId: 'w3a-v1.testnet', actions: [{ type: 'Transfer', amount: `${10n ** 21n}` }] },
  ];
  const id = await start(host, 'PM_SIGN_TXS_WITH_ACTIONS', { nearAccountId, transactions });
  await confirm(host);
  const { payload } = await endOf(host, id);
  const [signed] = (payload?.result ?? []) as { signedTransaction: unknown }[];
  const signedTransaction = signed?.signedTransaction;
  expect(signedTransaction).toBeDefined();
  const before = await stack.oracle.balance(nearAccountId);
  const sending = { signedTransaction, options: { waitUntil: 'FINAL' } };
  expect(await ask(host, 'PM_SEND_TRANSACTION', sending)).toMatchObject({
    payload: { result: { success: true } },
  });
  const after = await stack.oracle.balance(nearAccountId);
  expect(before - after).toBeGreaterThanOrEqual(10n ** 21n);
  await ask(host, 'PM_SEND_TRANSACTION', sending);
  expect(await stack.oracle.balance(nearAccountId)).toBe(after);

  const prompts = host.prompts.length;
  await host.page.evaluate(
    ({ requestId, payload }) => attack.send({ type: 'PM_SIGN_TXS_WITH_ACTIONS', requestId, payload }),
    { requestId: id, payload: { nearAccountId, transactions } },
  );
  expect(await ask(host, 'PING')).toMatchObject({ type: 'PONG' });
  const errors = await host.page.evaluate(() =>
    attack.ports.flat().filter(({ type, requestId }) => type === 'ERROR' && requestId === undefined),
  );
  expect(errors).toMatchObject([refusedWith('INVALID_MESSAGE')]);
  await expect(host.wallet.getByRole('dialog')).toHaveCount(0);
  expect(host.prompts).toHaveLength(prompts);
});
