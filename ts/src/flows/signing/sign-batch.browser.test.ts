import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CANCELLED, LatchkeyError, TRANSACTION_FAILED } from '../../errors/core.js';
import { transactionsDigest } from '../../intent/index.js';
import type { TransactionOutcome } from '../../near/index.js';
import { DEFAULT_PREFERENCES } from '../../storage/records.js';
import type { TransactionInput } from '../../types.js';
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from '../../webauthn/testing/virtual-authenticator.js';
import type { CallOptions } from '../../workers/rpc.js';
import { ALICE, type SignedIn, signIn } from '../testing/signed-in.js';
import { completeTransactions } from './actions.js';
import { executeAction, signAndSendTransactions } from './sign-and-send.js';
import { signTransactionsWithActions } from './sign-batch.js';
import { signNEP413Message } from './sign-nep413.js';

const greet = (greeting: string): TransactionInput => ({
  receiverId: 'w3a-v1.testnet',
  actions: [{ type: 'FunctionCall', methodName: 'set_greeting', args: { greeting } }],
});

let authenticator: VirtualAuthenticator;
let wallet: SignedIn;

beforeEach(async () => {
  authenticator = await addVirtualAuthenticator();
  wallet = await signIn();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await wallet.close();
  await authenticator.remove();
});

const prompts = () => vi.spyOn(navigator.credentials, 'get');
const proofs = () => vi.spyOn(wallet.context.vrf, 'call');
const proofCount = (spy: ReturnType<typeof proofs>) =>
  spy.mock.calls.filter(([name]) => name === 'generateChallenge').length;
const overtaken = () =>
  new LatchkeyError(TRANSACTION_FAILED, {
    details: { kind: 'invalid_transaction', reason: 'InvalidNonce' },
  });

describe('signing and sending (core 4, core 5, core 6, core 8)', () => {
  it('costs one prompt, one VRF proof, one context with the balance, one check, and one send per transaction', async () => {
    const [asked, proved] = [prompts(), proofs()];
    const results = await signAndSendTransactions(
      wallet.context,
      ALICE,
      [greet('a'), greet('b'), greet('c')],
      {},
    );
    expect(results.map(({ success }) => success)).toEqual([true, true, true]);
    expect([asked.mock.calls.length, proofCount(proved)]).toEqual([1, 1]);
    expect(wallet.chain.calls).toEqual([
      'view_access_key',
      'view_account',
      'verify_authentication_response',
      'send_tx',
      'send_tx',
      'send_tx',
    ]);
  });

  it('reports its steps as they happen', async () => {
    const events: string[] = [];
    await executeAction(wallet.context, ALICE, 'w3a-v1.testnet', greet('a').actions, {
      onEvent: ({ step, phase, status }) => events.push(`${step} ${phase} ${status}`),
    });
    // The registry answers while the worker signs: either may finish first.
    const asked = '3 contract-verification success';
    expect(events).toContain(asked);
    expect(events.filter((event) => event !== asked)).toEqual([
      '1 preparation progress',
      '1 preparation success',
      '2 user-confirmation progress',
      '2 user-confirmation success',
      '4 webauthn-authentication progress',
      '5 authentication-complete success',
      '3 contract-verification progress',
      '6 transaction-signing-progress progress',
      '7 transaction-signing-complete success',
      '8 broadcasting progress',
      '8 broadcasting success',
      '9 action-complete success',
    ]);
    expect(events.indexOf(asked)).toBeLessThan(events.indexOf('8 broadcasting progress'));
  });

  it('does not prompt when what is shown has no digest', async () => {
    const asked = prompts();
    const call = { type: 'FunctionCall', methodName: 'half \ud800', args: '{}' } as const;
    expect(await executeAction(wallet.context, ALICE, 'w3a-v1.testnet', [call], {})).toMatchObject({
      success: false,
      errorCode: 'UI_DIGEST_VALIDATION_FAILED',
      error: 'The digest of what is shown could not be computed. Nothing was signed.',
    });
    expect(asked).not.toHaveBeenCalled();
    expect(wallet.chain.sent).toEqual([]);
  });

  it('asks the chain nothing before the prompt when the context was prefetched', async () => {
    const user = await wallet.context.store.user(ALICE);
    await wallet.context.contexts.prefetch(ALICE, user?.clientNearPublicKey ?? '');
    wallet.chain.calls.length = 0;
    await executeAction(wallet.context, ALICE, 'w3a-v1.testnet', greet('a').actions, {});
    expect(wallet.chain.calls).toEqual(['verify_authentication_response', 'send_tx']);
  });

  it('shows exactly what it signs, with its digest', async () => {
    await signTransactionsWithActions(wallet.context, ALICE, [greet('hi')], {});
    expect(wallet.shown).toEqual([
      expect.objectContaining({
        kind: 'transactions',
        accountId: ALICE,
        digest: expect.stringMatching(/^[\w-]{43}$/),
        transactions: [
          {
            receiverId: 'w3a-v1.testnet',
            actions: [
              {
                type: 'FunctionCall',
                methodName: 'set_greeting',
                args: '{"greeting":"hi"}',
                gas: '30000000000000',
                deposit: '0',
              },
            ],
          },
        ],
      }),
    ]);
  });

  it('sends nothing before the registry has accepted the assertion', async () => {
    let accept: (verified: boolean) => void = () => undefined;
    wallet.chain.verified = new Promise<boolean>((resolve) => {
      accept = resolve;
    });
    const phases: string[] = [];
    const sending = executeAction(wallet.context, ALICE, 'w3a-v1.testnet', greet('a').actions, {
      onEvent: ({ phase, status }) => phases.push(`${phase}:${status}`),
    });
    await vi.waitFor(() => expect(wallet.chain.calls).toContain('verify_authentication_response'), {
      timeout: 10_000,
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(phases).toContain('transaction-signing-progress:progress');
    expect(wallet.chain.sent).toEqual([]);
    accept(true);
    expect((await sending).success).toBe(true);
    expect(wallet.chain.sent).toHaveLength(1);
  });

  it.each(['transactions', 'a message'])(
    'never lets %s signed for a refused assertion leave',
    async (what) => {
      wallet.chain.verified = false;
      if (what === 'transactions') {
        const result = await executeAction(wallet.context, ALICE, 'w3a-v1.testnet', greet('a').actions, {});
        expect(result).toMatchObject({
          success: false,
          errorCode: 'VERIFICATION_FAILED',
          transactionId: null,
        });
        await expect(
          signTransactionsWithActions(wallet.context, ALICE, [greet('a')], {}),
        ).rejects.toMatchObject({
          code: 'VERIFICATION_FAILED',
        });
      } else {
        const params = { message: 'hello', recipient: 'app.example' };
        const result = await signNEP413Message(wallet.context, ALICE, params, {});
        expect(result).toMatchObject({ success: false, errorCode: 'VERIFICATION_FAILED', signature: null });
      }
      expect(wallet.chain.sent).toEqual([]);
    },
  );

  it.each(['modal', 'skip'] as const)('does not prompt when shown and signed differ (%s)', async (uiMode) => {
    const { signers } = wallet.context;
    const acquire = signers.acquire.bind(signers);
    vi.spyOn(signers, 'acquire').mockImplementation(async (signal) => {
      const signer = await acquire(signal);
      const call = signer.call as (name: string, args: unknown[], options?: object) => Promise<unknown>;
      const tampered = async (name: string, args: unknown[], options?: object) => {
        if (name !== 'prepareTransactions') return call(name, args, options);
        const [request] = args as [{ transactions: { actions: { args: string }[] }[] }];
        const copy = structuredClone(request);
        const action = copy.transactions[0]?.actions[0];
        if (action) action.args = '{"greeting":"other"}';
        return call(name, [copy], options);
      };
      return { ...signer, call: tampered as typeof signer.call };
    });
    const asked = prompts();
    const result = await executeAction(wallet.context, ALICE, 'w3a-v1.testnet', greet('a').actions, {
      confirmationConfig: { uiMode },
    });
    expect(result).toMatchObject({ success: false, errorCode: 'INTENT_DIGEST_MISMATCH' });
    expect(asked).not.toHaveBeenCalled();
    expect(wallet.chain.sent).toEqual([]);
  });

  it('signs only what the transaction button of the page showed', async () => {
    const asked = prompts();
    const uiDigest = await transactionsDigest(completeTransactions([greet('shown')]));
    const results = await signAndSendTransactions(wallet.context, ALICE, [greet('other')], { uiDigest });
    expect(results).toMatchObject([{ success: false, errorCode: 'INTENT_DIGEST_MISMATCH' }]);
    expect(asked).not.toHaveBeenCalled();
    expect(wallet.chain.sent).toEqual([]);
    const shown = await signAndSendTransactions(wallet.context, ALICE, [greet('shown')], { uiDigest });
    expect(shown).toMatchObject([{ success: true }]);
  });

  it('hands PRF.first to its worker once, and signs again without it', async () => {
    const { signers } = wallet.context;
    const acquire = signers.acquire.bind(signers);
    const calls: { name: string; args: readonly unknown[]; transfer: readonly Transferable[] }[] = [];
    vi.spyOn(signers, 'acquire').mockImplementation(async (signal) => {
      const signer = await acquire(signal);
      const call = signer.call as (name: string, args: unknown[], options?: CallOptions) => Promise<unknown>;
      const noted = (name: string, args: unknown[], options: CallOptions = {}) => {
        calls.push({ name, args, transfer: options.transfer ?? [] });
        return call(name, args, options);
      };
      return { ...signer, call: noted as typeof signer.call };
    });
    wallet.chain.onSend = async (index) => {
      if (index === 0) throw overtaken();
      return {
        transactionId: 'second',
        final_execution_status: 'FINAL',
        status: { SuccessValue: '' },
      } as TransactionOutcome;
    };
    const result = await executeAction(wallet.context, ALICE, 'w3a-v1.testnet', greet('a').actions, {});
    expect(result.success).toBe(true);
    expect(calls.map(({ name, transfer }) => [name, transfer.length])).toEqual([
      ['prepareTransactions', 0],
      ['approve', 1],
      ['sign', 0],
      ['sign', 0],
    ]);
    const [, approved, ...signed] = calls;
    const prfFirst = approved?.args[1] as Uint8Array;
    expect(approved?.transfer).toEqual([prfFirst.buffer]);
    expect(prfFirst.byteLength).toBe(0);
    for (const { args } of signed) {
      expect(args).toEqual([expect.any(Number), [expect.any(String)], expect.any(String)]);
    }
  });

  it('signs again inside the same approval when another device took the nonce', async () => {
    const asked = prompts();
    wallet.chain.onSend = async (index) => {
      if (index === 0) {
        wallet.chain.nonce = 500;
        throw overtaken();
      }
      return {
        transactionId: 'second',
        final_execution_status: 'FINAL',
        status: { SuccessValue: '' },
      } as TransactionOutcome;
    };
    const result = await executeAction(wallet.context, ALICE, 'w3a-v1.testnet', greet('a').actions, {});
    expect(result).toMatchObject({ success: true, transactionId: 'second' });
    expect(asked).toHaveBeenCalledTimes(1);
    expect(wallet.chain.calls.filter((call) => call === 'verify_authentication_response')).toHaveLength(1);
    expect(wallet.chain.sent[1]).not.toEqual(wallet.chain.sent[0]);
  });

  it('stops a sequential batch at the first failure and reports what was not sent', async () => {
    wallet.chain.onSend = async (index) => {
      if (index === 1)
        throw new LatchkeyError(TRANSACTION_FAILED, { values: { reason: 'NotEnoughBalance' } });
      return {
        transactionId: `tx-${index}`,
        final_execution_status: 'FINAL',
        status: { SuccessValue: '' },
      } as TransactionOutcome;
    };
    const ended = vi.fn();
    const results = await signAndSendTransactions(
      wallet.context,
      ALICE,
      [greet('a'), greet('b'), greet('c')],
      {
        afterCall: ended,
      },
    );
    expect(results.map(({ success, errorCode }) => [success, errorCode])).toEqual([
      [true, undefined],
      [false, 'TRANSACTION_FAILED'],
      [false, 'NOT_SENT'],
    ]);
    expect(wallet.chain.sent).toHaveLength(2);
    expect(ended).toHaveBeenCalledWith(false);
  });

  it('reports a failed execution with its transaction', async () => {
    wallet.chain.onSend = async () =>
      ({
        transactionId: 'failed',
        final_execution_status: 'FINAL',
        status: {
          Failure: {
            ActionError: { index: 0, kind: { FunctionCallError: { ExecutionError: 'panicked: no' } } },
          },
        },
      }) as unknown as TransactionOutcome;
    const result = await executeAction(wallet.context, ALICE, 'w3a-v1.testnet', greet('a').actions, {});
    expect(result).toMatchObject({
      success: false,
      errorCode: 'TRANSACTION_FAILED',
      error: 'The chain executed the transaction, and it failed: panicked: no',
      transactionId: 'failed',
    });
  });

  it('leaves no worker in use, on success and on failure', async () => {
    await wallet.context.signers.warmUp();
    await executeAction(wallet.context, ALICE, 'w3a-v1.testnet', greet('a').actions, {});
    wallet.chain.verified = false;
    await executeAction(wallet.context, ALICE, 'w3a-v1.testnet', greet('a').actions, {});
    await signNEP413Message(wallet.context, ALICE, { message: 'm', recipient: 'r' }, {});
    expect(wallet.context.signers.live).toBe(1);
  });

  it('asks for a login first', async () => {
    await wallet.context.vrf.call('logout', []);
    const result = await signNEP413Message(
      wallet.context,
      ALICE,
      { message: 'm', recipient: 'r', state: 's' },
      {},
    );
    expect(result).toMatchObject({
      success: false,
      error: 'NEP-413 signing failed: User not authenticated. Please login first.',
      state: 's',
    });
  });

  it("calls the host's callbacks before and after, and with the error", async () => {
    const order: string[] = [];
    await executeAction(wallet.context, ALICE, '', greet('a').actions, {
      beforeCall: () => {
        order.push('before');
      },
      onError: ({ code }) => order.push(code),
      afterCall: (success) => {
        order.push(`after ${success}`);
      },
    });
    expect(order).toEqual(['before', 'INVALID_ACTION', 'after false']);
  });

  it('asks for no passkey when another account logged in while the user decided', async () => {
    const asked = prompts();
    await wallet.close();
    wallet = await signIn({
      show: async () => {
        const prfFirst = new Uint8Array(32).fill(9);
        await wallet.context.vrf.call('deriveKeypairFromPrf', ['bob.w3a-v1.testnet', prfFirst, true]);
        return 'confirm';
      },
    });
    const result = await executeAction(wallet.context, ALICE, 'w3a-v1.testnet', greet('a').actions, {});
    expect(result).toMatchObject({ success: false, errorCode: 'NOT_LOGGED_IN' });
    expect(asked).not.toHaveBeenCalled();
    expect(wallet.chain.calls).toEqual(['view_access_key', 'view_account']);
  });

  it('does not report as cancelled what was sent before the host aborted', async () => {
    const host = new AbortController();
    wallet.chain.onSend = async () => {
      host.abort();
      throw new LatchkeyError(CANCELLED);
    };
    const [result, next] = await signAndSendTransactions(wallet.context, ALICE, [greet('a'), greet('b')], {
      signal: host.signal,
    });
    expect(result).toMatchObject({
      success: false,
      errorCode: 'NEAR_RPC_FAILED',
      error: expect.stringMatching(
        /^RPC request failed: what became of transaction \w{43,44} is not known, and it may still happen$/,
      ),
      transactionId: expect.stringMatching(/^\w{43,44}$/),
    });
    expect(result?.fate).toBe('unknown');
    expect(next).toMatchObject({ errorCode: 'NOT_SENT', fate: 'not-sent' });
    expect(wallet.chain.sent).toHaveLength(1);
  });

  it('knows nothing of a payment that the page sends by itself: an equal one has no warning [S67]', async () => {
    const payment: TransactionInput = {
      receiverId: 'bob.testnet',
      actions: [{ type: 'Transfer', amount: '1' }],
    };
    for (const _ of ['the first', 'the second'])
      await signTransactionsWithActions(wallet.context, ALICE, [payment], {});
    expect(wallet.shown).toHaveLength(2);
    for (const model of wallet.shown) expect(model).not.toHaveProperty('repeats');
  });

  it('signs with the nonce of the newest reading', async () => {
    const { contexts } = wallet.context;
    const atSigning = contexts.atSigning.bind(contexts);
    vi.spyOn(contexts, 'atSigning').mockImplementation(async (...key) => {
      wallet.chain.nonce = 700;
      await contexts.renew(...key);
      return atSigning(...key);
    });
    const [signed] = await signTransactionsWithActions(wallet.context, ALICE, [greet('a')], {});
    expect(signed?.signedTransaction.transaction.nonce).toBe('701');
  });
});

describe('signing inside a frame, as in this test page (core 4, frame 8)', () => {
  const automatic = { uiMode: 'modal', behavior: 'autoProceed' } as const;
  const pay = [{ type: 'Transfer', amount: '1' }] as const;

  it('needs a click, whatever the call says, until the user chooses otherwise, and for the registry even then', async () => {
    const { context, shown } = wallet;
    expect(window.top).not.toBe(window.self);
    const options = { confirmationConfig: automatic };
    expect(await executeAction(context, ALICE, 'bob.testnet', pay, options)).toMatchObject({ success: true });
    await executeAction(context, ALICE, 'w3a-v1.testnet', greet('a').actions, options);
    await context.store.updateUser(ALICE, 1, {
      preferences: { ...DEFAULT_PREFERENCES, confirmationConfig: automatic },
    });
    await executeAction(context, ALICE, 'bob.testnet', pay, {});
    await executeAction(context, ALICE, 'app.testnet', greet('a').actions, {});
    await executeAction(context, ALICE, 'w3a-v1.testnet', greet('a').actions, {});
    expect(shown.map(({ behavior }) => behavior)).toEqual([
      'requireClick',
      'requireClick',
      'autoProceed',
      'autoProceed',
      'requireClick',
    ]);
  });

  it('refuses a payment where no confirmer can take the click', async () => {
    const asked = prompts();
    const alone = { ...wallet.context, confirmer: () => null };
    const options = { confirmationConfig: { uiMode: 'skip' } } as const;
    expect(await executeAction(alone, ALICE, 'bob.testnet', pay, options)).toMatchObject({
      success: false,
      errorCode: 'CLICK_REQUIRED',
      error: expect.stringContaining('Inside a frame this needs a click in the wallet itself'),
    });
    expect(asked).not.toHaveBeenCalled();
    expect(wallet.chain.sent).toEqual([]);
  });
});
