/** A Durable Object that is interrupted in the middle of a payment, in the Workers runtime. */
import assert from 'node:assert/strict';
import { makeRegistration } from '../../../server/src/testing/registration.js';
import { createRpcClient } from '../../../ts/src/near/index.js';
import type { FaultProxy } from '../../support/fault-proxy.js';
import { good } from '../tools.mjs';
import type { RunningWorker, Variables } from './workerd.js';

const REGISTER = '/create_account_and_register_user';
const METRICS_TOKEN = 'an-operators-token-of-32-letters';
const PATIENCE_MS = 60_000;

/** The object wakes up by its alarm: after each interruption no request comes but the operator's. */
export async function checkInterrupted(
  worker: RunningWorker,
  variables: Variables,
  node: FaultProxy,
): Promise<void> {
  const rpc = createRpcClient({ urls: node.url });
  const settings = { ...variables, RELAY_SPEND_CAP_NEAR: '100', METRICS_TOKEN };
  await worker.restart(settings);
  const before = await readStatus(worker);
  const balance = async () => BigInt((await rpc.viewAccount('relayer.testnet'))?.amount ?? 0);
  const balanceBefore = await balance();

  /** Restarts the runtime while the object has money reserved and its call of this name waits, which no node gets. */
  const interruptAt = async (name: string, request: object): Promise<void> => {
    const arrivals = () => node.calls.filter((call) => call.name === name).length;
    const seen = arrivals();
    node.hold(name);
    const lost = ask(worker, request).catch(() => null);
    // A call may be another one's: an object also reads its keys by itself.
    await until(async () => arrivals() > seen && (await readStatus(worker)).reservedYocto !== '0');
    await worker.restart(settings);
    node.heal();
    await lost;
  };
  const requests = [await makeRegistration(rpc), await makeRegistration(rpc)] as const;
  await interruptAt('query:view_access_key', requests[0]);
  await interruptAt('send_tx', requests[1]);
  await until(async () => (await readStatus(worker)).reservedYocto === '0');
  const after = await readStatus(worker);
  const spent = balanceBefore - (await balance());
  assert.equal(BigInt(after.countedYocto) - BigInt(before.countedYocto), spent);
  for (const event of ['reservations_ended', 'registration_swept'])
    assert.ok(
      worker.lines.some((line) => line.includes(`"${event}"`)),
      `${event} is not in the log`,
    );
  assert.ok(await rpc.viewAccount(requests[1].new_account_id), 'the signed registration was not sent');
  for (const request of requests) assert.equal((await ask(worker, request)).status, 200);
  assert.equal((await readStatus(worker)).reservedYocto, '0');
  good('a Durable Object that was interrupted ends what it left, though no client comes back');
}

const ask = (worker: RunningWorker, request: object): Promise<Response> =>
  fetch(worker.url + REGISTER, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });

async function readStatus(worker: RunningWorker): Promise<{ countedYocto: string; reservedYocto: string }> {
  const answer = await fetch(`${worker.url}/status`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  return (await answer.json()) as { countedYocto: string; reservedYocto: string };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; ) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('it did not come to that');
}
