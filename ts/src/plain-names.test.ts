import { expect, it, vi } from 'vitest';
import { PasskeyManager } from './index.js';
import { type PlainNames, plainNames } from './plain-names.js';

const manager = () => new PasskeyManager({ relayer: { url: 'https://relay.example' } });

it('each plain name makes the call of the specification, with its arguments and its answer', async () => {
  const wallet = manager();
  const linking = vi.spyOn(wallet, 'startDevice2LinkingFlow').mockResolvedValue({ checkCode: 'X' } as never);
  await expect(wallet.linkThisDevice({ accountId: 'alice.testnet' })).resolves.toEqual({ checkCode: 'X' });
  expect(linking).toHaveBeenCalledExactlyOnceWith({ accountId: 'alice.testnet' });
});

it.each(Object.keys(plainNames()) as (keyof PlainNames)[])('%s is a call of the manager', async (name) => {
  const call: () => Promise<unknown> = manager()[name].bind(manager()) as never;
  await expect(call()).rejects.toMatchObject({ code: 'NO_BROWSER' });
});
