/** The QR decoder's worker: ZXing's WASM from our own origin. One message in, one message out. */
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import type { DecoderReply, DecoderRequest } from './decoder.js';

/** Ignores longer texts: a linking code has about 200 characters. */
const MAX_TEXT_LENGTH = 4096;

const reply = (message: DecoderReply): void => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<DecoderRequest>) => {
  answer(data).catch((error: unknown) =>
    reply({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) }),
  );
});

async function answer(request: DecoderRequest): Promise<void> {
  if (request.kind === 'start') {
    // Without this, ZXing would load its WASM from a CDN.
    const wasmBinary = await load(request.wasmUrl);
    await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
    return reply({ kind: 'ready' });
  }
  const results = await readBarcodes(request.frame, {
    formats: ['QRCode'],
    tryInvert: false,
    tryRotate: false,
    maxNumberOfSymbols: 1,
  });
  const text = results.find((result) => result.isValid)?.text ?? '';
  reply({ kind: 'decoded', text: text !== '' && text.length <= MAX_TEXT_LENGTH ? text : null });
}

/** Loads the WASM here, not in ZXing, so that a failure has a readable message. */
async function load(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url).catch(() => undefined);
  if (!response) throw new Error('its WASM did not load');
  if (!response.ok) throw new Error(`its WASM did not load (status ${response.status})`);
  return response.arrayBuffer();
}
