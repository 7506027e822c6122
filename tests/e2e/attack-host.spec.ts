// A host that means harm: whatever it tries, it gets the error that is meant for it, and no key, money or secret.
import { accountOf } from '../../demo/stack/wallet.js';
import {
  ask,
  connect,
  endOf,
  expect,
  type Host,
  register,
  start,
  test,
} from './attack-host/fixture.js';
import type { AttackPage } from './attack-host/main.js';

declare const attack: AttackPage;

const refusedWith = (code: string) => ({ type: 'ERROR', payload: { code } });

test.describe('a port', () => {
  test('is not to be had by an unlisted host, nor by one that looks like a listed one', async ({
    open,
    places,
  }) => {
    const { hostname: shop } = new URL(places.shop);
    const strangers = ['stranger.localhost', `${shop}.evil.localhost`, `wallet.localhost.${shop}`, `x${shop}`];
    for (const origin of strangers.map(places.at)) {
      const host = await open(origin, places.unguarded);
      const answer = await host.page.evaluate(() => attack.connect());
      expect(answer, origin).toMatchObject(refusedWith('HOST_NOT_ALLOWED'));
      // A later try does no better: nothing has come on any port by the time that the person has been told.
      await host.page.evaluate(() => attack.offerPort());
      await expect(host.wallet.getByText(origin)).toBeVisible();
      expect(await host.page.evaluate(() => attack.ports.flat())).toEqual([]);
      await host.page.close();
    }
  });

  test('is not to be had by naming a listed host in the address: the browser shows the page to nobody else', async ({
    open,
    places,
  }) => {
    const host = await open(places.at('stranger.localhost'));
    const said = host.page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()));
    await host.page.evaluate(
      (address) => attack.frame(address),
      `${places.wallet}/service/?host=${encodeURIComponent(places.shop)}`,
    );
    await said;
    const [, framed] = host.page.frames();
    expect(framed?.url()).toBe('chrome-error://chromewebdata/');
    await host.page.evaluate(() => attack.offerPort());
    expect(await host.page.evaluate(() => [attack.ports.flat(), attack.heard])).toEqual([[], []]);
  });

  test('is given once: a second CONNECT of the same page load gets none', async ({ open, places }) => {
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

test('a host may set nothing of what the wallet runs on', async ({ open, places }) => {
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
  // What the wallet asks next, it asks of its own node.
  expect(await ask(host, 'PM_VIEW_ACCESS_KEYS', { accountId: 'relayer.testnet' })).toMatchObject({
    type: 'PM_RESULT',
  });
  expect(asked.filter((url) => url.startsWith(evil))).toEqual([]);
  expect(await ask(host, 'PM_SET_CONFIG', { theme: 'dark' })).toMatchObject({ type: 'PONG' });
});

test('a host mounts nothing of its own in the wallet', async ({ open, places }) => {
  const host = await open(places.neighbour);
  const asked: string[] = [];
  host.page.on('request', (request) => void asked.push(request.url()));
  await connect(host);
  const elements = () => host.wallet.locator('*').evaluateAll((all) => all.map(({ localName }) => localName));
  const before = await elements();
  const html = '<img src="http://evil.localhost/x">';
  const props = { innerHTML: html, id: 'evil' };
  const src = 'http://evil.localhost/x.js';
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
  expect(asked.filter((url) => url.includes('evil.localhost/'))).toEqual([]);

  // What the wallet ships is drawn, and what the person is shown of it is the wallet's.
  const button = { id: 'mine', type: 'register-button', props: { nearAccountId: 'alice.testnet' } };
  const mounted = tellByWindow(host, places.wallet, 'WALLET_UI_MOUNT', button);
  await expect(host.wallet.getByRole('button', { name: 'Create a passkey alice.testnet' })).toBeVisible();
  await tellByWindow(host, places.wallet, 'WALLET_UI_UNMOUNT', { id: 'mine' });
  expect(await mounted).toEqual({ type: 'WALLET_UI_CLOSED', payload: { id: 'mine' } });
  await expect(host.wallet.getByRole('button')).toHaveCount(0);
});

/** Sends the wallet's window a message. Returns what it tells this window next. */
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
  // The browser would ask the wallet's origin for exceptions: being a host makes none.
  const related = await page.goto(`${places.wallet}/.well-known/webauthn`);
  const { origins } = (await related?.json()) as { origins: string[] };
  for (const origin of [places.shop, places.neighbour, parent]) expect(origins).not.toContain(origin);
});

/** What a host asks for so that nobody is asked. */
const UNSEEN = { confirmationConfig: { uiMode: 'skip', behavior: 'autoProceed', autoProceedDelayMs: 0 } };
const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';

const confirmButton = ({ wallet }: Host) =>
  wallet.getByRole('button', { name: /^(Confirm|Sign message|Link device)$/ });

/** The request waits for a click that would count, long after one that needs none would have gone on. */
async function waitsForClick(host: Host, prompts: number): Promise<void> {
  await expect(confirmButton(host)).toBeEnabled();
  expect(host.prompts).toHaveLength(prompts);
}

async function cancelled(host: Host, requestId: string): Promise<void> {
  expect(await ask(host, 'PM_CANCEL', { requestId })).toMatchObject({ type: 'PONG' });
  expect(await endOf(host, requestId)).toMatchObject(refusedWith('CANCELLED'));
  await expect(host.wallet.getByRole('dialog')).toHaveCount(0);
}

test('what gives money or the account away needs a click, whatever the host sets', async ({
  open,
  places,
  stack,
  username,
}) => {
  const host = await open(places.neighbour);
  await connect(host);
  const nearAccountId = await register(host, username);
  const { prompts } = host;
  const [keys, balance] = [
    await stack.oracle.fullAccessKeys(nearAccountId),
    await stack.oracle.balance(nearAccountId),
  ];

  // Set as what the host wishes for all its requests, as the account's setting, and with each request.
  expect(await ask(host, 'PM_SET_CONFIG', UNSEEN)).toMatchObject({ type: 'PONG' });
  for (const of of [{}, { nearAccountId }]) {
    const { confirmationConfig: config } = UNSEEN;
    expect(await ask(host, 'PM_SET_CONFIRMATION_CONFIG', { config, ...of })).toMatchObject({
      type: 'PM_RESULT',
    });
    expect(await ask(host, 'PM_SET_CONFIRM_BEHAVIOR', { behavior: 'autoProceed', ...of })).toMatchObject({
      type: 'PM_RESULT',
    });
  }

  const fullAccess = { type: 'AddKey', publicKey: KEY, accessKey: { permission: 'FullAccess' } };
  const itself = { nearAccountId, receiverId: nearAccountId, ...UNSEEN };
  const transactions = [{ receiverId: nearAccountId, actions: [fullAccess] }];
  const qrData = { device2PublicKey: KEY, accountId: nearAccountId, timestamp: Date.now(), version: '1.0' };
  const requests: [type: string, payload: object][] = [
    ['PM_EXECUTE_ACTION', { ...itself, actionArgs: fullAccess }],
    ['PM_SIGN_TXS_WITH_ACTIONS', { nearAccountId, transactions, ...UNSEEN }],
    ['PM_SIGN_DELEGATE_ACTION', { ...itself, actions: fullAccess }],
    [
      'PM_EXECUTE_ACTION',
      { ...itself, receiverId: 'evil.testnet', actionArgs: { type: 'Transfer', amount: '1' } },
    ],
    ['PM_EXECUTE_ACTION', { ...itself, actionArgs: { type: 'DeleteAccount', beneficiaryId: 'evil.testnet' } }],
    ['PM_ADD_APP_KEY', { nearAccountId, receiverId: 'w3a-v1.testnet', ...UNSEEN }],
    ['PM_SIGN_NEP413', { nearAccountId, params: { message: 'I am yours', recipient: 'evil.testnet' }, ...UNSEEN }],
    ['PM_LINK_DEVICE_WITH_SCANNED_QR_DATA', { qrData, ...UNSEEN }],
  ];
  for (const [type, payload] of requests) {
    await test.step(type, async () => {
      const before = prompts.length;
      const id = await start(host, type, payload);
      await waitsForClick(host, before);
      await cancelled(host, id);
    });
  }
  expect(await stack.oracle.fullAccessKeys(nearAccountId)).toEqual(keys);
  expect(await stack.oracle.balance(nearAccountId)).toBe(balance);
});

test('key export needs clicks in the wallet, and a raw key is never given', async ({
  open,
  places,
  username,
}) => {
  const host = await open(places.neighbour);
  await connect(host);
  const nearAccountId = await register(host, username);
  const before = host.prompts.length;
  for (const payload of [{ nearAccountId }, { nearAccountId, ...UNSEEN }, {}]) {
    expect(await ask(host, 'PM_EXPORT_NEAR_KEYPAIR', payload)).toMatchObject(
      refusedWith('EXPORT_NEAR_KEYPAIR_DISABLED'),
    );
  }
  const id = await start(host, 'PM_EXPORT_NEAR_KEYPAIR_UI', { nearAccountId, ...UNSEEN });
  const viewer = host.wallet.locator('latchkey-key-viewer').frameLocator('iframe');
  await expect(viewer.getByRole('button', { name: 'Continue with passkey' })).toBeEnabled();
  expect(host.prompts).toHaveLength(before);
  await cancelledLater(host, id);
});

/** As `cancelled`, for a sticky request, which had its result before. */
async function cancelledLater(host: Host, requestId: string): Promise<void> {
  expect(await ask(host, 'PM_CANCEL', { requestId })).toMatchObject({ type: 'PONG' });
  await expect(host.wallet.locator('latchkey-key-viewer')).toHaveCount(0);
  const came = await host.page.evaluate(
    (id) => attack.ports.flat().filter(({ requestId }) => requestId === id),
    requestId,
  );
  expect(came.at(-1)).toMatchObject(refusedWith('CANCELLED'));
  expect(JSON.stringify(came)).not.toMatch(/ed25519:[1-9A-HJ-NP-Za-km-z]{80,}/);
}

test("a host learns nothing of accounts that were used through another one, though both share the wallet's storage", async ({
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
    // Word for word what is said of an account that is on no device.
    expect(answers[0], type).toBe(answers[1]);
    expect(answers[0], type).toMatch(/NO_USER_DATA|NOT_LOGGED_IN|NO_LOCAL_ACCOUNT/);
  }
  expect(host.prompts).toHaveLength(prompts);
  const { page } = host;
  const told = () => page.evaluate(() => JSON.stringify(attack.ports));
  expect((await told()).replaceAll(`"${nearAccountId}"`, '')).not.toContain('userData":{');
  // Nor is it told of what happens there meanwhile.
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

test('what was said before counts once: an old request, and a signed transaction, are refused', async ({
  open,
  places,
  stack,
  username,
}) => {
  const host = await open(places.neighbour);
  await connect(host);
  const nearAccountId = await register(host, username);
  const transactions = [
    { receiverId: 'w3a-v1.testnet', actions: [{ type: 'Transfer', amount: `${10n ** 21n}` }] },
  ];
  const id = await start(host, 'PM_SIGN_TXS_WITH_ACTIONS', { nearAccountId, transactions });
  await confirmButton(host).click();
  const { payload } = await endOf(host, id);
  const [{ signedTransaction }] = payload?.result as [{ signedTransaction: unknown }];

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

test.describe('a click counts only on a confirmation that is seen', () => {
  /** A transfer that waits for its click, and what a click at its button does. */
  async function pending(host: Host, username: string) {
    await connect(host);
    const nearAccountId = await register(host, username);
    await ask(host, 'PING');
    const before = host.prompts.length;
    const payload = { nearAccountId, receiverId: 'w3a-v1.testnet', actionArgs: TRANSFER };
    return { nearAccountId, before, payload };
  }
  const TRANSFER = { type: 'Transfer', amount: `${10n ** 21n}` };

  /** Clicks where the confirm button is, whatever lies over it; returns how many clicks the wallet had. */
  async function clickThrough(host: Host): Promise<number> {
    const box = await confirmButton(host).boundingBox();
    if (!box) throw new Error('there is no confirm button');
    const frame = host.page.frames().find((of) => of.url().includes('/service/'));
    await frame?.evaluate(() => {
      const counted = globalThis as unknown as { clicks?: number };
      if (counted.clicks === undefined) addEventListener('click', () => void (counted.clicks! += 1), true);
      counted.clicks = 0;
    });
    await host.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    return (await frame?.evaluate(() => (globalThis as unknown as { clicks: number }).clicks)) ?? 0;
  }

  const covered: [how: string, css: string][] = [
    ['a painted element that lets clicks through', '.lid { background: #fff }'],
    ['an element that covers all but the button', '.lid { background: #fff; inset: 0 0 50% 0 }'],
    ['the opacity of the frame', 'iframe { opacity: 0.01 }'],
    ['a filter of the frame', 'iframe { filter: blur(20px) }'],
    ['a frame that is made small', 'iframe { transform: scale(0.99) }'],
    ['a mask of what it lies in', 'body { clip-path: inset(45% 0 0 0); position: fixed; inset: 0 }'],
    ['a blend of the frame', 'iframe { mix-blend-mode: multiply }'],
  ];

  test('and not on one that is covered or disguised', async ({ open, places, stack, username }) => {
    const host = await open(places.neighbour);
    const { nearAccountId, before, payload } = await pending(host, username);
    const balance = await stack.oracle.balance(nearAccountId);
    const id = await start(host, 'PM_EXECUTE_ACTION', payload);
    for (const [how, css] of covered) {
      await test.step(how, async () => {
        await expect(confirmButton(host)).toBeEnabled();
        await host.page.evaluate((css) => {
          const lid = document.createElement('div');
          lid.className = 'lid';
          const style = document.createElement('style');
          style.textContent = `.lid { position: fixed; inset: 0; pointer-events: none; z-index: 9 } ${css}`;
          document.body.append(lid, style);
        }, css);
        await expect(confirmButton(host)).toBeDisabled();
        expect(await clickThrough(host), how).toBe(1);
        expect(await ask(host, 'PING')).toMatchObject({ type: 'PONG' });
        await expect(host.wallet.getByRole('dialog')).toHaveAttribute('aria-busy', 'false');
        expect(host.prompts).toHaveLength(before);
        await host.page.evaluate(() => {
          for (const added of document.querySelectorAll('.lid, body style')) added.remove();
        });
      });
    }
    expect(await stack.oracle.balance(nearAccountId)).toBe(balance);
    // Seen again, it takes the person's click: the clicks above were aimed well.
    await expect(confirmButton(host)).toBeEnabled();
    expect(await clickThrough(host)).toBe(1);
    expect(await endOf(host, id)).toMatchObject({ payload: { result: { success: true } } });
  });

  test('and not on one that the page moves under the pointer', async ({ open, places, username }) => {
    const host = await open(places.neighbour);
    const { before, payload } = await pending(host, username);
    const id = await start(host, 'PM_EXECUTE_ACTION', payload);
    await expect(confirmButton(host)).toBeEnabled();
    const box = await confirmButton(host).boundingBox();
    const aim = { x: (box?.x ?? 0) + 10, y: (box?.y ?? 0) + 10 };
    // The frame lies aside, and comes under the pointer when that is about to click something else.
    await host.page.locator('iframe').evaluate((frame) => {
      frame.style.left = '-250px';
      addEventListener('mousemove', () => { frame.style.left = '0'; });
    });
    await expect(confirmButton(host)).toBeEnabled();
    await new Promise((r) => setTimeout(r, 3000));
    await host.page.mouse.move(900, 700);
    const t = Date.now();
    await host.page.evaluate(async () => {
      for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
    });
    await host.page.mouse.click(aim.x, aim.y);
    console.log('after', Date.now() - t);
    expect(await ask(host, 'PING')).toMatchObject({ type: 'PONG' });
    expect(host.prompts).toHaveLength(before);
    await cancelled(host, id);
  });
});
