import { readFileSync } from 'node:fs';
import { base58 } from '@scure/base';
import { expect, it } from 'vitest';
import type { Action } from '../../types.js';
import { assertOwnFirstStates } from './first-states.js';

const { keyOnly, contract } = JSON.parse(
  readFileSync(new URL('../../../../tests/vectors/universal-accounts.json', import.meta.url), 'utf8'),
).derived as { readonly keyOnly: string; readonly contract: string };

const handle = `ml-dsa-65-hash:${base58.encode(new Uint8Array(32).fill(0x11))}`;
const init: Action = {
  type: 'UniversalStateInit',
  stateInit: { V1: { code: null, data: [], accessKeys: [handle] } },
  deposit: '0',
};

it('takes a first state for its own account, and names both accounts for another', async () => {
  await expect(assertOwnFirstStates([{ receiverId: keyOnly, actions: [init] }])).resolves.toBeUndefined();
  await expect(assertOwnFirstStates([{ receiverId: contract, actions: [init] }])).rejects.toMatchObject({
    code: 'INVALID_ACTION',
    message: expect.stringContaining(`that of ${keyOnly}, and the transaction goes to ${contract}`),
  });
});
