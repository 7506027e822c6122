/** The arguments of a call arrive over the port as the caller gave them. */
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { CASES } from './testing/cases.js';
import { connect } from './testing/recording-wallet.js';

async function arrived(args: unknown): Promise<unknown> {
  const both = connect({ executeAction: async () => CASES.PM_EXECUTE_ACTION.gives });
  try {
    const actionArgs = { type: 'FunctionCall', methodName: 'play', args };
    const payload = { nearAccountId: 'alice.testnet', receiverId: 'app.testnet', actionArgs };
    await both.client.request('PM_EXECUTE_ACTION', payload as never);
    const [given] = both.calls[0]!.args as readonly [{ actionArgs: { args: unknown } }];
    return given.actionArgs.args;
  } finally {
    both.close();
  }
}

it.each<[string, unknown]>([
  ['an ArrayBuffer', Uint8Array.of(1, 255).buffer],
  ['a DataView', new DataView(Uint8Array.of(9, 1, 255).buffer, 1)],
  ['a Uint8Array of another realm', runInNewContext('Uint8Array.of(1, 255)')],
])('bytes as %s arrive as bytes', async (_, given) => {
  expect(await arrived(given)).toEqual(Uint8Array.of(1, 255));
});

it.each<[unknown]>([[['e4', 1]], [{ constructor: 1, prototype: 2 }]])('%o loses nothing', async (given) => {
  expect(await arrived(given)).toEqual(given);
  expect(JSON.stringify(await arrived(given))).toBe(JSON.stringify(given));
});

it('an instance of a class is refused by its name, before it would lose it', async () => {
  class Coin {}
  await expect(arrived({ sum: new Coin() })).rejects.toMatchObject({
    code: 'INVALID_MESSAGE',
    message: expect.stringContaining('args.sum: is Coin, not plain data'),
  });
});
