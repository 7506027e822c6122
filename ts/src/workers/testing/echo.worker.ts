/** A worker for the tests of the call layer. */
import { LatchkeyError, VRF_UNLOCK_FAILED } from '../../errors/wallet.js';
import { type CallContext, serve } from '../rpc.js';

export type EchoApi = {
  echo(value: unknown): unknown;
  length(bytes: Uint8Array): number;
  moved(): Uint8Array;
  failOurs(): void;
  failForeign(): void;
  failPlain(): void;
  unsendable(): unknown;
  waitForCancel(): string;
  lastCancelled(): boolean;
  spin(): void;
  crash(): void;
};

let cancelled = false;

serve<EchoApi>({
  echo: (value) => value,
  length: (bytes) => bytes.byteLength,
  moved: (context: CallContext) => {
    const bytes = new Uint8Array([1, 2, 3]);
    return context.move(bytes, [bytes.buffer]);
  },
  failOurs: () => {
    throw new LatchkeyError(VRF_UNLOCK_FAILED, { cause: new RangeError('the inner reason') });
  },
  failForeign: () => {
    throw Object.assign(new Error('from the WASM'), { code: 'DECRYPTION_FAILED' });
  },
  failPlain: () => {
    throw new TypeError('plain');
  },
  unsendable: () => () => 'a function',
  waitForCancel: ({ signal }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        cancelled = true;
        resolve('cancelled');
      });
    }),
  lastCancelled: () => cancelled,
  spin: () => {
    for (;;);
  },
  crash: () => {
    setTimeout(() => {
      throw new Error('outside of any call');
    });
    return new Promise<void>(() => undefined);
  },
});
