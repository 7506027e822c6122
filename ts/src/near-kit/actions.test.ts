import { describe, expect, it } from 'vitest';
import { type NearKitAction, toActionInputs } from './actions.js';

const DATA = new Array<number>(32).fill(7);
const withKey = (publicKey: object): readonly NearKitAction[] =>
  [
    { addKey: { publicKey, accessKey: { nonce: 0n, permission: { fullAccess: {} } } } },
    { deleteKey: { publicKey } },
    { stake: { stake: 1n, publicKey } },
  ] as unknown as readonly NearKitAction[];

it.each(['AGFzbQ==', { 0: 0 }, [256], undefined])('code and arguments as %o are refused by name', (given) => {
  for (const [field, action] of [
    ['code', { deployContract: { code: given } }],
    ['args', { functionCall: { methodName: 'play', args: given, gas: 1n, deposit: 0n } }],
  ] as const)
    expect(() => toActionInputs([action as unknown as NearKitAction])).toThrow(
      expect.objectContaining({
        code: 'ACTION_NOT_CARRIED',
        message: expect.stringContaining(`${field} as`),
      }),
    );
});

describe('a key in an action of near-kit', () => {
  it('is named by its curve', () => {
    for (const [kind, prefix] of [
      ['ed25519Key', 'ed25519:'],
      ['secp256k1Key', 'secp256k1:'],
    ] as const)
      for (const action of withKey({ [kind]: { data: DATA } }))
        expect(toActionInputs([action])[0]).toMatchObject({ publicKey: expect.stringMatching(`^${prefix}`) });
  });

  it('of a kind that the wallet cannot show is refused by the name of the kind', () => {
    for (const kind of ['mlDsa65Key', 'keyOfTomorrow'])
      for (const action of withKey({ [kind]: { data: DATA } }))
        expect(() => toActionInputs([action])).toThrow(
          expect.objectContaining({ code: 'ACTION_NOT_CARRIED', message: expect.stringContaining(kind) }),
        );
    for (const action of withKey({}))
      expect(() => toActionInputs([action])).toThrow(expect.objectContaining({ code: 'ACTION_NOT_CARRIED' }));
  });
});
