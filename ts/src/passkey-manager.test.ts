import { describe, expect, it } from 'vitest';
import { PasskeyManager } from './index.js';

const relayer = { url: 'https://relay.example' };
const iframeWallet = { walletOrigin: 'https://wallet.example' };

describe('a manager on a server', () => {
  it('can be made and configured where there is no window', () => {
    expect('window' in globalThis).toBe(false);
    const manager = new PasskeyManager({ relayer, iframeWallet });
    expect(manager.config.iframeWallet?.walletOrigin).toBe('https://wallet.example');
    expect(manager.onLoginStateChange(() => undefined)).toBeTypeOf('function');
    manager.setConfirmer(null);
  });

  it('throws for a malformed wallet origin', () => {
    const bad = { walletOrigin: 'http://wallet.example/path' };
    expect(() => new PasskeyManager({ relayer, iframeWallet: bad })).toThrow(/iframeWallet\.walletOrigin/);
  });
});
