// Everything that near-api-js can have signed, over the wallet, as the chain then runs it.
import { base64 } from '@scure/base';
import { Account, actions, baseEncode, encodeSignedDelegate, KeyPair } from 'near-api-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REGISTRY } from '../../dev/services/services.js';
import { LatchkeyAccount } from '../../ts/src/near-api-js/index.js';
import type { ActionInput } from '../../ts/src/types.js';
import { APP } from '../support/oracle.js';
import { openSigning, type Signing } from './near-api-js.js';

/** A WASM module with nothing in it. */
const CODE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
const NEAR = 10n ** 24n;
const bytes = (text: string) => new TextEncoder().encode(text);

let signing: Signing;
let account: LatchkeyAccount;

beforeAll(async () => {
  signing = await openSigning('nac');
  const { accountId, provider, signer, fund } = signing;
  account = new LatchkeyAccount(accountId, provider, signer);
  await fund();
  await signing.stack.oracle.deployApp();
});
afterAll(() => signing?.close());

describe('arguments of a call (core 3)', () => {
  test('reach the chain as the bytes that they are: not JSON, JSON, and none', async () => {
    for (const args of [Uint8Array.of(0, 255, 123), bytes('{"greeting":"é"}'), new Uint8Array()]) {
      const { transaction } = await account.signAndSendTransaction({
        receiverId: APP,
        actions: [actions.functionCall('set_greeting', args, 10n ** 13n)],
        throwOnFailure: false,
      });
      const [action] = transaction.actions as { FunctionCall: { args: string } }[];
      expect(action?.FunctionCall.args).toBe(base64.encode(args));
    }
    expect(await signing.stack.oracle.greeting(APP)).toBe('é');
  });

  test('are shown as JSON where they are JSON, and as bytes where they are not', async () => {
    const call = (args: Uint8Array) => () =>
      account.signAndSendTransaction({
        receiverId: APP,
        actions: [actions.functionCall('set_greeting', args, 10n ** 13n)],
        throwOnFailure: false,
      });
    const shownArgs = async (args: Uint8Array) => {
      const { transactions } = await signing.previewedBy(call(args));
      const [action] = transactions.flatMap(({ actions }) => actions);
      return action?.type === 'FunctionCall' ? action.args : undefined;
    };
    expect(await shownArgs(bytes('{"greeting":"a"}'))).toBe('{"greeting":"a"}');
    expect(await shownArgs(Uint8Array.of(0, 255))).toEqual(Uint8Array.of(0, 255));
  });
});

describe('actions (core 3)', () => {
  test('a new account is made and funded in one prompt', async () => {
    const publicKey = KeyPair.fromRandom('ed25519').getPublicKey();
    const prefix = 'sub';
    await signing.previewedBy(() =>
      account.createSubAccount({ accountOrPrefix: prefix, publicKey, nearToTransfer: NEAR / 100n }),
    );
  });

  test('a stake reaches the chain, which refuses one below its least', async () => {
    const key = KeyPair.fromRandom('ed25519').getPublicKey();
    const { status } = await account.signAndSendTransaction({
      receiverId: signing.accountId,
      actions: [actions.stake(5n, key)],
      throwOnFailure: false,
    });
    expect(JSON.stringify(status)).toContain('InsufficientStake');
  });

  test('a global contract is published by hash and by account, and used', async () => {
    const { accountId } = signing;
    await signing.previewedBy(() => account.deployGlobalContract(CODE, 'codeHash'));
    await signing.previewedBy(() => account.deployGlobalContract(CODE, 'accountId'));
    await signing.previewedBy(() => account.useGlobalContract({ accountId }));
    const codeHash = new Uint8Array(await crypto.subtle.digest('SHA-256', CODE));
    await signing.previewedBy(() => account.useGlobalContract({ codeHash }));
  });

  test('a contract is deployed on the account', async () => {
    await signing.previewedBy(() => account.deployContract(CODE));
  });

  test('an account is made from its first state, by the wallet itself', async () => {
    const { manager, accountId, stack } = signing;
    const publish = actions.deployGlobalContract(CODE, 'accountId');
    await stack.oracle.accountAs(APP).signAndSendTransaction({ receiverId: APP, actions: [publish] });
    const initState: ActionInput = {
      type: 'DeterministicStateInit',
      stateInit: {
        V1: { code: { AccountId: APP }, data: [{ key: bytes('k'), value: bytes('first') }] },
      },
      deposit: '7',
    };
    // `0s` and the last 20 bytes of Keccak-256 of the state's borsh (NEP-616).
    const receiverId = '0s444aad1262eabaa36a92398ed45ab5f205f728ab';
    const send = () =>
      manager.signAndSendTransactions({
        nearAccountId: accountId,
        transactions: [{ receiverId, actions: [initState] }],
      });
    await signing.previewedBy(async () =>
      expect(await send()).toMatchObject([{ success: true, fate: 'executed' }]),
    );
  });
});

describe('delegates (core 3)', () => {
  const greet = (greeting: string) => [actions.functionCall('set_greeting', { greeting }, 3n * 10n ** 13n)];
  const plain = () => new Account(signing.accountId, signing.provider, signing.signer);
  const relayed = () => signing.stack.oracle.accountAs('testnet');
  const post = async (hash: Uint8Array, signedDelegate: Parameters<typeof encodeSignedDelegate>[0]) => {
    const body = {
      hash: baseEncode(hash),
      signedDelegate: base64.encode(encodeSignedDelegate(signedDelegate)),
    };
    const response = await fetch(new URL('/signed-delegate', signing.stack.relay.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.json();
  };

  test('keep the nonce and the last block of near-api-js, and the relay pays for them', async () => {
    const asked = await plain().createMetaTransaction({
      receiverId: REGISTRY,
      actions: greet('by relay'),
      blockHeightTtl: 300,
      publicKey: await signing.signer.getPublicKey(),
    });
    const shown = await signing.previewedBy(async () => {
      const { delegateHash, signedDelegate } = await signing.signer.signDelegateAction(asked);
      expect(signedDelegate.delegateAction).toBe(asked);
      expect(await post(delegateHash, signedDelegate)).toMatchObject({ success: true });
    });
    expect(shown).toMatchObject({
      delegate: { relay: null, maxBlockHeights: [String(asked.maxBlockHeight)] },
    });
    await expect.poll(() => signing.stack.oracle.greeting()).toBe('by relay');
  });

  test('of another account carry too', async () => {
    const { signedDelegate } = await plain().createSignedMetaTransaction({
      receiverId: APP,
      actions: greet('carried'),
    });
    await relayed().relayMetaTransaction(signedDelegate);
    await expect.poll(() => signing.stack.oracle.greeting(APP)).toBe('carried');
  });

  test('several are signed with one prompt, and each is carried out', async () => {
    const publicKey = await signing.signer.getPublicKey();
    const first = await plain().createMetaTransaction({ receiverId: APP, actions: greet('one'), publicKey });
    const second = { ...first, receiverId: REGISTRY, actions: greet('two'), nonce: first.nonce + 1n };
    let signed: Awaited<ReturnType<typeof signing.signer.signDelegateActions>> = [];
    await signing.previewedBy(async () => {
      signed = await signing.signer.signDelegateActions([first, second]);
    });
    for (const { signedDelegate } of signed) await relayed().relayMetaTransaction(signedDelegate);
    await expect.poll(() => signing.stack.oracle.greeting(APP)).toBe('one');
    await expect.poll(() => signing.stack.oracle.greeting()).toBe('two');
  });

  test('are refused unasked with a nonce that would lapse others, and with another than was asked for', async () => {
    const publicKey = await signing.signer.getPublicKey();
    const asked = await plain().createMetaTransaction({ receiverId: APP, actions: greet('no'), publicKey });
    const shown = await signing.shownBy(() =>
      expect(
        signing.signer.signDelegateAction({ ...asked, nonce: asked.nonce + 1_001n }),
      ).rejects.toMatchObject({ code: 'INVALID_ACTION', message: expect.stringContaining('nonce') }),
    );
    expect(shown).toEqual([]);
    const swapping = signing.signerWith({
      signDelegateActions: ({ delegateActions, ...rest }) =>
        signing.manager.signDelegateActions({
          ...rest,
          delegateActions: delegateActions.map((one) => ({ ...one, receiverId: REGISTRY })),
        }),
    });
    await expect(swapping.signDelegateAction(asked)).rejects.toMatchObject({ code: 'OTHER_TRANSACTION' });
  });
});

test('the account is deleted at last, and its balance goes to the beneficiary', async () => {
  const beneficiary = 'e'.repeat(64);
  await signing.stack.oracle.accountAs('testnet').transfer({ receiverId: beneficiary, amount: 1n });
  await signing.previewedBy(() => account.deleteAccount(beneficiary));
});
