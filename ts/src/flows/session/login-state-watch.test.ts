import { expect, it, vi } from 'vitest';
import type { LoginState } from '../../types.js';
import { LoginStateWatch } from './login-state-watch.js';

const state = (nearAccountId: string | null, isLoggedIn = false): LoginState => ({
  isLoggedIn,
  nearAccountId,
  publicKey: nearAccountId && 'ed25519:key',
  vrfActive: isLoggedIn,
  userData: null,
});
const soon = () => new Promise((resolve) => setTimeout(resolve, 0));

function watching(first = state(null)) {
  let now = first;
  const read = vi.fn(async () => now);
  const tell = vi.fn();
  const failed = vi.fn();
  const watch = new LoginStateWatch({ read, tell, failed });
  return { watch, read, tell, failed, become: (next: LoginState) => (now = next) };
}

it('reports a change once, however many reads are scheduled', async () => {
  const { watch, tell, become } = watching();
  become(state('alice.testnet', true));
  watch.look();
  watch.look();
  await soon();
  watch.look();
  await soon();
  expect(tell.mock.calls).toEqual([[state('alice.testnet', true)]]);
  become(state('alice.testnet'));
  watch.look();
  await soon();
  expect(tell).toHaveBeenLastCalledWith(state('alice.testnet'));
  expect(tell).toHaveBeenCalledTimes(2);
});

it('reports nothing at the first read on a page that is logged out', async () => {
  const { watch, tell } = watching(state('alice.testnet'));
  watch.look();
  await soon();
  expect(tell).not.toHaveBeenCalled();
});

it('reports that the passkey is proven', async () => {
  const of = (passkeyProven: boolean) =>
    ({ ...state('alice.testnet', true), userData: { deviceNumber: 1, passkeyProven } }) as LoginState;
  const { watch, tell, become } = watching(of(false));
  watch.look();
  await soon();
  become(of(true));
  watch.look();
  await soon();
  expect(tell).toHaveBeenLastCalledWith(of(true));
  expect(tell).toHaveBeenCalledTimes(2);
});

it('reports that another account was used last', async () => {
  const { watch, tell, become } = watching(state('alice.testnet'));
  watch.look();
  await soon();
  become(state('bob.testnet'));
  watch.look();
  await soon();
  expect(tell.mock.calls).toEqual([[state('bob.testnet')]]);
});

it('does not report a session that a flow opens and closes again', async () => {
  const { watch, tell, become } = watching();
  await watch.during(async () => {
    become(state('alice.testnet', true));
    watch.look();
    await soon();
    become(state(null));
  });
  await soon();
  expect(tell).not.toHaveBeenCalled();
});

it('reads the state at the end of a flow, even of a failed one', async () => {
  const { watch, tell, become } = watching();
  const failing = watch.during(async () => {
    become(state('alice.testnet', true));
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await soon();
  expect(tell).toHaveBeenCalledTimes(1);
});

it('reads again when a change comes during a read', async () => {
  const { watch, read, tell, become } = watching();
  read.mockImplementationOnce(async () => {
    become(state('alice.testnet', true));
    watch.look();
    return state(null);
  });
  watch.look();
  await soon();
  expect(tell.mock.calls).toEqual([[state('alice.testnet', true)]]);
});

it('continues after a failed read, and reports nothing once it is closed', async () => {
  const { watch, read, tell, failed, become } = watching();
  read.mockRejectedValueOnce(new Error('storage'));
  watch.look();
  await soon();
  expect(failed).toHaveBeenCalledTimes(1);
  become(state('alice.testnet', true));
  watch.look();
  await soon();
  expect(tell).toHaveBeenCalledTimes(1);
  watch.close();
  become(state(null));
  watch.look();
  await soon();
  expect(tell).toHaveBeenCalledTimes(1);
});
