import { afterEach, describe, expect, it, vi } from 'vitest';
import { createRpcClient } from '../near/index.js';
import type { FlowContext } from './context.js';
import { resume } from './resume.js';

const KEY = { publicKey: 'ed25519:temporary', encryptedData: 'sealed', iv: 'iv' };

function make({ isLinkingElsewhere = false, rpcUrls = 'http://127.0.0.1:9' } = {}) {
  let sealed: typeof KEY | undefined = KEY;
  const warn = vi.fn();
  const context = {
    rpc: createRpcClient({ urls: rpcUrls }),
    config: { logger: { warn } },
    store: {
      journal: { entries: async () => [] },
      sealedKeys: {
        get: async () => sealed,
        drop: vi.fn(async () => {
          sealed = undefined;
        }),
      },
    },
  };
  vi.stubGlobal('navigator', {
    locks: {
      request: (_name: string, _options: unknown, work: (lock: object | null) => unknown) =>
        work(isLinkingElsewhere ? null : {}),
    },
  });
  return { context: context as unknown as FlowContext, warn, dropSealedKey: context.store.sealedKeys.drop };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the temporary key of a linking that a reload ended', () => {
  it('is dropped at the next start', async () => {
    const { context, dropSealedKey } = make();
    await resume(context);
    expect(dropSealedKey).toHaveBeenCalledExactlyOnceWith('temp-device-linking.testnet', 1);
    await resume(context);
    expect(dropSealedKey).toHaveBeenCalledTimes(1);
  });

  it('stays while another tab shows its code', async () => {
    const { context, dropSealedKey } = make({ isLinkingElsewhere: true });
    await resume(context);
    expect(dropSealedKey).not.toHaveBeenCalled();
  });
});

describe('a wallet of one provider (core 5)', () => {
  it('says once that it has to believe it, and one of two providers says nothing', async () => {
    const two = make({ rpcUrls: 'https://a.example,https://b.example' });
    await resume(two.context);
    expect(two.warn).not.toHaveBeenCalled();
    const { context, warn } = make({ rpcUrls: 'https://a.example' });
    await resume(context);
    await resume(context);
    expect(warn.mock.calls).toEqual([
      [
        'rpcUrl names one provider: this wallet cannot notice when it lies about an account, a key or a payment',
      ],
    ]);
  });
});
