import { LatchkeyError, QR_DECODER_FAILED, WORKER_CLOSED } from 'latchkey/internal';

/** A message to the worker. */
export type DecoderRequest =
  | { readonly kind: 'start'; readonly wasmUrl: string }
  | { readonly kind: 'decode'; readonly frame: ImageData };

/** The worker's reply, one for each request. */
export type DecoderReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'decoded'; readonly text: string | null }
  | { readonly kind: 'failed'; readonly reason: string };

export interface QrDecoder {
  /** The text of the QR code in the frame, or null. Transfers the pixels. Takes one frame at a time. */
  decode(frame: ImageData): Promise<string | null>;
  /** Ends the worker. A pending decode rejects. */
  close(): void;
}

/** Starts a decoder in its own worker; script and WASM load relative to this module. */
export function startDecoder(): QrDecoder {
  const worker = new Worker(new URL('./decoder.worker.js', import.meta.url), {
    type: 'module',
    name: 'latchkey-qr-decoder',
  });
  const wasmUrl = new URL('../../wasm/zxing_reader.wasm', import.meta.url).href;
  let waiting: { resolve: (reply: DecoderReply) => void; reject: (error: LatchkeyError) => void } | undefined;
  let dead: LatchkeyError | undefined;

  function end(reason: LatchkeyError) {
    dead ??= reason;
    worker.terminate();
    waiting?.reject(dead);
    waiting = undefined;
  }

  worker.addEventListener('message', ({ data }: MessageEvent<DecoderReply>) => {
    const asked = waiting;
    waiting = undefined;
    asked?.resolve(data);
  });
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    end(failed(event.message || 'its script did not load'));
  });

  function ask(request: DecoderRequest, buffers: Transferable[] = []): Promise<DecoderReply> {
    if (dead) return Promise.reject(dead);
    return new Promise((resolve, reject) => {
      waiting = { resolve, reject };
      worker.postMessage(request, buffers);
    });
  }

  const ready = ask({ kind: 'start', wasmUrl }).then((reply) => {
    if (reply.kind === 'failed') end(failed(reply.reason));
  });
  ready.catch(() => undefined);

  return {
    async decode(frame) {
      await ready;
      const reply = await ask({ kind: 'decode', frame }, [frame.data.buffer]);
      if (reply.kind === 'failed') throw failed(reply.reason);
      return reply.kind === 'decoded' ? reply.text : null;
    },
    close: () => end(new LatchkeyError(WORKER_CLOSED)),
  };
}

function failed(reason: string): LatchkeyError {
  return new LatchkeyError(QR_DECODER_FAILED, { values: { reason } });
}
