/** What the operator learns about the day's budget, from a real relay on the real chain. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { operatedRelays, RELAYER } from '../../../tests/support/relay/operated-relay.js';
import { spawnRelay } from '../../../tests/support/relay/relay-process.js';
import type { RelayStatus } from '../observe/status.js';
import { temporaryFolder } from '../testing/temporary-folder.js';
import { askStatus, describeStatus, readStatusTarget } from './status-command.js';

const METRICS_TOKEN = 'an-operators-token-of-32-letters';
const CAP = 5n * 10n ** 23n;

const on = operatedRelays({ RELAY_DAILY_SHARE: 'off', METRICS_TOKEN });
const folder = temporaryFolder();

async function start(env: Record<string, string> = {}) {
  const { register, url, lines, stop } = await on.start(env);
  const alarms = () => lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'budget_alarm');
  const metric = async (name: string) => {
    const page = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    const found = (await page.text()).split('\n').find((line) => line.startsWith(`latchkey_relay_${name} `));
    return found?.split(' ')[1];
  };
  return { url, register: async () => (await register()).status, alarms, metric, lines, stop };
}

describe('the alarm (core 9)', { timeout: 60_000 }, () => {
  it('is raised at 50 and at 80 percent, once a day, also over a restart', async () => {
    const env = { RELAY_SPEND_CAP_NEAR: '0.25', RELAY_STATE_FILE: folder.file('alarm.json') };
    const first = await start(env);
    expect(await first.register()).toBe(200);
    expect(first.alarms()).toEqual([
      expect.objectContaining({ level: 'warn', percent: 50, relayerAccountId: RELAYER, capNear: '0.25' }),
    ]);
    expect(await first.metric('budget_alarms_total{percent="50"}')).toBe('1');
    expect(await first.register()).toBe(200);
    expect(first.alarms()).toMatchObject([{ percent: 50 }, { level: 'error', percent: 80 }]);
    await first.stop();

    const second = await start(env);
    expect(await second.register()).toBe(429);
    expect(await second.metric('budget_alarms_total{percent="80"}')).toBe('0');
    expect(second.alarms()).toEqual([]);
  });

  it('is posted to the operator’s address, and a failure to do so hides no part of that address in the log', async () => {
    const posted: unknown[] = [];
    let status = 200;
    const hook = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      posted.push({
        method: request.method,
        url: request.url,
        body: JSON.parse(Buffer.concat(parts).toString()),
      });
      response.writeHead(status).end();
    }).listen(0, '127.0.0.1');
    await once(hook, 'listening');
    const address = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hooks/secret-part`;
    try {
      const env = { RELAY_SPEND_CAP_NEAR: '0.25', BUDGET_ALARM_URL: address };
      const relay = await start(env);
      expect(await relay.register()).toBe(200);
      await vi.waitFor(() => expect(posted).toHaveLength(1), { timeout: 10_000 });
      expect(posted[0]).toMatchObject({
        method: 'POST',
        url: '/hooks/secret-part',
        body: { event: 'budget_alarm', percent: 50, relayerAccountId: RELAYER, capNear: '0.25' },
      });

      status = 500;
      const refused = await start(env);
      expect(await refused.register()).toBe(200);
      await vi.waitFor(() => expect(refused.lines.join('\n')).toContain('budget_webhook_failed'), {
        timeout: 10_000,
      });
      hook.closeAllConnections();
      hook.close();
      const unreachable = await start(env);
      expect(await unreachable.register()).toBe(200);
      await vi.waitFor(() => expect(unreachable.lines.join('\n')).toContain('budget_webhook_failed'), {
        timeout: 10_000,
      });
      for (const { lines } of [relay, refused, unreachable])
        expect(lines.join('\n')).not.toContain('secret-part');
    } finally {
      hook.close();
    }
  });
});

describe('the status (core 7)', { timeout: 60_000 }, () => {
  const read = (url: string, token = METRICS_TOKEN) =>
    askStatus(readStatusTarget({ METRICS_TOKEN: token }, url));

  it('says what the relayer has, what an account costs, and what is left, as the chain and the cap have it', async () => {
    const { url, register } = await start({ RELAY_SPEND_CAP_NEAR: '0.5' });
    const before = await read(url);
    expect(before).toMatchObject({ relayerAccountId: RELAYER, capYocto: String(CAP), countedYocto: '0' });
    expect(before.leftYocto).toBe(String(CAP));
    expect(await register()).toBe(200);
    const after = await read(url);
    const spent = BigInt(before.balanceYocto) - BigInt(after.balanceYocto);
    expect(BigInt(after.countedYocto)).toBe(spent);
    expect(BigInt(after.leftYocto ?? 0)).toBe(CAP - spent);
    expect(spent).toBeLessThanOrEqual(BigInt(after.accountYocto));
    expect(BigInt(after.accountYocto)).toBeLessThan(BigInt(after.reserveYocto));

    let registered = 0;
    while ((await register()) === 200) registered += 1;
    // The price is the most that gas can cost: the relay may do better than it says.
    expect(registered).toBeGreaterThanOrEqual(after.accountsLeft);
    expect(registered).toBeLessThanOrEqual(after.accountsLeft + 2);
    expect(await read(url)).toMatchObject({ accountsLeft: 0 });
  });

  it('is printed by the command', async () => {
    const { url } = await start({ RELAY_SPEND_CAP_NEAR: '1' });
    const child = spawnRelay({ METRICS_TOKEN }, ['status', '--url', url]);
    const out: string[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(String(chunk)));
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(out.join('')).toMatch(/^relayer +relayer\.testnet$/m);
    expect(out.join('')).toMatch(/^left today +1 NEAR of 1 NEAR$/m);
    expect(out.join('')).toMatch(/^accounts left +\d+$/m);
  });

  it('says that there is no cap, and counts the accounts by the balance alone', async () => {
    const { url } = await start({ RELAY_SPEND_CAP_NEAR: 'none' });
    const status: RelayStatus = await read(url);
    expect(status).toMatchObject({ capYocto: null, leftYocto: null });
    expect(status.accountsLeft).toBeGreaterThan(100);
    expect(describeStatus(status)).toContain('no cap');
  });

  it('names what was wrong when it cannot be read', async () => {
    const { url } = await start();
    await expect(read(url, 'another-token-of-the-operator')).rejects.toThrow('has another METRICS_TOKEN');
    const closed = await start({ METRICS_TOKEN: '' });
    await expect(read(closed.url)).rejects.toThrow('has no METRICS_TOKEN');
    await expect(read('http://127.0.0.1:9')).rejects.toThrow('no relay answers at http://127.0.0.1:9');
    await expect(read(on.chain.url)).rejects.toThrow(on.chain.url);
    expect(() => readStatusTarget({})).toThrow('METRICS_TOKEN: is missing');
    on.proxy.fail('*', { kind: 'refuse' });
    await expect(read(url)).rejects.toThrow('The chain cannot be read');
    on.proxy.heal();
  });
});
