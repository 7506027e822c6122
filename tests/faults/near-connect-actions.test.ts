// What a connector of near-connect passes on, over the wallet, as the chain then runs it.
import { KeyPair } from 'near-api-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { universalAccountId } from '../../ts/src/near/universal-account.js';
import { connectorCalls } from '../../ts/src/near-connect/connector-calls.js';
import type { AnyAction, ConnectorCalls } from '../../ts/src/near-connect/types.js';
import { openSigning, type Signing } from './near-api-js.js';

let signing: Signing;
let calls: ConnectorCalls;

beforeAll(async () => {
  signing = await openSigning('ncn');
  const { manager: wallet, accountId, fund } = signing;
  const connected = {
    read: async () => ({ accountId }),
    write: async () => undefined,
    clear: async () => undefined,
  };
  calls = connectorCalls({ wallet: wallet as never, networkId: () => 'testnet', connected });
  await fund();
});
afterAll(() => signing?.close());

/** Sends these actions as a connector does, and returns those that the one confirmation showed. */
async function sent(receiverId: string, ...actions: AnyAction[]) {
  const { transactions } = await signing.previewedBy(() =>
    calls.signAndSendTransaction({ receiverId, actions }),
  );
  return transactions.flatMap((one) => one.actions);
}

const newKey = () => KeyPair.fromRandom('ed25519').getPublicKey().toString();

describe('near-connect over the wallet', () => {
  test('adds a gas key, pays into it, takes back and deletes it, as the confirmations say', async () => {
    const { accountId } = signing;
    const publicKey = newKey();
    const bounds = { receiverId: 'app.testnet', methodNames: ['set_greeting'], numNonces: 2 };
    const permission = { GasKeyFunctionCall: bounds };
    const adding = { type: 'AddKey', params: { publicKey, accessKey: { permission } } } as const;
    expect(await sent(accountId, adding)).toMatchObject([{ type: 'AddKey', accessKey: { permission } }]);
    const filling = { type: 'TransferToGasKey', params: { publicKey, deposit: '5' } } as const;
    expect(await sent(accountId, filling)).toEqual([{ type: 'TransferToGasKey', publicKey, deposit: '5' }]);
    const emptying = { type: 'WithdrawFromGasKey', params: { publicKey, amount: '5' } } as const;
    const deleting = { type: 'DeleteKey', params: { publicKey } } as const;
    expect(await sent(accountId, emptying, deleting)).toEqual([
      { type: 'WithdrawFromGasKey', publicKey, amount: '5' },
      { type: 'DeleteKey', publicKey },
    ]);
  });

  test('pays to a universal account and sets it up, with the keys that the confirmation shows', async () => {
    const accessKeys = [newKey()];
    const stateInit = { V1: { code: null, data: [], accessKeys } };
    const receiverId = await universalAccountId({ V1: { code: null, data: [], accessKeys } });
    const shown = await sent(
      receiverId,
      { type: 'Transfer', params: { deposit: '7' } },
      { type: 'UniversalStateInit', params: { stateInit, deposit: '0' } },
    );
    expect(shown).toEqual([
      { type: 'Transfer', amount: '7' },
      { type: 'UniversalStateInit', stateInit, deposit: '0' },
    ]);
  });

  test('names a first state that goes to another account, before the confirmation', async () => {
    const stateInit = { V1: { code: null, data: [], accessKeys: [newKey()] } };
    const receiverId = await universalAccountId({ V1: { code: null, data: [], accessKeys: [newKey()] } });
    const init = { type: 'UniversalStateInit', params: { stateInit, deposit: '0' } } as const;
    const refused = signing.shownBy(() =>
      expect(calls.signAndSendTransaction({ receiverId, actions: [init] })).rejects.toThrow(
        `the transaction goes to ${receiverId}`,
      ),
    );
    expect(await refused).toEqual([]);
  });
});
