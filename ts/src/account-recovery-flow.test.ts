import { describe, expect, it, vi } from 'vitest';
import { AccountRecoveryFlow } from './account-recovery-flow.js';
import { CANCELLED, LatchkeyError } from './errors/core.js';
import type { RecoverableAccount, RecoveryOptions, RecoveryRequest, RecoveryResult } from './types.js';

const account = (credentialId: string): RecoverableAccount => ({
  credentialId,
  accountId: 'alice.testnet',
  publicKey: `ed25519:${credentialId}`,
  displayName: 'alice',
});
const recovered: RecoveryResult = {
  success: true,
  accountId: 'alice.testnet',
  publicKey: 'ed25519:one',
  message: 'Account alice.testnet recovered successfully!',
};
const cancelled = new LatchkeyError(CANCELLED, { message: 'Touch ID was cancelled or timed out.' });

/** The two manager methods that the class calls. */
function make(found: readonly RecoverableAccount[] = [account('one')]) {
  const manager = {
    discoverRecoverableAccounts: vi.fn(async (_accountId?: string, _options?: RecoveryOptions) => found),
    recoverAccountFlow: vi.fn(async (_request: RecoveryRequest) => recovered),
  };
  const host = { onEvent: vi.fn(), onError: vi.fn() };
  return { manager, host, flow: new AccountRecoveryFlow(manager, host) };
}

describe('AccountRecoveryFlow (core 4)', () => {
  it('goes from idle through ready to complete', async () => {
    const { flow, manager } = make();
    expect(flow.getState()).toEqual({ phase: 'idle', accounts: [] });
    const discovering = flow.discover();
    expect(flow.getState().phase).toBe('discovering');
    expect(await discovering).toEqual([account('one')]);
    expect(flow.getState()).toEqual({ phase: 'ready', accounts: [account('one')] });

    const recovering = flow.recover();
    expect(flow.getState().phase).toBe('recovering');
    expect(await recovering).toBe(recovered);
    expect(flow.getState()).toEqual({ phase: 'complete', accounts: [account('one')], result: recovered });
    expect(manager.recoverAccountFlow).toHaveBeenCalledWith(
      expect.objectContaining({ accountId: 'alice.testnet', credentialId: 'one' }),
    );
  });

  it('lets any of several passkeys answer, or the selected one', async () => {
    const { flow, manager } = make([account('one'), account('two')]);
    await flow.discover('alice.testnet');
    expect(manager.discoverRecoverableAccounts).toHaveBeenCalledWith('alice.testnet', expect.anything());
    await flow.recover();
    await flow.recover(account('two'));
    const asked = manager.recoverAccountFlow.mock.calls.map(([request]) => request.credentialId);
    expect(asked).toEqual([undefined, 'two']);
  });

  it('keeps what was found when the recovery fails, so that it can be retried', async () => {
    const { flow, manager, host } = make();
    await flow.discover();
    manager.recoverAccountFlow.mockImplementationOnce(async ({ options }) => {
      options?.onError?.(cancelled);
      return { success: false, accountId: null, publicKey: null, message: cancelled.message };
    });
    expect(await flow.recover()).toMatchObject({ success: false });
    expect(flow.getState()).toEqual({ phase: 'error', accounts: [account('one')], error: cancelled });
    expect(host.onError).toHaveBeenCalledWith(cancelled);
    expect(await flow.recover()).toMatchObject({ success: true });
    expect(flow.getState().phase).toBe('complete');
  });

  it('reports why nothing was found, and can look again', async () => {
    const { flow, manager } = make();
    manager.discoverRecoverableAccounts.mockRejectedValueOnce(cancelled);
    await expect(flow.discover()).rejects.toBe(cancelled);
    expect(flow.getState()).toEqual({ phase: 'error', accounts: [], error: cancelled });
    await expect(flow.recover()).rejects.toMatchObject({ code: 'RECOVERY_FAILED' });
    await flow.discover();
    expect(flow.getState().phase).toBe('ready');
  });

  it('keeps an error that the manager threw', async () => {
    const { flow, manager } = make();
    await flow.discover();
    manager.recoverAccountFlow.mockRejectedValueOnce(new TypeError('the chunk did not load'));
    await expect(flow.recover()).rejects.toMatchObject({ code: 'UNKNOWN' });
    expect(flow.getState()).toMatchObject({ phase: 'error', error: { code: 'UNKNOWN' } });
  });

  it('refuses to recover an account that was not found, and to run twice at the same time', async () => {
    const { flow, manager } = make();
    await expect(flow.recover()).rejects.toThrow('Recovery failed: call discover first');
    const discovering = flow.discover();
    await expect(flow.discover()).rejects.toThrow('Recovery failed: it is running already');
    await discovering;
    await expect(flow.recover({ credentialId: 'another' })).rejects.toThrow(
      'Recovery failed: the selection is none of the accounts found',
    );
    expect(manager.recoverAccountFlow).not.toHaveBeenCalled();
    expect(flow.getState().phase).toBe('ready');
  });

  it('is ended by reset, and no late answer changes the state afterwards', async () => {
    const { flow, manager } = make();
    let answer: (found: RecoverableAccount[]) => void = () => undefined;
    manager.discoverRecoverableAccounts.mockImplementationOnce(
      () => new Promise((resolve) => (answer = resolve)),
    );
    const discovering = flow.discover();
    const signal = manager.discoverRecoverableAccounts.mock.calls[0]?.[1]?.signal;
    flow.reset();
    expect(signal?.aborted).toBe(true);
    answer([account('late')]);
    await discovering;
    expect(flow.getState()).toEqual({ phase: 'idle', accounts: [] });
    await flow.discover();
    expect(flow.getState().accounts).toEqual([account('one')]);
  });

  it("ends when the host's own signal aborts", async () => {
    const host = new AbortController();
    const { manager } = make();
    const flow = new AccountRecoveryFlow(manager, { signal: host.signal });
    await flow.discover();
    await flow.recover();
    const signals = [
      manager.discoverRecoverableAccounts.mock.calls[0]?.[1]?.signal,
      manager.recoverAccountFlow.mock.calls[0]?.[0].options?.signal,
    ];
    host.abort();
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
  });
});
