// near-api-js over the wallet: the facade and its WASM in a page, the local chain behind it.
import type { PasskeyManager } from 'latchkey';
import { JsonRpcProvider } from 'near-api-js';
import { CHAIN_NETWORK } from '../../dev/services/services.js';
import type { ConfirmModel, TransactionsConfirmModel } from '../../ts/src/confirm/port.js';
import { LatchkeySigner, type SigningWallet } from '../../ts/src/near-api-js/index.js';
import { previewed } from '../support/previewed.js';
import { type FaultStack, startFaultStack } from './stack.js';
import { fund, registered } from './steps.js';
import { World } from './world.js';

/** A registered account with 1 NEAR, and near-api-js's signer over its wallet. */
export interface Signing {
  readonly stack: FaultStack;
  readonly accountId: string;
  readonly provider: JsonRpcProvider;
  readonly manager: PasskeyManager;
  readonly signer: LatchkeySigner;
  /** The confirmations that the work showed. */
  shownBy(work: () => Promise<unknown>): Promise<readonly ConfirmModel[]>;
  /**
   * What the one confirmation of the work showed, once the chain has executed it: it moved what was promised, and changed the keys
   * and contracts that it named.
   */
  previewedBy(work: () => Promise<unknown>): Promise<TransactionsConfirmModel>;
  /** A signer over the same wallet with other calls. */
  signerWith(more: Partial<SigningWallet>): LatchkeySigner;
  /** Sends 1 NEAR more to the account. */
  fund(): Promise<void>;
  close(): Promise<void>;
}

/** Starts chain, relay and wallet, and registers `<prefix><process>`; or makes an account without a name. */
export async function openSigning(
  prefix: string,
  make: (world: World) => Promise<unknown> = registered,
): Promise<Signing> {
  const stack = await startFaultStack(CHAIN_NETWORK);
  const provider = new JsonRpcProvider({ url: new URL('/admin/rpc', stack.chainUrl).href });
  const world = await World.open(stack, { networkId: await provider.getNetworkId() });
  await world.beginNew(`${prefix}${process.pid}`);
  await make(world);
  await fund(world);
  const { accountId } = world;
  const { manager, shown } = await world.call(async (facade) => facade);
  const wallet: SigningWallet = {
    config: manager.config,
    getLoginState: (id) => manager.getLoginState(id),
    signTransactionsWithActions: (args) => manager.signTransactionsWithActions(args),
    signAndSendTransactions: (args) => manager.signAndSendTransactions(args),
    signNEP413Message: (args) => manager.signNEP413Message(args),
    signDelegateActions: (args) => manager.signDelegateActions(args),
  };
  const signerWith = (more: Partial<SigningWallet>) =>
    new LatchkeySigner({ wallet: { ...wallet, ...more }, accountId, provider });
  const shownBy: Signing['shownBy'] = async (work) => {
    const before = shown.length;
    await work();
    return shown.slice(before);
  };
  return {
    stack,
    accountId,
    provider,
    manager,
    signer: new LatchkeySigner({ wallet: manager, accountId, provider }),
    shownBy,
    previewedBy: (work) => previewed(stack.oracle, shownBy, work),
    signerWith,
    fund: () => fund(world),
    close: async () => {
      await world.close();
      await stack.stop();
    },
  };
}
