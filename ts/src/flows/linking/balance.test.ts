import { expect, it } from 'vitest';
import type { FlowContext } from '../context.js';
import { assertFunded } from './balance.js';
import { checkOnChain, MAPPING_GAS } from './device1-checks.js';

const ALICE = 'alice.testnet';
const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
const DEPOSIT = '25700000000000000000000';

const holding = (amount: string): FlowContext =>
  ({
    config: { contractId: 'registry.testnet' },
    contexts: { learnAccount: () => undefined },
    rpc: {
      viewAccount: async () => ({ amount, locked: '0', storage_usage: 500 }),
      viewAccessKey: async () => null,
      block: async () => ({ header: { gas_price: '100000000' } }),
    },
  }) as unknown as FlowContext;
const { signal } = new AbortController();
/** Converts hundred-thousandths of a NEAR to yoctoNEAR. */
const yocto = (parts: bigint): string => String(parts * 10n ** 19n);

const join = (amount: string) => assertFunded(holding(amount), ALICE, DEPOSIT, signal);
const letIn = (amount: string) =>
  checkOnChain(
    holding(amount),
    ALICE,
    KEY,
    [
      {
        receiverId: ALICE,
        actions: [{ type: 'AddKey', publicKey: KEY, accessKey: { permission: 'FullAccess' } }],
      },
      {
        receiverId: 'registry.testnet',
        actions: [
          { type: 'FunctionCall', methodName: 'store_device_linking_mapping', args: {}, gas: MAPPING_GAS },
        ],
      },
    ],
    signal,
  );

it.each([
  ['the new device to join', join, 4_660n, 4_670n],
  ['another device to let it in', letIn, 3_110n, 3_120n],
] as const)('requires what the chain takes for %s, and no more', async (_, check, less, enough) => {
  await expect(check(yocto(less))).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  await expect(check(yocto(enough))).resolves.toBeUndefined();
});
