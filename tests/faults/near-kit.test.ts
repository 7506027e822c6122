// near-kit itself over the wallet: the facade and its WASM in a page, the local chain behind it.
import {
  decodeSignedDelegateAction,
  type FinalExecutionOutcome,
  generateKey,
  generateNonce,
  MlDsa65KeyPair,
  Near,
  type TransactionBuilder,
  verifyNep413Signature,
} from 'near-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { developmentKey } from '../../dev/services/keys.js';
import { REGISTRY } from '../../dev/services/services.js';
import { createNearKitWallet, type NearKitManager } from '../../ts/src/near-kit/index.js';
import type { ActionInput } from '../../ts/src/types.js';
import { APP } from '../support/oracle.js';
import { openSigning, type Signing } from './near-api-js.js';

/** A WASM module with nothing in it. */
const CODE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
const NEAR = 10n ** 24n;
const bytes = (text: string) => new TextEncoder().encode(text);

let signing: Signing;
let near: Near;

/** near-kit over the wallet, with other calls of it. */
const nearWith = (more: Partial<NearKitManager> = {}): Near => {
  const { manager, accountId } = signing;
  const wallet: NearKitManager = {
    getLoginState: (id) => manager.getLoginState(id),
    signAndSendTransactions: (args) => manager.signAndSendTransactions(args),
    signNEP413Message: (args) => manager.signNEP413Message(args),
    signDelegateActions: (args) => manager.signDelegateActions(args),
    ...more,
  };
  return new Near({ network: network(), wallet: createNearKitWallet({ wallet, accountId }) });
};
const network = () => ({ rpcUrl: new URL('/admin/rpc', signing.stack.chainUrl).href, networkId: 'testnet' });

beforeAll(async () => {
  signing = await openSigning('nkt');
  const { manager: wallet, accountId, fund } = signing;
  near = new Near({ network: network(), wallet: createNearKitWallet({ wallet, accountId }) });
  await fund();
  await signing.stack.oracle.deployApp();
});
afterAll(() => signing?.close());

/** The actions that the one confirmation of the work showed, and the chain's answer. */
async function sent(work: () => Promise<unknown>) {
  let outcome: FinalExecutionOutcome | undefined;
  const { transactions } = await signing.previewedBy(async () => {
    outcome = (await work()) as FinalExecutionOutcome;
  });
  return { transactions, actions: transactions.flatMap((one) => one.actions), outcome };
}

const typesOf = (actions: readonly { readonly type: string }[]) => actions.map(({ type }) => type);
const own = (): TransactionBuilder => near.transaction(signing.accountId);
const keysOf = async (accountId: string) =>
  (await signing.provider.viewAccessKeyList({ accountId })).keys.map(({ public_key }) => String(public_key));

describe('near-kit over the wallet', () => {
  test('sends NEAR with one prompt, which shows what then moves', async () => {
    const receiverId = 'a'.repeat(64);
    const { transactions } = await sent(() => near.send(receiverId, '7 yocto'));
    expect(transactions).toMatchObject([{ receiverId, actions: [{ type: 'Transfer', amount: '7' }] }]);
  });

  test('calls a contract, with arguments in JSON and in bytes', async () => {
    const { actions, outcome } = await sent(() =>
      near.call(REGISTRY, 'set_greeting', { greeting: 'by near-kit' }),
    );
    expect(actions).toMatchObject([{ methodName: 'set_greeting', args: '{"greeting":"by near-kit"}' }]);
    expect(outcome?.transaction).toMatchObject({ signer_id: signing.accountId, receiver_id: REGISTRY });
    await expect.poll(() => signing.stack.oracle.greeting()).toBe('by near-kit');
    await expect.poll(() => near.view(REGISTRY, 'get_greeting')).toBe('by near-kit');

    const args = Uint8Array.of(0, 255);
    const failing = signing.shownBy(() =>
      expect(near.call(APP, 'set_greeting', args)).rejects.toMatchObject({ code: 'TRANSACTION_FAILED' }),
    );
    expect(await failing).toMatchObject([{ transactions: [{ actions: [{ args }] }] }]);
  });

  test('sends a batch of actions as one transaction, with one prompt', async () => {
    const key = generateKey();
    const child = `child.${signing.accountId}`;
    const { actions } = await sent(() =>
      own()
        .createAccount(child)
        .transfer(child, '0.01 NEAR')
        .addKey(key.publicKey.toString(), { type: 'fullAccess' })
        .send(),
    );
    expect(typesOf(actions)).toEqual(['CreateAccount', 'Transfer', 'AddKey']);
  });

  test('adds a function-call key as the confirmation says, and deletes it', async () => {
    const { accountId } = signing;
    const publicKey = generateKey().publicKey.toString();
    const permission = {
      type: 'functionCall',
      receiverId: APP,
      methodNames: ['set_greeting'],
      allowance: 5n * NEAR,
    };
    const adding = await sent(() =>
      own()
        .addKey(publicKey, permission as never)
        .send(),
    );
    const limits = { receiverId: APP, methodNames: ['set_greeting'], allowance: String(5n * NEAR) };
    expect(adding.actions).toMatchObject([
      { type: 'AddKey', publicKey, accessKey: { permission: { FunctionCall: limits } } },
    ]);
    const removing = await sent(() => own().deleteKey(accountId, publicKey).send());
    expect(removing.actions).toEqual([{ type: 'DeleteKey', publicKey }]);
  });

  test('adds an ML-DSA-65 key, which the chain lists by its hash, and deletes it', async () => {
    const { accountId } = signing;
    const publicKey = MlDsa65KeyPair.fromRandom().publicKey.toString();
    const before = await keysOf(accountId);
    const adding = await sent(() => own().addKey(publicKey, { type: 'fullAccess' }).send());
    expect(adding.actions).toMatchObject([{ type: 'AddKey', publicKey }]);
    const [listed, ...others] = (await keysOf(accountId)).filter((key) => !before.includes(key));
    expect([listed, others]).toEqual([expect.stringMatching('^ml-dsa-65-hash:'), []]);
    const removing = await sent(() => own().deleteKey(accountId, publicKey).send());
    expect(removing.actions).toEqual([{ type: 'DeleteKey', publicKey }]);
  });

  test('adds a gas key, pays into it, takes back and deletes it, as the confirmations say', async () => {
    const { accountId } = signing;
    const publicKey = generateKey().publicKey.toString();
    const gasKey = { type: 'gasKeyFullAccess', numNonces: 2 } as const;
    const adding = await sent(() => own().addKey(publicKey, gasKey).send());
    expect(adding.actions).toMatchObject([
      { type: 'AddKey', accessKey: { permission: { GasKeyFullAccess: { numNonces: 2 } } } },
    ]);
    const filling = await sent(() => own().transferToGasKey(publicKey, '5 yocto').send());
    expect(filling.actions).toEqual([{ type: 'TransferToGasKey', publicKey, deposit: '5' }]);
    const emptying = await sent(() => own().withdrawFromGasKey(publicKey, '5 yocto').send());
    expect(emptying.actions).toEqual([{ type: 'WithdrawFromGasKey', publicKey, amount: '5' }]);
    await sent(() => own().deleteKey(accountId, publicKey).send());
  });

  test('publishes a contract, uses it, deploys one, and makes an account from its first state', async () => {
    const { accountId } = signing;
    const own = () => near.transaction(accountId);
    expect((await sent(() => own().publishContract(CODE).send())).actions).toMatchObject([
      { type: 'DeployGlobalContract', deployMode: 'AccountId', code: CODE },
    ]);
    const published = await sent(() => own().publishContract(CODE, { identifiedBy: 'hash' }).send());
    expect(published.actions).toMatchObject([{ deployMode: 'CodeHash' }]);
    expect((await sent(() => own().deployFromPublished({ accountId }).send())).actions).toEqual([
      { type: 'UseGlobalContract', contractIdentifier: { AccountId: accountId } },
    ]);
    const first = own().stateInit({
      code: { accountId },
      data: new Map([
        [bytes('a'), bytes('first')],
        [bytes('b'), bytes('second')],
      ]),
      deposit: '7 yocto',
    });
    const { transactions } = await sent(() => first.send());
    expect(transactions).toMatchObject([{ actions: [{ type: 'DeterministicStateInit', deposit: '7' }] }]);
    expect(typesOf((await sent(() => own().deployContract(accountId, CODE).send())).actions)).toEqual([
      'DeployContract',
    ]);
  });

  test('stakes by name of the key, and throws what the chain says', async () => {
    const publicKey = generateKey().publicKey.toString();
    const shown = await signing.shownBy(() =>
      expect(own().stake(publicKey, '5 yocto').send()).rejects.toMatchObject({
        code: 'TRANSACTION_FAILED',
        message: expect.stringContaining('InsufficientStake'),
      }),
    );
    const stake: ActionInput = { type: 'Stake', stake: '5', publicKey };
    expect(shown).toMatchObject([{ transactions: [{ actions: [stake] }] }]);
  });

  test('signs a message that near-kit accepts', async () => {
    const message = {
      message: 'Hello',
      recipient: 'app.example',
      nonce: generateNonce(),
    };
    const signed = await near.signMessage(message);
    expect(await verifyNep413Signature(signed, message, { near })).toBe(true);
    expect(await verifyNep413Signature(signed, { ...message, message: 'Bye' }, { near })).toBe(false);
  });

  test('signs a delegate, which another account of near-kit carries', async () => {
    let payload = '';
    const shown = await signing.shownBy(async () => {
      const greet = own().functionCall(APP, 'set_greeting', { greeting: 'carried' }, { gas: '30 Tgas' });
      ({ payload } = await greet.delegate());
    });
    expect(shown).toMatchObject([{ delegate: { relay: null } }]);
    const carrier = new Near({
      network: network(),
      privateKey: developmentKey('testnet'),
      defaultSignerId: 'testnet',
    });
    await carrier.transaction('testnet').signedDelegateAction(decodeSignedDelegateAction(payload)).send();
    await expect.poll(() => signing.stack.oracle.greeting(APP)).toBe('carried');
  });
});

describe('what near-kit cannot have signed', () => {
  test('is refused before the user is asked: another account, an ML-DSA key that stakes', async () => {
    const shown = await signing.shownBy(async () => {
      await expect(near.transaction('testnet').transfer(APP, '1 yocto').send()).rejects.toMatchObject({
        code: 'OTHER_ACCOUNT',
      });
      const longKey = MlDsa65KeyPair.fromRandom().publicKey.toString();
      await expect(own().stake(longKey, '5 yocto').send()).rejects.toMatchObject({
        code: 'INVALID_ACTION',
        message: expect.stringContaining('ed25519'),
      });
    });
    expect(shown).toEqual([]);
  });

  test('a delegate with another receiver or other actions than asked is thrown away', async () => {
    const swaps: readonly object[] = [
      { receiverId: REGISTRY },
      { actions: [{ type: 'Transfer', amount: '2' }] },
    ];
    for (const swap of swaps) {
      const swapping = nearWith({
        signDelegateActions: ({ delegateActions, ...rest }) =>
          signing.manager.signDelegateActions({
            ...rest,
            delegateActions: delegateActions.map((one) => ({ ...one, ...swap })),
          }),
      });
      const asked = swapping.transaction(signing.accountId).transfer(APP, '1 yocto').delegate();
      await expect(asked).rejects.toMatchObject({ code: 'OTHER_TRANSACTION' });
    }
  });

  test('a cancelled prompt is one CANCELLED', async () => {
    const options = { signal: AbortSignal.abort() };
    const cancelled = nearWith({
      signAndSendTransactions: (args) => signing.manager.signAndSendTransactions({ ...args, options }),
    });
    await expect(cancelled.send('testnet', '1 yocto')).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

test('near-kit deletes the account at last, and its balance goes to the beneficiary', async () => {
  const beneficiary = 'e'.repeat(64);
  await signing.stack.oracle.accountAs('testnet').transfer({ receiverId: beneficiary, amount: 1n });
  await sent(() => own().deleteAccount({ beneficiary }).send());
});
