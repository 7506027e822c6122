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
      ['mlDsa65Key', 'ml-dsa-65:'],
    ] as const)
      for (const action of withKey({ [kind]: { data: DATA } }))
        expect(toActionInputs([action])[0]).toMatchObject({ publicKey: expect.stringMatching(`^${prefix}`) });
  });

  it('of a kind that the wallet cannot show is refused by the name of the kind', () => {
    const kind = 'keyOfTomorrow';
    for (const action of withKey({ [kind]: { data: DATA } }))
      expect(() => toActionInputs([action])).toThrow(
        expect.objectContaining({ code: 'ACTION_NOT_CARRIED', message: expect.stringContaining(kind) }),
      );
    for (const action of withKey({}))
      expect(() => toActionInputs([action])).toThrow(expect.objectContaining({ code: 'ACTION_NOT_CARRIED' }));
  });
});

describe('a gas key of near-kit', () => {
  const publicKey = { ed25519Key: { data: DATA } };
  const adding = (permission: object): readonly NearKitAction[] =>
    [{ addKey: { publicKey, accessKey: { nonce: 0n, permission } } }] as unknown as readonly NearKitAction[];
  const gasKeyInfo = { balance: 0n, numNonces: 4 };
  const functionCall = { receiverId: 'app.testnet', methodNames: ['play'], allowance: null };

  it('is added with its lanes and bounds, filled and emptied', () => {
    const accessKey = (action: readonly NearKitAction[]) => toActionInputs(action)[0];
    expect(accessKey(adding({ gasKeyFullAccess: { gasKeyInfo } }))).toMatchObject({
      accessKey: { permission: { GasKeyFullAccess: { numNonces: 4 } } },
    });
    const bounds = { numNonces: 4, receiverId: 'app.testnet', methodNames: ['play'] };
    expect(accessKey(adding({ gasKeyFunctionCall: { gasKeyInfo, functionCall } }))).toMatchObject({
      accessKey: { permission: { GasKeyFunctionCall: bounds } },
    });
    const moving = [
      { transferToGasKey: { publicKey, deposit: 5n } },
      { withdrawFromGasKey: { publicKey, amount: 3n } },
    ] as unknown as readonly NearKitAction[];
    expect(toActionInputs(moving)).toMatchObject([
      { type: 'TransferToGasKey', deposit: '5', publicKey: expect.stringMatching('^ed25519:') },
      { type: 'WithdrawFromGasKey', amount: '3' },
    ]);
  });

  it('with a balance, or with an allowance, is refused by name', () => {
    for (const [permission, named] of [
      [{ gasKeyFullAccess: { gasKeyInfo: { ...gasKeyInfo, balance: 1n } } }, 'a balance'],
      [
        { gasKeyFunctionCall: { gasKeyInfo, functionCall: { ...functionCall, allowance: 1n } } },
        'an allowance',
      ],
    ] as const)
      expect(() => toActionInputs(adding(permission))).toThrow(
        expect.objectContaining({ code: 'ACTION_NOT_CARRIED', message: expect.stringContaining(named) }),
      );
  });
});
