// How many calls each flow makes to the chain, on two addresses of one provider; both devices of a linking count.
// Specification: issue budgets; public endpoints count each call.
import { setTimeout as sleep } from 'node:timers/promises';
import { RELAYER } from '../../dev/services/services.js';
import { NODES_LAG } from '../support/providers.js';
import { authorize, linked } from './linking.js';
import { accountOf, expect, pay, test, type Wallet } from './wallet.js';

/** In the end device 1 looks whether the temporary key is gone. */
const AFTERWARDS_MS = 6_000;
const QUIET_MS = 1_000;
/** While a prompt waits for its user, device 2 looks this often whether the key that the code shows is still there. */
const WATCH_MS = 3_000;
const KEY_LIST = 'query:view_access_key_list';

/** How often each call was made, most often first. */
function counted(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.map(([name, count]) => `${count} ${name}`).join(', ');
}

function expectAtMost(names: readonly string[], budget: number, flow: string): void {
  expect(names.length, `${flow}: ${counted(names)}`).toBeLessThanOrEqual(budget);
}

const callsOf = ({ nodes }: Wallet): string[] => nodes.flatMap(({ calls }) => calls).map(({ name }) => name);

const transfer = (wallet: Wallet) => async () => {
  await wallet.execute(RELAYER, { type: 'Transfer', amount: '1000' });
};

// Nodes that lag are asked again.
test.skipIf(NODES_LAG)(
  'a registration, payments, a message and a list of devices keep to their budgets',
  async ({ wallet, stack }) => {
    expectAtMost(callsOf(wallet), 6, 'registration');
    await pay(stack, wallet.accountId, 5n);
    // The price of gas is read once in half a minute.
    expectAtMost((await wallet.during(transfer(wallet))).rpc, 4, 'first payment');
    const list = await wallet.during(() => wallet.manager.getLinkedDevices(wallet.accountId));
    expectAtMost(list.rpc, 4, 'list of devices');
    expectAtMost((await wallet.during(transfer(wallet))).rpc, 3, 'payment');
    const message = await wallet.during(async () => {
      const params = { message: 'Hello', recipient: 'app.example' };
      const signed = await wallet.manager.signNEP413Message({ nearAccountId: wallet.accountId, params });
      expect(signed).toMatchObject({ success: true });
    });
    expectAtMost(message.rpc, 1, 'message');
  },
);

test.skipIf(NODES_LAG)(
  'linking a device keeps to its budget on both devices together',
  async ({ open, username }) => {
    const device1 = await open();
    await device1.register(accountOf(username));
    const device2 = await open();
    const registration = callsOf(device1).length;
    const began = Date.now();
    const code = await device2.facade.startLinking();
    await authorize(device1, code);
    await linked(device2);
    const watched = Math.floor((Date.now() - began) / WATCH_MS);
    const before = device1.calls(KEY_LIST);
    await expect.poll(() => device1.calls(KEY_LIST), { timeout: AFTERWARDS_MS }).toBeGreaterThan(before);
    await sleep(QUIET_MS);
    const calls = [...callsOf(device1).slice(registration), ...callsOf(device2)];
    expectAtMost(calls, 30 + watched, 'linking');
  },
);
