/** The port's limits on kind and size of messages. */
import { describe, expect, it } from 'vitest';
import { CANCELLED, LatchkeyError } from '../errors/core.js';
import { MAX_DEPTH, MAX_REQUEST_SIZE, MAX_VALUES } from './plain.js';
import { CASES } from './testing/cases.js';
import { ACTION, type ActionArgs, connected, never, raw, untilAborted } from './testing/ports.js';
import { MAX_ASKING, MAX_RUNNING } from './wallet/limits.js';

describe('Limits (frame 7, frame 8)', () => {
  const deploy = (size: number) => ({
    nearAccountId: 'a.testnet',
    receiverId: 'a.testnet',
    actionArgs: { type: 'DeployContract', code: new Uint8Array(size) },
  });
  const call = (args: unknown) => ({
    nearAccountId: 'a.testnet',
    receiverId: 'b.testnet',
    actionArgs: { type: 'FunctionCall', methodName: 'm', args },
  });
  const nested = (depth: number): unknown => (depth === 0 ? 1 : { deeper: nested(depth - 1) });
  const answers = { executeAction: async (..._: ActionArgs) => CASES.PM_EXECUTE_ACTION.gives };
  const MB = 1024 * 1024;

  it.each([
    ['a contract of 4 MB', deploy(4 * MB)],
    ['arguments of 4 MB', call('x'.repeat(4 * MB))],
  ])('let %s through', async (_, payload) => {
    const { ask, answersTo } = raw(answers);
    expect(await answersTo(ask('PM_EXECUTE_ACTION', payload))).toMatchObject([{ type: 'PM_RESULT' }]);
  });

  it.each([
    ['a larger contract', deploy(4 * MB + 1), 'payload.actionArgs.code'],
    ['longer arguments', call('x'.repeat(4 * MB + 1)), 'payload.actionArgs.args'],
    ['a larger message', call({ a: 'x'.repeat(MAX_REQUEST_SIZE) }), 'payload.actionArgs.args.a'],
    ['a message of too many values', call({ a: Array(MAX_VALUES).fill(0) }), 'payload.actionArgs.args.a.'],
    [
      'a sparse list that claims to be long',
      call({ a: Object.assign([], { length: 2 ** 31 }) }),
      'payload.actionArgs.args.a',
    ],
    ['a message nested too deep', call(nested(MAX_DEPTH)), 'payload.actionArgs.args.deeper.'],
    ['anything but plain data', call({ when: new Date(0) }), 'payload.actionArgs.args.when'],
    ['a number that is none', call({ n: Number.NaN }), 'payload.actionArgs.args.n'],
  ])('refuse %s', async (_, payload, field) => {
    const { ask, answersTo, calls } = raw(answers);
    const [refusal, ...others] = await answersTo(ask('PM_EXECUTE_ACTION', payload));
    expect(refusal).toMatchObject({ type: 'ERROR', payload: { code: 'INVALID_MESSAGE' } });
    expect(refusal?.payload?.details).toEqual({
      field: expect.stringMatching(`^${field.replaceAll('.', '\\.')}`),
    });
    expect(others).toEqual([]);
    expect(calls).toEqual([]);
  });

  it('refuse more concurrent requests than a page needs, and accept others once some have ended', async () => {
    const { ask, answersTo, said } = raw({ getLinkedDevices: never, hasPasskeyCredential: async () => true });
    for (let index = 1; index < MAX_RUNNING; index += 1) ask('PM_GET_LINKED_DEVICES', { accountId: 'a' });
    const last = ask('PM_HAS_PASSKEY', { nearAccountId: 'a' });
    expect(await answersTo(last)).toMatchObject([{ type: 'PM_RESULT' }]);
    ask('PM_GET_LINKED_DEVICES', { accountId: 'a' });
    const refused = ask('PM_HAS_PASSKEY', { nearAccountId: 'a' });
    await expect
      .poll(() => said.filter(({ requestId }) => requestId === refused))
      .toMatchObject([{ type: 'ERROR', payload: { code: 'INVALID_MESSAGE' } }]);
  });

  it('refuse more requests for the user than can wait in line, and never a read meanwhile [S19]', async () => {
    const { ask, answersTo, calls, said } = raw({
      executeAction: untilAborted(() => Promise.reject(new LatchkeyError(CANCELLED))),
      hasPasskeyCredential: async () => true,
    });
    const asked = Array.from({ length: MAX_ASKING + 1 }, () => ask('PM_EXECUTE_ACTION', ACTION));
    expect(await answersTo(asked.at(-1) ?? '')).toMatchObject([
      {
        type: 'ERROR',
        payload: { code: 'HOST_BUSY', message: expect.stringContaining(`${MAX_ASKING} requests`) },
      },
    ]);
    expect(calls).toHaveLength(MAX_ASKING);
    const read = ask('PM_HAS_PASSKEY', { nearAccountId: 'a' });
    expect(await answersTo(read)).toMatchObject([{ type: 'PM_RESULT' }]);
    // One that the host takes back makes room for another.
    ask('PM_CANCEL', { requestId: asked[0] });
    const ended = () => said.filter(({ requestId, type }) => requestId === asked[0] && type === 'ERROR');
    await expect.poll(ended).toHaveLength(1);
    ask('PM_EXECUTE_ACTION', ACTION);
    await expect
      .poll(() => calls.filter(({ method }) => method === 'executeAction'))
      .toHaveLength(MAX_ASKING + 1);
  });

  it('leave room to cancel running requests', async () => {
    const { ask, answersTo } = raw({ getLinkedDevices: never, hasPasskeyCredential: async () => true });
    for (let index = 0; index < MAX_RUNNING; index += 1) ask('PM_GET_LINKED_DEVICES', { accountId: 'a' });
    const cancel = ask('PM_CANCEL');
    expect(await answersTo(cancel)).toMatchObject([{ type: 'PONG' }]);
    expect(await answersTo(ask('PM_HAS_PASSKEY', { nearAccountId: 'a' }))).toMatchObject([
      { type: 'PM_RESULT' },
    ]);
  });

  it('name a value that a host cannot send, before sending it', async () => {
    const { client, asked, settled } = connected(answers);
    const payload = call({ onDone: () => undefined }) as never;
    await expect(client.request('PM_EXECUTE_ACTION', payload)).rejects.toMatchObject({
      code: 'INVALID_MESSAGE',
      details: { field: 'payload.actionArgs.args.onDone' },
    });
    await settled();
    expect(asked.map(({ type }) => type)).toEqual(['PING', 'PING']);
  });

  it('leave out undefined fields', async () => {
    const { client, calls } = connected(answers);
    await client.request('PM_EXECUTE_ACTION', { ...ACTION, waitUntil: undefined } as never);
    expect(calls[0]?.args[0]).not.toHaveProperty('options.waitUntil');
  });
});
