/** The pages of a list of access keys after the first. Loaded for an account with more keys than one page holds. */
import { onceKnown } from './named-blocks.js';
import { rpcError } from './rpc-error.js';
import type { AccessKeyList } from './rpc-types.js';
import type { Ask } from './views.js';

/** 20,000 keys. */
const MAX_PAGES = 200;

/** The whole list, as of the first page's block. */
export async function withOtherPages(first: AccessKeyList, ask: Ask<AccessKeyList>): Promise<AccessKeyList> {
  const keys = [...first.keys];
  const { last_key: begin, ...rest } = first;
  let lastKey = begin;
  for (let pages = 1; lastKey != null; pages += 1) {
    const page = await onceKnown(() => ask({ block_id: first.block_hash, after_key: lastKey }));
    if (page.block_hash !== first.block_hash || page.keys.length === 0 || pages === MAX_PAGES) {
      throw rpcError({ kind: 'malformed' }, { reason: 'the pages of the access keys do not end' });
    }
    keys.push(...page.keys);
    lastKey = page.last_key;
  }
  return { ...rest, keys };
}
