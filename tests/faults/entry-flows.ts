// How a person comes to an account: made, opened, brought back.
import type { FacadePage } from '../e2e/facade-page/main.js';
import type { FaultFlow } from './harness.js';
import { assertOneDevice, logIn, logOut, register, registered } from './steps.js';

declare const facade: FacadePage;

export const ENTRY_FLOWS: readonly FaultFlow[] = [
  {
    name: 'a registration',
    prepare: async () => undefined,
    run: register,
    isDone: ({ error }) => /already exists/.test(error ?? ''),
    verify: assertOneDevice,
  },
  {
    name: 'a silent login',
    prepare: async (world) => {
      await registered(world);
      await logOut(world);
    },
    run: logIn,
    verify: assertOneDevice,
  },
  {
    name: 'a login by passkey',
    config: { shamir3pass: false },
    prepare: async (world) => {
      await registered(world);
      await logOut(world);
    },
    run: logIn,
    verify: assertOneDevice,
  },
  {
    name: 'a recovery by name',
    prepare: async (world) => {
      await registered(world);
      await world.forget();
    },
    run: ({ page, accountId }) =>
      page.evaluate((id) => facade.manager.recoverAccountFlow({ accountId: id }), accountId),
    verify: assertOneDevice,
  },
];
