import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LatchkeyError, RELAY_UNREACHABLE } from '../../errors/wallet.js';
import { ALICE, createPasskey, KEY, make, prepare, refused } from '../testing/registering.js';
import { registerPasskey } from './register.js';

beforeEach(prepare);

describe('a registration whose answer from the relay is lost (core 4)', () => {
  it('asks the relay again with the same body, and ends registered', async () => {
    const { context, chain, ask } = make();
    ask.mockRejectedValueOnce(new LatchkeyError(RELAY_UNREACHABLE));
    ask.mockImplementationOnce(async () => {
      chain.account = KEY;
      return { transactionHash: 'hash' };
    });
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ success: true, transactionId: 'hash' });
    expect([createPasskey.mock.calls.length, ask.mock.calls.length]).toEqual([1, 2]);
    expect(ask.mock.calls[1]?.[0]).toEqual(ask.mock.calls[0]?.[0]);
  });

  it('does not ask again for an account that the chain shows', async () => {
    const { context, chain, ask } = make();
    ask.mockImplementationOnce(async () => {
      chain.account = KEY;
      throw new LatchkeyError(RELAY_UNREACHABLE);
    });
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ success: true });
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['nor do two more', new LatchkeyError(RELAY_UNREACHABLE), 3, 'REGISTRATION_PENDING'],
    ["the relay's refusal of the next says why", refused(429), 2, 'ATOMIC_REGISTRATION_FAILED'],
  ])('looks at the chain for seconds before it gives up: %s', async (_, then, asked, errorCode) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { context, journal, ask } = make();
    const looks = vi.spyOn(context.rpc, 'viewAccessKeyList');
    ask.mockRejectedValueOnce(new LatchkeyError(RELAY_UNREACHABLE)).mockRejectedValue(then);
    let result: unknown;
    registerPasskey(context, ALICE, {}).then((ended) => {
      result = ended;
    });
    while (!result) await vi.advanceTimersByTimeAsync(500);
    expect(result).toMatchObject({ success: false, errorCode });
    expect([createPasskey.mock.calls.length, ask.mock.calls.length]).toEqual([1, asked]);
    expect(looks.mock.calls.length).toBe(asked - 1 + 8);
    expect(journal.has(ALICE)).toBe(true);
  });
});
