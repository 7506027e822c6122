import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LatchkeyError, NEAR_RPC_FAILED } from '../../errors/core.js';
import { ALICE, createPasskey, KEY, make, prepare } from '../testing/registering.js';
import { registerPasskey } from './register.js';

beforeEach(prepare);

type Read = 'viewAccount' | 'block' | 'callFunction' | 'callFunctionJson';
const chainError = (kind: string) => new LatchkeyError(NEAR_RPC_FAILED, { details: { kind } });

/** A registration whose chain fails at this read as often as `errors` has one. */
function failing(name: Read, method: string | undefined, errors: LatchkeyError[]) {
  const made = make();
  const { context, chain, ask } = made;
  ask.mockImplementation(async () => {
    chain.account = KEY;
    return { transactionHash: 'hash' };
  });
  const rpc = context.rpc as unknown as Record<Read, (...args: unknown[]) => Promise<unknown>>;
  const answer = rpc[name];
  const reads = vi.fn();
  rpc[name] = async (...args) => {
    if (method !== undefined && !args.includes(method)) return answer(...args);
    // After the account is there, the chain is asked by other rules.
    if (chain.account === undefined) reads();
    const error = errors.shift();
    if (error) throw error;
    return answer(...args);
  };
  return { ...made, reads };
}

describe('a chain that fails while a registration asks (core 4)', () => {
  const cases: readonly [what: string, read: Read, method?: string][] = [
    ['whether the name is free', 'viewAccount'],
    ['for the block of the challenge', 'block'],
    ['which registry it is', 'callFunctionJson', 'contract_source_metadata'],
    ['for the passkeys of the name', 'callFunctionJson', 'get_authenticators_by_user'],
    ['whether the registry takes the passkey', 'callFunction', 'check_can_register_user'],
  ];

  it.each(cases)('is asked again %s, and the registration goes on with one passkey', async (_, ...read) => {
    const [name, method] = read;
    const { context, reads } = failing(name, method, [chainError('timeout')]);
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ success: true });
    expect(reads).toHaveBeenCalledTimes(2);
    expect(createPasskey).toHaveBeenCalledTimes(1);
  });

  it.each(cases)('is not asked again %s once it has refused', async (_, ...read) => {
    const [name, method] = read;
    const { context, reads, ask } = failing(name, method, [chainError('contract')]);
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ success: false });
    expect(reads).toHaveBeenCalledTimes(1);
    expect(ask).not.toHaveBeenCalled();
  });
});
