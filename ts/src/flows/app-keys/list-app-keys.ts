import { appKeyName } from '../../storage/app-key-name.js';
import type { AppKey } from '../../types.js';
import type { FlowContext } from '../context.js';
import { boundsOf } from './bounds.js';
import { expiries } from './expiry.js';
import { resumeAppKeys } from './settle-app-keys.js';

/** Lists the account's function-call keys on the chain, and those of this device that the chain does not list. */
export async function getAppKeys(context: FlowContext, accountId: string): Promise<readonly AppKey[]> {
  const { rpc, store } = context;
  await resumeAppKeys(context);
  const [kept, ends] = await Promise.all([
    store.sealedKeys.list(appKeyName(accountId, store.host)),
    expiries(store, accountId),
  ]);
  const expiryOf = (publicKey: string) => {
    const { dueAt: expiresAt = null } = ends.get(publicKey) ?? {};
    return { expiresAt, isExpired: expiresAt !== null && Date.now() >= expiresAt };
  };
  const { keys } = await rpc.viewAccessKeyList(accountId, {
    agreed: true,
    afterWrites: true,
    // A key of this device that a node does not list may be newer than what that node knows.
    certain: true,
    isNo: (list) =>
      kept.some(({ sealed }) => !list.keys.some(({ public_key: key }) => key === sealed.publicKey)),
  });
  const onChain = keys.flatMap(({ public_key, access_key }): AppKey[] => {
    const bounds = boundsOf(access_key);
    const expiry = expiryOf(public_key);
    const isHere = !expiry.isExpired && kept.some(({ sealed }) => sealed.publicKey === public_key);
    return bounds ? [{ publicKey: public_key, ...bounds, isHere, ...expiry, isOnChain: true }] : [];
  });
  const missing = kept.filter(({ sealed }) => !keys.some((key) => key.public_key === sealed.publicKey));
  const forgotten = missing.map(
    ({ name, sealed }): AppKey => ({
      publicKey: sealed.publicKey,
      receiverId: receiverOf(name, appKeyName(accountId, store.host), sealed.publicKey),
      methodNames: [],
      allowance: null,
      isHere: true,
      ...expiryOf(sealed.publicKey),
      isOnChain: false,
    }),
  );
  return [...onChain, ...forgotten];
}

function receiverOf(name: string, prefix: string, publicKey: string): string {
  return name.slice(prefix.length, -`:${publicKey}`.length);
}
