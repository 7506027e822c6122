import type { Signer } from '../../workers/signer-pool.js';
import type { FlowContext } from '../context.js';
import type { Run } from '../run.js';

/** Runs one signature in a signer worker, which ends with it. */
export async function inSigner<T>(
  { signers }: FlowContext,
  { signal }: Run<'action'>,
  use: (signer: Signer) => Promise<T>,
): Promise<T> {
  const signer = await signers.acquire(signal);
  try {
    return await use(signer);
  } finally {
    signer.end();
  }
}
