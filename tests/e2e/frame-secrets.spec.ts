// Where secrets pass: every message, storage write and console line of every frame while the wallet runs in its own.
// Specification: frame 6, frame 10
import { createDecipheriv } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { BrowserContext } from '@playwright/test';
import { base58 } from '@scure/base';
import type { PrfOutputs } from '../support/browser.js';
import { APP } from '../support/oracle.js';
import { derivedSecrets, secretsIn } from '../support/secrets.js';
import { AGREE, continueToKey, pressUntilGone } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { expect, type Host, test, viewerLayer, viewerOf } from './attack-host/fixture.js';
import type { AttackPage } from './attack-host/main.js';

declare const attack: AttackPage;

test.use({ actionTimeout: 15_000 });

/** The text that passed an edge (`from > to`). */
interface Passed {
  edge: string;
  text: string;
}

interface Recording {
  passed: Passed[];
  /** The VRF workers' random draws, 32 bytes each: seeds, and the client's Shamir exponents. */
  draws: Buffer[];
}

const KEY_LENGTH = 32;
/** Two pages with confirmations compete for a possibly busy machine. */
const PROMPT_TIMEOUT_MS = 60_000;
/** Runs before the VRF worker's own script. */
const TELL_DRAWS = `{
  const draws = new BroadcastChannel('latchkey-test-draws');
  const { getRandomValues } = Crypto.prototype;
  Crypto.prototype.getRandomValues = function (array) {
    getRandomValues.call(this, array);
    draws.postMessage(new Uint8Array(array.buffer, array.byteOffset, array.byteLength).slice());
    return array;
  };
}
`;

async function recordAll(context: BrowserContext): Promise<Recording> {
  const recording: Recording = { passed: [], draws: [] };
  await context.exposeBinding('__recordEdge', (_source, edge: string, text: string) => {
    recording.passed.push({ edge, text });
  });
  await context.exposeBinding('__recordDraw', (_source, bytes: number[]) => {
    if (bytes.length === KEY_LENGTH) recording.draws.push(Buffer.from(bytes));
  });
  await context.addInitScript({ path: fileURLToPath(new URL('frame-recorder.page.js', import.meta.url)) });
  await context.route(/vrf\.worker[^/]*\.js$/, async (route) => {
    // Node does not resolve names under localhost.
    const response = await route.fetch({ url: route.request().url().replace('//wallet.', '//') });
    await route.fulfill({ response, body: TELL_DRAWS + (await response.text()) });
  });
  context.on('console', (message) => {
    recording.passed.push({ edge: '> console', text: message.text() });
  });
  return recording;
}

/** The inverse of this exponent in the group of p: of a client's two exponents, the one that it did not draw. */
function inverse(exponent: Buffer, p: Buffer): Buffer {
  const number = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`);
  const order = number(p) - 1n;
  let [r, next, t, after] = [order, number(exponent), 0n, 1n];
  while (next > 0n) {
    const times = r / next;
    [r, next, t, after] = [next, r - times * next, after, t - times * after];
  }
  const hex = ((t + order) % order).toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
}

/** The VRF secret key, as it lies encrypted in storage: public key, secret key. */
function vrfSecretKey(
  encrypted: { encryptedVrfDataB64u: string; chacha20NonceB64u: string },
  key: Buffer,
): Buffer {
  const data = Buffer.from(encrypted.encryptedVrfDataB64u, 'base64url');
  const nonce = Buffer.from(encrypted.chacha20NonceB64u, 'base64url');
  const cipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: 16 });
  cipher.setAuthTag(data.subarray(-16));
  return Buffer.concat([cipher.update(data.subarray(0, -16)), cipher.final()]).subarray(KEY_LENGTH);
}

/** Runs a step of the host, and presses the wallet's buttons until it has ended. */
async function approving<T>(host: Host, step: () => Promise<T>): Promise<T> {
  const button = host.wallet.getByRole('button', { name: AGREE });
  const more = host.wallet.getByRole('button', { name: 'Show more' });
  let isOver = false;
  const ended = step().finally(() => {
    isOver = true;
  });
  const pressing = (async () => {
    while (!isOver) {
      // It may have disappeared or been pressed since the query.
      for (const one of [more, button])
        if (await one.isVisible()) await one.click({ timeout: 2_000 }).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  })();
  const result = await ended;
  await pressing;
  return result;
}

test('secrets pass only from the page to its workers and to the key viewer [S1] [S2] [S3]', async ({
  context,
  open,
  places,
  stack,
  username,
}) => {
  test.setTimeout(150_000);
  const recording = await recordAll(context);
  const host = await open(places.shop);
  const { page } = host;
  const nearAccountId = accountOf(username);
  const greeting = {
    type: 'FunctionCall',
    methodName: 'set_greeting',
    args: { greeting: 'hidden' },
  } as const;
  const receiverId = 'w3a-v1.testnet';

  const registered = await approving(host, () =>
    page.evaluate((id) => attack.manager.registerPasskey(id), nearAccountId),
  );
  expect(registered).toMatchObject({ success: true });
  const action = { nearAccountId, receiverId, actionArgs: greeting };
  const done: unknown[] = [
    await approving(host, () => page.evaluate((asked) => attack.manager.executeAction(asked), action)),
    await approving(host, () =>
      page.evaluate(
        (id) =>
          attack.manager.signNEP413Message({
            nearAccountId: id,
            params: { message: 'hidden', recipient: 'guestbook.testnet' },
          }),
        nearAccountId,
      ),
    ),
  ];
  await stack.oracle.deployApp();
  const appKey = { nearAccountId, receiverId: APP, methodNames: ['set_greeting'] };
  done.push(await approving(host, () => page.evaluate((asked) => attack.manager.addAppKey(asked), appKey)));
  const call = {
    nearAccountId,
    receiverId: APP,
    methodName: 'set_greeting',
    args: { greeting: 'by app key' },
  };
  done.push(await page.evaluate((asked) => attack.manager.callWithAppKey(asked), call));

  // With the server lock, then with the passkey.
  const logIn = () =>
    approving(host, () => page.evaluate((id) => attack.manager.loginPasskey(id), nearAccountId));
  await page.evaluate(() => attack.manager.logoutAndClearVrfSession());
  done.push(await logIn());
  await page.evaluate(() => attack.manager.logoutAndClearVrfSession());
  stack.relay.fail('/vrf/remove-server-lock', { kind: 'status', status: 503 });
  done.push(await logIn());
  stack.relay.heal();
  done.push(
    await approving(host, () =>
      page.evaluate((accountId) => attack.manager.recoverAccountFlow({ accountId }), nearAccountId),
    ),
  );
  const second = await open(places.elsewhere);
  const { qrData } = await second.page.evaluate(() => attack.manager.startDevice2LinkingFlow());
  const joined = approving(second, () => second.page.evaluate((id) => attack.loggedIn(id), nearAccountId));
  await page.bringToFront();
  const before = host.prompts.length;
  const linking = approving(host, () =>
    page.evaluate((asked) => attack.manager.linkDeviceWithScannedQRData(asked), qrData),
  );
  const prompted = expect
    .poll(() => host.prompts.length, { timeout: PROMPT_TIMEOUT_MS })
    .toBeGreaterThan(before);
  // A linking that ends before its prompt says why. One that succeeds may end between two looks at the prompts.
  const ended = linking.then((result) =>
    expect(host.prompts.length, JSON.stringify(result)).toBeGreaterThan(before),
  );
  await Promise.race([prompted, ended]);
  // The browser creates a passkey only in the foreground.
  await second.page.bringToFront();
  done.push(await linking);
  await joined;
  for (const result of done) expect(result).toMatchObject({ success: true });
  await page.bringToFront();

  const viewer = viewerOf(host);
  const exporting = page.evaluate((id) => attack.manager.exportNearKeypairWithUI(id), nearAccountId);
  const show = viewer.getByRole('button', { name: 'Show' });
  await continueToKey(viewer);
  await show.click();
  await expect(viewer.getByText(/^ed25519:\w{80,}$/)).toBeVisible();
  await pressUntilGone(viewer.getByRole('button', { name: 'Done' }), viewerLayer(host));
  await exporting;

  const wallet = places.wallet;
  const secrets = await secretsOf(host.prfOutputs, registered, recording, stack.relay.url, nearAccountId);
  // A wrap and an unwrap of the server lock drew an exponent each.
  expect(recording.draws.length).toBeGreaterThanOrEqual(2);
  const calls = stack.proxies.flatMap((proxy) => proxy.calls);
  recording.passed.push(...calls.map(({ body }) => ({ edge: '> network', text: body })));
  expect(leaksOf(recording, secrets)).toEqual({
    [`${wallet} > vrf worker`]: ['PRF.first', 'PRF.first (2)'],
    [`${wallet} > signer worker`]: ['PRF.first', 'PRF.first (2)', 'PRF.second', 'PRF.second (2)'],
    'port > key viewer': ['NEAR private key text'],
  });

  // The recorder sees each place in each frame, and the search finds each encoding: it finds every planted secret.
  for (const [name, secret] of Object.entries(secrets)) {
    for (const planted of spellings(secret))
      expect(secretsIn(`"${planted}"`, { [name]: secret })).toEqual([name]);
  }
  const frame = page.frames().find((of) => of.url().startsWith(wallet));
  const plants: [edge: string, of: string][] = [
    [`window > ${places.shop}`, 'PRF.first'],
    [`${wallet} > port`, 'PRF.second'],
    [`${wallet} > broadcast`, 'VRF seed'],
    [`${wallet} > storage`, 'VRF secret key'],
    ['> console', 'NEAR seed'],
  ];
  recording.passed.length = 0;
  await frame?.evaluate(
    async ([inWindow, onPort, onChannel, inStorage, onConsole]) => {
      parent.postMessage({ deep: [{ in: new Uint8Array(inWindow!) }] }, '*');
      new MessageChannel().port1.postMessage(new Uint8Array(onPort!).buffer);
      new BroadcastChannel('leak').postMessage(new Map([['leak', onChannel]]));
      const opened = indexedDB.open('leaks', 1);
      await new Promise<void>((resolve) => {
        opened.onupgradeneeded = () => opened.result.createObjectStore('leaks');
        opened.onsuccess = () => resolve();
      });
      const store = opened.result.transaction('leaks', 'readwrite').objectStore('leaks');
      store.put({ leak: new DataView(new Uint8Array(inStorage!).buffer) }, 'leak');
      console.log(onConsole!.map((byte) => byte.toString(16).padStart(2, '0')).join(''));
    },
    plants.map(([, name]) => [...secrets[name]!]),
  );
  await expect
    .poll(() => leaksOf(recording, secrets))
    .toEqual(Object.fromEntries(plants.map(([edge, name]) => [edge, [name]])));
});

/** Which secrets passed which edge. Each edge is searched once: the search spells each secret in each encoding. */
function leaksOf({ passed }: Recording, secrets: Record<string, Buffer>): Record<string, string[]> {
  const leaks = [...new Set(passed.map(({ edge }) => edge))].map((edge) => {
    const text = passed.flatMap((one) => (one.edge === edge ? [one.text] : [])).join('\n');
    return [edge, secretsIn(text, secrets).sort()] as const;
  });
  return Object.fromEntries(leaks.filter(([, names]) => names.length > 0));
}

const spellings = (bytes: Buffer): string[] => [
  bytes.toString('hex'),
  bytes.toString('base64'),
  bytes.toString('base64url'),
  base58.encode(bytes),
  JSON.stringify([...bytes]),
];

/** Everything that must be hidden, by name. */
async function secretsOf(
  prfOutputs: readonly PrfOutputs[],
  registered: { vrfRegistration: { encryptedVrfKeypair: Parameters<typeof vrfSecretKey>[0] | null } },
  { draws }: Recording,
  relayUrl: string,
  accountId: string,
): Promise<Record<string, Buffer>> {
  expect(prfOutputs.length).toBeGreaterThanOrEqual(6);
  const passkeys = new Map(prfOutputs.map((outputs) => [outputs.first.toString('hex'), outputs]));
  expect(passkeys.size, 'one passkey on each device').toBe(2);
  const [secrets = {}, ofSecond = {}] = [...passkeys.values()].map((outputs) =>
    derivedSecrets(accountId, outputs),
  );
  const { encryptedVrfKeypair } = registered.vrfRegistration;
  const info = (await (await fetch(`${relayUrl}/shamir/key-info`)).json()) as { p_b64u: string };
  const p = Buffer.from(info.p_b64u, 'base64url');
  const drawn = draws.flatMap((bytes, index) => [
    [`draw ${index}`, bytes] as const,
    ...(bytes.at(-1)! % 2 === 1 ? [[`inverse of draw ${index}`, inverse(bytes, p)] as const] : []),
  ]);
  return {
    ...secrets,
    ...Object.fromEntries(Object.entries(ofSecond).map(([name, bytes]) => [`${name} (2)`, bytes])),
    'VRF secret key': vrfSecretKey(encryptedVrfKeypair!, secrets['VRF encryption key']!),
    ...Object.fromEntries(drawn),
  };
}
