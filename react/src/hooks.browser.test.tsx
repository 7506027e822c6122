import type { AccessKeyList, LinkDeviceOptions, LinkDeviceResult, LinkedDevices, LoginState } from 'latchkey';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { loggedOut } from './context.js';
import { useLinkedDevices } from './linked-devices/use-linked-devices.js';
import { type DeviceLinkingOptions, useDeviceLinking } from './scanner/use-device-linking.js';
import { ALICE, managerOf } from './testing/manager.js';
import { render, unmount } from './testing/render.js';
import { useAccessKeys } from './use-access-keys.js';
import { useBalance } from './use-balance.js';
import { useLoginState } from './use-login-state.js';

const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
const BOB = 'bob.w3a-v1.testnet';

afterEach(() => {
  unmount();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** What a hook returned at the latest render, under StrictMode. */
function watch<Value>(use: () => Value) {
  const seen: { current?: Value } = {};
  function Watch() {
    seen.current = use();
    return <output>{JSON.stringify(seen.current)}</output>;
  }
  return { now: (): Value => seen.current as Value, element: <Watch /> };
}

/** An answer that the test gives later. */
function later<Value>() {
  let give: (value: Value) => void = () => undefined;
  let refuse: (reason: Error) => void = () => undefined;
  const promise = new Promise<Value>((resolve, reject) => {
    give = resolve;
    refuse = reject;
  });
  return { promise, give, refuse };
}

const keysOf = (publicKey: string) =>
  ({ block_height: 1, block_hash: '1', keys: [{ public_key: publicKey }] }) as unknown as AccessKeyList;

describe('useLoginState (core 2)', () => {
  it('names the account of the user, follows a logout of another tab, and reads again on request', async () => {
    const manager = managerOf();
    let tell: (state: LoginState) => void = () => undefined;
    vi.spyOn(manager, 'onLoginStateChange').mockImplementation((listener) => {
      tell = listener;
      return () => undefined;
    });
    const login = watch(useLoginState);
    render(manager, login.element);
    await expect.poll(() => login.now()).toMatchObject({ accountId: ALICE, isLoggedIn: true, ready: true });
    tell({ ...loggedOut, nearAccountId: ALICE });
    await expect.poll(() => login.now()).toMatchObject({ accountId: null, isLoggedIn: false });
    await login.now().refresh();
    await expect.poll(() => login.now().accountId).toBe(ALICE);
  });
});

describe('useAccessKeys (core 2)', () => {
  it('reads the keys, says why it could not, and keeps the keys while it reads again', async () => {
    const manager = managerOf();
    const view = vi.spyOn(manager, 'viewAccessKeyList').mockRejectedValue(new Error('the node is gone'));
    const keys = watch(() => useAccessKeys(ALICE));
    render(manager, keys.element);
    await expect.poll(() => keys.now().error?.message).toBe('the node is gone');
    view.mockResolvedValue(keysOf(KEY));
    await keys.now().reload();
    await expect.poll(() => keys.now().value?.keys[0]?.public_key).toBe(KEY);
    const slow = later<AccessKeyList>();
    view.mockReturnValue(slow.promise);
    void keys.now().reload();
    await expect.poll(() => keys.now().isLoading).toBe(true);
    expect(keys.now()).toMatchObject({ value: keysOf(KEY), error: undefined });
    slow.give(keysOf(KEY));
    await expect.poll(() => keys.now().isLoading).toBe(false);
  });

  it('shows nothing of one account as that of another, whichever answer comes last', async () => {
    const manager = managerOf();
    const ofAlice = later<AccessKeyList>();
    vi.spyOn(manager, 'viewAccessKeyList').mockImplementation((id) =>
      id === ALICE ? ofAlice.promise : Promise.resolve(keysOf(KEY)),
    );
    let show: (account: string | null) => void = () => undefined;
    const keys = watch(() => {
      const [account, setAccount] = useState<string | null>(ALICE);
      show = setAccount;
      return useAccessKeys(account);
    });
    render(manager, keys.element);
    await expect.poll(() => keys.now()).toMatchObject({ value: undefined, isLoading: true });
    show(BOB);
    await expect.poll(() => keys.now().value).toEqual(keysOf(KEY));
    ofAlice.give(keysOf('ed25519:alice'));
    await ofAlice.promise;
    expect(keys.now().value).toEqual(keysOf(KEY));
    show(null);
    await expect.poll(() => keys.now()).toMatchObject({ value: undefined, isLoading: false });
  });
});

describe('useBalance (core 2)', () => {
  const answer = (result: object) =>
    new Response(JSON.stringify({ jsonrpc: '2.0', id: 'latchkey', ...result }), {
      headers: { 'content-type': 'application/json' },
    });
  const account = {
    amount: `3${'0'.repeat(24)}`,
    locked: `2${'0'.repeat(24)}`,
    code_hash: '1'.repeat(32),
    storage_usage: 1000,
    storage_paid_at: 0,
    block_height: 7,
    block_hash: '1'.repeat(32),
  };

  it('reads what the account owns and what it can spend', async () => {
    const asked: unknown[] = [];
    vi.stubGlobal('fetch', async (_: unknown, request: RequestInit) => {
      asked.push(JSON.parse(String(request.body)));
      return answer({ result: account });
    });
    const balance = watch(() => useBalance(ALICE));
    render(managerOf(ALICE, { rpcUrl: 'http://localhost:1' }), balance.element);
    await expect
      .poll(() => balance.now().value)
      .toEqual({ total: `5${'0'.repeat(24)}`, spendable: `3${'0'.repeat(24)}` });
    expect(asked[0]).toMatchObject({
      method: 'query',
      params: { request_type: 'view_account', account_id: ALICE },
    });
  });

  it('reads nothing without an account', async () => {
    const asked = vi.fn();
    vi.stubGlobal('fetch', asked);
    const balance = watch(() => useBalance(null));
    render(managerOf(null), balance.element);
    await expect.element(page.getByText('"isLoading":false')).toBeInTheDocument();
    expect(asked).not.toHaveBeenCalled();
  });
});

describe('useLinkedDevices (core 2)', () => {
  const list: LinkedDevices = { accountId: ALICE, devices: [], temporaryKeys: [KEY] as never, otherKeys: [] };

  it('reads the devices, removes one key at a time, and reads again after it', async () => {
    const manager = managerOf();
    const read = vi.spyOn(manager, 'getLinkedDevices').mockResolvedValue(list);
    const removal = later<object>();
    const removed = vi.spyOn(manager, 'deleteDeviceKey').mockReturnValue(removal.promise as never);
    const devices = watch(() => useLinkedDevices(ALICE));
    render(manager, devices.element);
    await expect.poll(() => devices.now().list).toEqual(list);
    void devices.now().remove(KEY);
    await expect.poll(() => devices.now().removing).toBe(KEY);
    await devices.now().remove('ed25519:other');
    const before = read.mock.calls.length;
    removal.give({ success: false, error: 'refused' });
    await expect.poll(() => devices.now().removing).toBe(undefined);
    expect(devices.now().removalError?.message).toBe('refused');
    expect(removed.mock.calls).toEqual([[ALICE, KEY, {}]]);
    expect(read.mock.calls.length).toBe(before + 1);
  });
});

describe('useDeviceLinking (core 2)', () => {
  const authorization = {
    flow: 'linking',
    step: 3,
    phase: 'authorization',
    status: 'progress',
    message: '',
  } as const;
  const linked: LinkDeviceResult = { success: true, device2PublicKey: KEY, fundingAmount: '0.05' };

  /** The hook, and the wallet's flows. */
  async function linking(options: DeviceLinkingOptions = {}) {
    const manager = managerOf();
    const flows: { options: LinkDeviceOptions; end: (result: LinkDeviceResult) => void }[] = [];
    vi.spyOn(manager, 'linkDeviceWithScannedQRData').mockImplementation(
      (_, given = {}) => new Promise((resolve) => flows.push({ options: given, end: resolve })),
    );
    const hook = watch(() => useDeviceLinking(options));
    render(manager, hook.element);
    await expect.poll(() => hook.now()).toBeDefined();
    return { hook, flows };
  }

  it('rejects with the reason of a code that is refused, and reports it', async () => {
    const onError = vi.fn();
    const { hook, flows } = await linking({ onError, fundingAmount: '0.1' });
    const ended = hook.now().linkDevice('a code');
    await expect.poll(() => hook.now().isLinking).toBe(true);
    expect(flows[0]?.options.fundingAmount).toBe('0.1');
    flows[0]?.options.onError?.(new Error('too old') as never);
    flows[0]?.end({ ...linked, success: false, error: 'too old' });
    await expect(ended).rejects.toThrow('too old');
    expect(onError).toHaveBeenCalledOnce();
    await expect.poll(() => hook.now().isLinking).toBe(false);
  });

  it('continues after an unmount once the wallet asks the user, and never before', async () => {
    const [onAuthorizing, onLinked] = [vi.fn(), vi.fn()];
    const { hook, flows } = await linking({ onAuthorizing, onLinked });
    const first = hook.now().linkDevice('a code');
    const second = hook.now().linkDevice('another code');
    expect(flows.map(({ options }) => options.signal?.aborted)).toEqual([true, false]);
    flows[0]?.end({ ...linked, success: false, error: 'cancelled' });
    await first;
    flows[1]?.options.onEvent?.(authorization);
    expect(onAuthorizing).toHaveBeenCalledOnce();
    unmount();
    expect(flows[1]?.options.signal?.aborted).toBe(false);
    flows[1]?.end(linked);
    await second;
    expect(onLinked.mock.calls).toEqual([[linked]]);
  });

  it('ends what the wallet has not asked about when it is cancelled, without an error', async () => {
    const onError = vi.fn();
    const { hook, flows } = await linking({ onError });
    const ended = hook.now().linkDevice('a code');
    hook.now().cancel();
    flows[0]?.options.onError?.(new Error('cancelled') as never);
    flows[0]?.end({ ...linked, success: false, error: 'cancelled' });
    await ended;
    expect(onError).not.toHaveBeenCalled();
  });
});
