import { describe, expect, it, vi } from 'vitest';
import type { Action, TransactionRequest } from '../../types.js';
import type { FlowContext } from '../context.js';
import { previewDelegate, removedDevices } from './preview.js';

const ALICE = 'alice.testnet';
const TEMPORARY = 'ed25519:temporary';
const PHONE = 'ed25519:phone';

/** A registry that holds one device, and the number of its views. */
function make() {
  const record = { device_number: 2, registered: 7, near_public_key: PHONE };
  const callFunctionJson = vi.fn(async () => [['credential', record]]);
  const context = {
    rpc: { callFunctionJson },
    store: { user: async () => undefined, journal: { entriesOnDevice: async () => [] } },
    config: { contractId: 'registry.testnet' },
  } as unknown as FlowContext;
  return { context, callFunctionJson };
}

const onAccount = (action: Action): TransactionRequest => ({ receiverId: ALICE, actions: [action] });
const added = (publicKey: string) =>
  onAccount({ type: 'AddKey', publicKey, accessKey: { permission: 'FullAccess' } });
const deleted = (publicKey: string) => onAccount({ type: 'DeleteKey', publicKey });

describe('the devices that a signing removes', () => {
  it('are not looked up for the temporary key of a linking, which is no device', async () => {
    const { context, callFunctionJson } = make();
    const transactions = [added(TEMPORARY), deleted(TEMPORARY)];
    expect(await removedDevices(context, ALICE, transactions, TEMPORARY)).toEqual([]);
    expect(callFunctionJson).not.toHaveBeenCalled();
  });

  it('are named next to the temporary key of a linking', async () => {
    const { context } = make();
    const transactions = [added(TEMPORARY), deleted(PHONE), deleted(TEMPORARY)];
    expect(await removedDevices(context, ALICE, transactions, TEMPORARY)).toMatchObject([
      { deviceNumber: 2 },
    ]);
  });

  it('are named in a delegate too, which another party carries out', async () => {
    const { context } = make();
    expect(await previewDelegate(context, ALICE, [deleted(PHONE)])).toMatchObject({
      removes: [{ deviceNumber: 2 }],
    });
  });

  it('are named even if the same batch adds their key first, as a page could ask to hide them', async () => {
    const { context } = make();
    const transactions = [added(PHONE), deleted(PHONE)];
    expect(await removedDevices(context, ALICE, transactions)).toMatchObject([{ deviceNumber: 2 }]);
  });
});
