import { afterEach, describe, expect, it, vi } from 'vitest';
import { createRpcClient } from '../../../ts/src/near/index.js';
import { createReadiness } from './readiness.js';

const AT_BLOCK = { block_height: 7, block_hash: '11111111111111111111111111111111' };

function readiness(answer: () => unknown) {
  let asked = 0;
  const rpc = createRpcClient({
    urls: 'http://chain.example',
    fetch: async () => {
      asked += 1;
      return Response.json({ result: answer() });
    },
  });
  return { check: createReadiness(rpc, 'relayer.testnet', ['ed25519:K']).check, asked: () => asked };
}

describe('readiness', () => {
  afterEach(() => vi.useRealTimers());

  it('asks the chain for the relayer’s key, but not on every request', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const { check, asked } = readiness(() => ({ nonce: 1, permission: 'FullAccess', ...AT_BLOCK }));
    await Promise.all([check(), check()]);
    await check();
    expect(asked()).toBe(1);
  });

  it('asks again after two seconds, even if the clock was set back', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const { check, asked } = readiness(() => ({ nonce: 1, permission: 'FullAccess', ...AT_BLOCK }));
    await check();
    vi.setSystemTime(Date.now() - 3_600_000);
    vi.advanceTimersByTime(2000);
    await check();
    expect(asked()).toBe(2);
  });

  it('names a key that is missing from the account', async () => {
    const { check } = readiness(() => ({
      error: 'access key K does not exist while viewing',
      logs: [],
      ...AT_BLOCK,
    }));
    await expect(check()).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining('relayer.testnet'),
    });
  });

  it('names a registry that the relay cannot use', async () => {
    const rpc = createRpcClient({
      urls: 'http://chain.example',
      fetch: async () => Response.json({ result: { nonce: 1, permission: 'FullAccess', ...AT_BLOCK } }),
    });
    const readCapabilities = () => Promise.reject(new Error('registry.testnet is not a registry'));
    await expect(
      createReadiness(rpc, 'relayer.testnet', ['ed25519:K'], readCapabilities).check(),
    ).rejects.toMatchObject({ status: 503, message: 'registry.testnet is not a registry' });
  });

  it('reports that the chain cannot be read', async () => {
    const { check } = readiness(() => {
      throw new TypeError('fetch failed');
    });
    await expect(check()).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining('cannot be read'),
    });
  });
});
