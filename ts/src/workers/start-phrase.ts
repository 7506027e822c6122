/** Starts the phrase worker. One serves one flow, which ends it. */
import type { PhraseApi } from './phrase-api.js';
import { connect, type WorkerClient } from './rpc.js';
import { compileSigner } from './start.js';
import { startAgain } from './start-again.js';

const BOOT_TIMEOUT_MS = 60_000;

/** One that makes a phrase; it cannot sign. */
export function startPhraseMaker(): Promise<WorkerClient<PhraseApi>> {
  return startAgain(started);
}

/** One that signs with the key of a phrase. */
export function startPhraseSigner(): Promise<WorkerClient<PhraseApi>> {
  return startAgain(async () => {
    const worker = await started();
    try {
      await worker.call('boot', [await compileSigner()], { timeoutMs: BOOT_TIMEOUT_MS });
      return worker;
    } catch (error) {
      worker.close();
      throw error;
    }
  });
}

async function started(): Promise<WorkerClient<PhraseApi>> {
  const worker = connect<PhraseApi>(
    () =>
      new Worker(new URL('./phrase.worker.js', import.meta.url), { type: 'module', name: 'latchkey-phrase' }),
  );
  await worker.ready;
  return worker;
}
