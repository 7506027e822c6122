// Specification: core 4
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OUR_METADATA } from '../../registry/testing/our-registry.js';
import type { FlowContext } from '../context.js';
import { forgetPasskeys } from './forget-passkeys.js';

const ALICE = 'alice.testnet';
const IMPLICIT = 'e10b1e19a5dd49b815ec58626b7a8635031f6bdcb22cb1f64845eb5934b9089a';
const rpId = 'wallet.example';
const removed = { id: 'removed', rpId, deviceNumber: 2 };
const signalled = vi.fn(async () => undefined);

/** A registry that lists these passkeys, and a device that knows these accounts by their passkeys. */
function make(listed: readonly string[], known: Readonly<Record<string, string>> = {}) {
  const views: unknown[] = [];
  const callFunctionJson = async (...args: readonly unknown[]) => {
    if (args[2] === 'contract_source_metadata') return OUR_METADATA;
    views.push(args[4]);
    return listed.map((id) => [id, {}]);
  };
  const users = Object.entries(known).map(([nearAccountId, id]) => ({
    nearAccountId,
    passkeyCredential: { id },
  }));
  const context = {
    rpId,
    rpc: { callFunctionJson },
    config: { contractId: 'w3a-v1.testnet', logger: { info: () => undefined } },
    store: { usersOnDevice: async () => users },
  } as unknown as FlowContext;
  return { context, views };
}

beforeEach(() => vi.stubGlobal('PublicKeyCredential', { signalUnknownCredential: signalled }));
afterEach(() => {
  vi.unstubAllGlobals();
  signalled.mockClear();
});

it('tells the browser of a passkey that the registry has dropped, by two looks at different blocks', async () => {
  const { context, views } = make(['another']);
  await forgetPasskeys(context, ALICE, [removed]);
  expect(signalled).toHaveBeenCalledExactlyOnceWith({ rpId, credentialId: 'removed' });
  const [view] = views as [{ isNo: (list: unknown) => boolean }];
  expect(view).toMatchObject({ agreed: true, certain: true, afterWrites: true });
  expect(view.isNo([['another']])).toBe(true);
  expect(view.isNo([['removed']])).toBe(false);
});

it.each<[string, string, object, readonly string[], Readonly<Record<string, string>>]>([
  ['that the registry still lists', ALICE, {}, ['removed'], {}],
  ['of another site', ALICE, { rpId: 'elsewhere.example' }, [], {}],
  ['that opens another account of this device', ALICE, {}, [], { 'bob.testnet': 'removed' }],
  ['that may have given an implicit account its id', IMPLICIT, { deviceNumber: 1 }, [], {}],
])('says nothing of a passkey %s', async (_, accountId, change, listed, known) => {
  const { context } = make(listed, known);
  await forgetPasskeys(context, accountId, [{ ...removed, ...change }]);
  expect(signalled).not.toHaveBeenCalled();
});

it("tells it of an implicit account's further devices, and where this device knows the account itself", async () => {
  await forgetPasskeys(make([], { [IMPLICIT]: 'own' }).context, IMPLICIT, [removed]);
  await forgetPasskeys(make([], { [ALICE]: 'removed' }).context, ALICE, [removed]);
  expect(signalled).toHaveBeenCalledTimes(2);
});
