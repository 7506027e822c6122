/** A passkey chosen in a field: the workers as shipped, and the browser's conditional get with its own authenticator. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Confirmer } from '../../confirm/port.js';
import { deleteDatabases } from '../../storage/testing/databases.js';
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from '../../webauthn/testing/virtual-authenticator.js';
import { createAccount } from '../registration/create-account.js';
import { checkPasskey } from '../session/check-passkey.js';
import { type Recoverable, recoverable } from '../testing/recoverable.js';
import { recoverByAutofill } from './recover.js';

const NAMED = 'alice.w3a-v1.testnet';

let authenticator: VirtualAuthenticator;
let wallet: Recoverable;
beforeEach(async () => {
  authenticator = await addVirtualAuthenticator();
  wallet = recoverable();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await wallet.close();
  await deleteDatabases();
  await authenticator.remove();
});

const clicking: Confirmer = { show: async () => 'confirm' };
const create = () => createAccount({ ...wallet.context, confirmer: () => clicking }, {});
/** An account whose passkey nobody touches for now: a request that has begun by then gets no answer at all. */
async function untouched(): Promise<string> {
  const { nearAccountId } = await create();
  await authenticator.touch(false);
  return nearAccountId ?? '';
}
const spyOnGet = () => vi.spyOn(CredentialsContainer.prototype, 'get');
const mediations = (get: ReturnType<typeof spyOnGet>) =>
  get.mock.calls.map(([options]) => options?.mediation);

describe('a passkey chosen in a field', () => {
  it('opens its account without a name, with nothing but that choice', async () => {
    const { nearAccountId } = await create();
    const get = spyOnGet();
    expect(await recoverByAutofill(wallet.context, {})).toMatchObject({
      success: true,
      accountId: nearAccountId,
      loginState: { isLoggedIn: true },
    });
    expect(mediations(get)).toEqual(['conditional']);
    expect(get.mock.calls[0]?.[0]?.publicKey).toMatchObject({ userVerification: 'required' });
    expect(get.mock.calls[0]?.[0]?.publicKey).not.toHaveProperty('timeout');
  });

  it('of an account with a name is asked for once more, with the salts of that account', async () => {
    const { publicKey } = await wallet.register(NAMED);
    const get = spyOnGet();
    expect(await recoverByAutofill(wallet.context, {})).toMatchObject({
      success: true,
      accountId: NAMED,
      publicKey,
    });
    expect(mediations(get)).toEqual(['conditional', undefined]);
  });

  it('is offered until then; a prompt ends the offer first, which is taken up again after it', async () => {
    const accountId = await untouched();
    const get = spyOnGet();
    const offered = recoverByAutofill(wallet.context, {});
    await vi.waitFor(() => expect(mediations(get)).toEqual(['conditional']));
    await authenticator.touch(true);
    // The browser refuses a second request while one is pending.
    expect(await checkPasskey(wallet.context, accountId, {})).toMatchObject({ success: true });
    expect(get.mock.calls[0]?.[0]?.signal?.aborted).toBe(true);
    expect(await offered).toMatchObject({ success: true, accountId });
    expect(mediations(get)).toEqual(['conditional', undefined, 'conditional']);
  });

  it('holds back no login state while nobody chooses', async () => {
    const accountId = await untouched();
    const openingSession = vi.fn(async (flow: () => Promise<unknown>) => flow());
    const context = { ...wallet.context, openingSession: openingSession as never };
    const get = spyOnGet();
    const offered = recoverByAutofill(context, {});
    await vi.waitFor(() => expect(get).toHaveBeenCalled());
    expect(openingSession).not.toHaveBeenCalled();
    await authenticator.touch(true);
    await checkPasskey(context, accountId, {});
    await offered;
    expect(openingSession).toHaveBeenCalledTimes(1);
  });

  it('is offered no longer where the caller ends it, and another prompt works', async () => {
    const accountId = await untouched();
    const ending = new AbortController();
    const get = spyOnGet();
    const offered = recoverByAutofill(wallet.context, { signal: ending.signal });
    await vi.waitFor(() => expect(get).toHaveBeenCalled());
    ending.abort();
    expect(await offered).toMatchObject({ success: false, errorCode: 'CANCELLED' });
    await authenticator.touch(true);
    expect(await checkPasskey(wallet.context, accountId, {})).toMatchObject({ success: true });
    expect(mediations(get)).toEqual(['conditional', undefined]);
  });

  it('is offered by the newest of several fields', async () => {
    const accountId = await untouched();
    const get = spyOnGet();
    const first = recoverByAutofill(wallet.context, {});
    await vi.waitFor(() => expect(get).toHaveBeenCalledTimes(1));
    await authenticator.touch(true);
    const second = recoverByAutofill(wallet.context, {});
    expect(await first).toMatchObject({ success: false, errorCode: 'CANCELLED' });
    expect(await second).toMatchObject({ success: true, accountId });
  });

  it('that gives no outputs opens nothing', async () => {
    await create();
    vi.spyOn(PublicKeyCredential.prototype, 'getClientExtensionResults').mockReturnValue({});
    expect(await recoverByAutofill(wallet.context, {})).toMatchObject({
      success: false,
      errorCode: 'PRF_MISSING',
    });
  });

  it('is offered nowhere in a browser that cannot', async () => {
    vi.spyOn(PublicKeyCredential, 'isConditionalMediationAvailable').mockResolvedValue(false);
    const get = spyOnGet();
    expect(await recoverByAutofill(wallet.context, {})).toBeNull();
    expect(get).not.toHaveBeenCalled();
  });
});
