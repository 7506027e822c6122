/**
 * The phrase worker: makes a recovery phrase, or signs with the key of one. The words pass through the viewer's port alone,
 * every buffer with a secret is zero-filled, and the page ends the worker with the flow, which drops the strings.
 */
import * as wasm from '../../wasm/signer/signer.js';
import { LatchkeyError, UNKNOWN_WORKER_RESPONSE } from '../errors/wallet.js';
import { keyOfPhrase } from '../phrase/phrase-key.js';
import { makePhrase, readPhrase } from '../phrase/words.js';
import type { PhraseApi, PhraseDelivery } from './phrase-api.js';
import { serve } from './rpc.js';
import { wiping, zeroFill } from './wiping.js';

let held: Uint8Array = new Uint8Array();

serve<PhraseApi>({
  boot: (module) => {
    wasm.initSync({ module });
  },

  make: async (viewer) => {
    const phrase = makePhrase();
    const { publicKey, privateKey } = await keyOfPhrase(phrase);
    privateKey.fill(0);
    const bytes = new TextEncoder().encode(phrase);
    viewer.postMessage({ phrase: bytes } satisfies PhraseDelivery, [bytes.buffer]);
    viewer.close();
    return publicKey;
  },

  take: async (viewer) => {
    zeroFill([held]);
    const bytes = await received(viewer);
    const phrase = wiping([bytes], () => readPhrase(new TextDecoder().decode(bytes)));
    const { publicKey, privateKey } = await keyOfPhrase(phrase);
    held = privateKey;
    return publicKey;
  },

  sign: (transaction) => wasm.signWithKeyPair(held, transaction),
});

/** Resolves with the first message of the port, and closes it. */
function received(viewer: MessagePort): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    viewer.onmessage = ({ data }: MessageEvent<Partial<PhraseDelivery> | null>) => {
      viewer.close();
      if (data?.phrase instanceof Uint8Array) resolve(data.phrase);
      else reject(new LatchkeyError(UNKNOWN_WORKER_RESPONSE));
    };
  });
}
