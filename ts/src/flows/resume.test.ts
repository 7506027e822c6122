import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FlowContext } from './context.js';
import { resume } from './resume.js';

const KEY = { publicKey: 'ed25519:temporary', encryptedData: 'sealed', iv: 'iv' };

function make({ isLinkingElsewhere = false } = {}) {
  let sealed: typeof KEY | undefined = KEY;
  const context = {
    store: {
      journal: async () => [],
      sealedKey: async () => sealed,
      dropSealedKey: vi.fn(async () => {
        sealed = undefined;
      }),
    },
  };
  vi.stubGlobal('navigator', {
    locks: {
      request: (_name: string, _options: unknown, work: (lock: object | null) => unknown) =>
        work(isLinkingElsewhere ? null : {}),
    },
  });
  return { context: context as unknown as FlowContext, dropSealedKey: context.store.dropSealedKey };
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
