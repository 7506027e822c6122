// A hostile host and linking: it wants a key of its own on the account, in place of the key of the user's new device.
// Specification: frame 7
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkCode } from 'latchkey';
import { KeyPair } from 'near-api-js';
import { secretKeyText } from '../../dev/services/keys.js';
import { fakeCameraFlags, showQr } from '../../scripts/fake-camera.mjs';
import { launchChromium, recordCeremonies } from '../support/browser.js';
import {
  ask,
  cancel,
  confirm,
  confirmButton,
  connect,
  endOf,
  expect,
  type Host,
  openHost,
  refusedWith,
  register,
  start,
  test,
} from './attack-host/fixture.js';
import type { AttackPage } from './attack-host/main.js';
import { openWindow } from './popup/window.js';

declare const attack: AttackPage;

/**
 * Two keys whose texts have the same first 40 bits of SHA-256, which were the whole check code once. The second is the
 * attacker's: any two such keys take seconds to find, one for a given code takes hours.
 */
const [OF_DEVICE, TWIN] = [
  'ed25519:Ew2utBmshShFr1vNmiRShw2oDujJqgY9yr2UVAjfB3JZ',
  'ed25519:F726gECxdA1EN2FnjmrgvVZkXHvZaR2uosGNLcBEenjw',
] as const;
const newKey = (): string =>
  KeyPair.fromString(secretKeyText(randomBytes(32)))
    .getPublicKey()
    .toString();
const qrOf = (device2PublicKey: string) =>
  ({ device2PublicKey, timestamp: Date.now(), version: '1.0' }) as const;
const grouped = (code: string): string => code.replace(/.{4}(?=.)/g, '$& ');
/** The check code in the wallet's confirmation. */
const shownCode = ({ wallet }: Host): Promise<string> =>
  wallet.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4})+$/).innerText();

test.use({ actionTimeout: 15_000 });

test('a host cannot pass off its own key by a check code that it has matched [S68]', async ({
  openRegistered,
  places,
}) => {
  const { host } = await openRegistered(places.shop);
  const id = await start(host, 'PM_LINK_DEVICE_WITH_SCANNED_QR_DATA', { qrData: qrOf(TWIN) });
  await expect(confirmButton(host)).toBeVisible();
  // This host may hand in a code, and the dialog says that it did.
  const dialog = host.wallet.getByRole('dialog', { name: 'A page wants to let a device in' });
  await expect(dialog).toContainText(`${places.shop} scanned this code, not your wallet.`);
  const shown = await shownCode(host);
  expect(shown).toBe(grouped(await checkCode(TWIN)));
  expect(shown).not.toBe(grouped(await checkCode(OF_DEVICE)));
  await host.wallet.getByRole('button', { name: 'Cancel' }).click();
  expect(await endOf(host, id)).toMatchObject({ payload: { result: { errorCode: 'CANCELLED' } } });
});

/** A host in a browser whose camera sees the code of the new device. `mayHandIn`: it may hand in codes of its own too. */
const seeing = test.extend<{ host: Host; deviceKey: string; mayHandIn: boolean }>({
  mayHandIn: [false, { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
  deviceKey: async ({}, use) => use(newKey()),
  host: async ({ stack, places, deviceKey, mayHandIn }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-attack-'));
    const camera = join(folder, 'camera.y4m');
    showQr(camera, JSON.stringify(qrOf(deviceKey)));
    const browser = await launchChromium(fakeCameraFlags(camera));
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const ceremonies = await recordCeremonies(context);
    const origin = mayHandIn ? places.shop : places.neighbour;
    const host = await openHost(context, stack, origin, places.wallet, ceremonies);
    await use(host);
    expect(host.failures, 'what no attack may cause').toEqual([]);
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  },
});

/** Every message that the wallet sent to the host's page. */
const toldTo = ({ page }: Host): Promise<string> => page.evaluate(() => JSON.stringify(attack.ports));

/** Agrees to let the device before the camera in, and expects its key to be added. */
async function expectOnlyDevice(host: Host, id: string, deviceKey: string): Promise<void> {
  await expect(confirmButton(host)).toHaveText('Link device');
  const code = await checkCode(deviceKey);
  expect(await shownCode(host)).toBe(grouped(code));
  // The host knows that the user is asked, and not about which key.
  await expect.poll(() => toldTo(host)).toContain('"authorization"');
  for (const secret of [deviceKey, code]) expect(await toldTo(host)).not.toContain(secret);
  await confirm(host);
  expect(await endOf(host, id)).toMatchObject({
    payload: { result: { success: true, device2PublicKey: deviceKey } },
  });
}

seeing(
  "a host that keeps the camera from the frame gains nothing: the wallet's own window scans [S30]",
  async ({ host, stack, username, deviceKey }) => {
    await host.page.evaluate(() => attack.forbidCamera());
    await connect(host);
    const accountId = await register(host, username);
    const id = await start(host, 'PM_SCAN_AND_LINK_DEVICE', {});
    const scanner = await openWindow(host.page, host.wallet);
    await scanner.waitForEvent('close');
    await expectOnlyDevice(host, id, deviceKey);
    expect(await stack.oracle.fullAccessKeys(accountId)).toContain(deviceKey);
    expect(await toldTo(host)).not.toContain('"timestamp"');
  },
);

/** Takes the attacker's place after the scan: ends the request, and hands in another key as often as the wallet is busy. */
async function swap(host: Host, id: string, qrData: ReturnType<typeof qrOf>): Promise<void> {
  await expect(confirmButton(host)).toHaveText('Link device');
  await cancel(host, id);
  const handIn = () => ask(host, 'PM_LINK_DEVICE_WITH_SCANNED_QR_DATA', { qrData });
  await expect
    .poll(handIn)
    .toMatchObject({ payload: { result: { success: false, errorCode: 'LINK_CODE_REFUSED' } } });
}

for (const mayHandIn of [false, true]) {
  seeing.describe(mayHandIn ? 'a host in linkCodeHosts' : 'a host that is not in linkCodeHosts', () => {
    seeing.use({ mayHandIn });

    seeing(
      'cannot put a key of its own in the place of what the wallet scans or after it, and learns neither key nor code of the scan [S32]',
      async ({ host, stack, username, deviceKey }) => {
        await connect(host);
        const accountId = await register(host, username);
        const before = await stack.oracle.fullAccessKeys(accountId);
        const prompts = host.prompts.length;
        await swap(host, await start(host, 'PM_SCAN_AND_LINK_DEVICE', {}), qrOf(TWIN));
        const heard = await toldTo(host);
        for (const secret of [deviceKey, await checkCode(deviceKey)]) expect(heard).not.toContain(secret);

        // A frame that is loaded again still takes no code.
        await connect(host);
        expect(await ask(host, 'PM_LOGIN', { nearAccountId: accountId })).toMatchObject({
          payload: { result: { success: true } },
        });
        await expect
          .poll(() => ask(host, 'PM_LINK_DEVICE_WITH_SCANNED_QR_DATA', { qrData: qrOf(TWIN) }))
          .toMatchObject({ payload: { result: { errorCode: 'LINK_CODE_REFUSED' } } });
        expect(host.prompts.length).toBe(prompts);
        expect(await stack.oracle.fullAccessKeys(accountId)).toEqual(before);

        // A new scan by the wallet takes the place of the last one. Neither a payload nor a second request changes what it sees.
        const qrData = qrOf(TWIN);
        expect(await ask(host, 'PM_SCAN_AND_LINK_DEVICE', { qrData })).toMatchObject(
          refusedWith('INVALID_MESSAGE'),
        );
        const id = await start(host, 'PM_SCAN_AND_LINK_DEVICE', {});
        await expect(host.wallet.getByRole('dialog')).toBeVisible();
        expect(await ask(host, 'PM_LINK_DEVICE_WITH_SCANNED_QR_DATA', { qrData })).toMatchObject({
          payload: { result: { errorCode: 'LINK_BUSY' } },
        });
        await expectOnlyDevice(host, id, deviceKey);
        const after = await stack.oracle.fullAccessKeys(accountId);
        expect(after.filter((key) => !before.includes(key))).toEqual([deviceKey]);
      },
    );
  });
}
