/** The access keys of any account, for a page. */
import { ACCOUNT_NOT_FOUND, LatchkeyError } from '../errors/account.js';
import type { AccessKeyList } from '../near/index.js';
import type { FlowContext } from './context.js';

/** Throws ACCOUNT_NOT_FOUND if there is no such account: its list of keys is empty, too. */
export async function accessKeyList(
  { rpc }: Pick<FlowContext, 'rpc'>,
  accountId: string,
): Promise<AccessKeyList> {
  const list = await rpc.viewAccessKeyList(accountId, { afterWrites: true });
  if (list.keys.length === 0 && !(await rpc.viewAccount(accountId, { afterWrites: true }))) {
    throw new LatchkeyError(ACCOUNT_NOT_FOUND, { values: { account: accountId } });
  }
  return list;
}
