// A hostile host that floods the user with requests: few wait in line, and the user can end them all.
// Specification: frame 8
import { pressUntilGone, TRANSACTION } from '../support/steps.js';
import { ask, connect, endOf, expect, type Host, refusedWith, start, test } from './attack-host/fixture.js';
import type { AttackPage } from './attack-host/main.js';

declare const attack: AttackPage;

test.use({ actionTimeout: 15_000 });

const MAX_ASKING = 8;
const REFUSALS_IN_A_ROW = 5;

const dialogOf = ({ wallet }: Host) => wallet.getByRole('dialog', { name: TRANSACTION });
const cancel = (host: Host) => dialogOf(host).getByRole('button', { name: 'Cancel' });
const stop = (host: Host) => dialogOf(host).getByRole('button', { name: 'Stop requests from this site' });

/** A payment of this many yoctoNEAR, so that the user sees which one it is. */
const payment = (nearAccountId: string, amount: number) => ({
  nearAccountId,
  receiverId: 'evil.testnet',
  actionArgs: { type: 'Transfer', amount: String(amount) },
});

/** How many of the requests have ended. */
const ended = ({ page }: Host, ids: readonly string[]) =>
  page.evaluate(
    (all) =>
      all.filter((id) =>
        attack.ports.flat().some((of) => of.requestId === id && /PM_RESULT|ERROR/.test(of.type ?? '')),
      ).length,
    ids,
  );

/** Presses Cancel until so many of the requests have ended: Chromium drops a press on a frame that has just moved. */
async function refuseOne(host: Host, ids: readonly string[], refused: number): Promise<void> {
  await expect(async () => {
    if ((await ended(host, ids)) < refused) await cancel(host).click({ timeout: 2_000 });
    await expect.poll(() => ended(host, ids), { timeout: 2_000 }).toBeGreaterThanOrEqual(refused);
  }).toPass();
}

test('a host that asks without end gets few requests into the line, and a pause after five refusals [S19]', async ({
  openRegistered,
}) => {
  const { host, nearAccountId } = await openRegistered();
  const before = host.prompts.length;

  const ids: string[] = [];
  for (let amount = 1; amount <= 60; amount += 1)
    ids.push(await start(host, 'PM_EXECUTE_ACTION', payment(nearAccountId, amount)));
  for (const id of ids.slice(MAX_ASKING))
    expect(await endOf(host, id)).toMatchObject(refusedWith('HOST_BUSY'));

  const inLine = ids.slice(0, MAX_ASKING);
  for (let refused = 1; refused <= REFUSALS_IN_A_ROW; refused += 1) await refuseOne(host, inLine, refused);
  const ends = await Promise.all(inLine.map((id) => endOf(host, id)));
  const codes = ends.map(({ payload }) => JSON.stringify(payload));
  expect(codes.filter((text) => text.includes('HOST_PAUSED'))).toHaveLength(MAX_ASKING - REFUSALS_IN_A_ROW);
  await expect(host.wallet.getByRole('dialog')).toHaveCount(0);

  // Neither another request nor a new frame ends the pause.
  const refusal = { payload: { result: { success: false, errorCode: 'HOST_PAUSED' } } };
  expect(await ask(host, 'PM_EXECUTE_ACTION', payment(nearAccountId, 1))).toMatchObject(refusal);
  await connect(host);
  expect(await ask(host, 'PM_EXPORT_NEAR_KEYPAIR_UI', { nearAccountId })).toMatchObject(
    refusedWith('HOST_PAUSED'),
  );
  expect(host.prompts).toHaveLength(before);
});

test('the user stops a host for good with one press, and lets it ask again in the settings [S19]', async ({
  openRegistered,
  places,
}) => {
  const { host, nearAccountId } = await openRegistered();

  const ids: string[] = [];
  for (let amount = 1; amount <= 4; amount += 1)
    ids.push(await start(host, 'PM_EXECUTE_ACTION', payment(nearAccountId, amount)));
  await refuseOne(host, ids, 1);
  await expect(async () => {
    if ((await ended(host, ids)) < ids.length) await stop(host).click({ timeout: 2_000 });
    await expect.poll(() => ended(host, ids), { timeout: 2_000 }).toBe(ids.length);
  }).toPass();
  await expect(host.wallet.getByRole('dialog')).toHaveCount(0);

  // A login through the server lock asks nothing of the user, so it goes on.
  await connect(host);
  expect(await ask(host, 'PM_LOGIN', { nearAccountId })).toMatchObject({
    payload: { result: { success: true } },
  });
  const stopped = await ask(host, 'PM_EXECUTE_ACTION', payment(nearAccountId, 1));
  expect(JSON.stringify(stopped)).toContain(`stopped the requests of ${places.neighbour}`);

  const id = await start(host, 'PM_OPEN_SETTINGS');
  const settings = host.wallet.getByRole('dialog', { name: 'Transaction Settings' });
  await expect(settings).toContainText(`${new URL(places.neighbour).host} may not ask you for anything`);
  const allow = settings.getByRole('button', { name: 'Allow requests again' });
  await pressUntilGone(allow, allow);
  await expect(settings).toContainText('may ask you again');
  await pressUntilGone(settings.getByRole('button', { name: 'Close' }), settings);
  await endOf(host, id);
  const again = await start(host, 'PM_EXECUTE_ACTION', payment(nearAccountId, 1));
  await refuseOne(host, [again], 1);
  expect(JSON.stringify(await endOf(host, again))).toContain('CANCELLED');
});
