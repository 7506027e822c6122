// How a user gets to an account: registration, login, recovery.
import type { FaultFlow } from './harness.js';
import { assertDone, assertOneDevice, loggedIn, logIn, logOut, register, registered } from './steps.js';
import type { World } from './world.js';

async function loggedOut(world: World): Promise<void> {
  assertDone('The login', await loggedIn(world));
  await logOut(world);
}

export const ENTRY_FLOWS: readonly FaultFlow[] = [
  {
    name: 'a registration',
    run: register,
    isDone: ({ errorCode }) => errorCode === 'ACCOUNT_EXISTS',
    verify: assertOneDevice,
  },
  {
    name: 'a silent login',
    setUp: registered,
    prepare: loggedOut,
    run: logIn,
    verify: assertOneDevice,
  },
  {
    name: 'a login by passkey',
    config: { shamir3pass: false },
    setUp: registered,
    prepare: loggedOut,
    run: logIn,
    verify: assertOneDevice,
  },
  {
    name: 'a recovery by name',
    setUp: registered,
    prepare: (world) => world.forget(),
    run: (world) => world.call(({ manager }) => manager.recoverAccountFlow({ accountId: world.accountId })),
    verify: assertOneDevice,
  },
];
