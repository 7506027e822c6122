import { CAMERA_ACCESS_FAILED, CAMERA_SCAN_TIMEOUT, LatchkeyError } from 'latchkey/internal';
import { closeStream, listCameras, type OpenCamera, openCamera } from './camera.js';
import { type QrDecoder, startDecoder } from './decoder.js';
import { createFrames } from './picture.js';

export const SCAN_TIMEOUT_MS = 60_000;
const PROGRESS_TICK_MS = 100;
/** The pause between frames: short enough for a moving hand, long enough to save battery. */
const FRAME_PAUSE_MS = 40;

export type ScanStatus = 'idle' | 'initializing' | 'scanning' | 'success' | 'error' | 'cancelled';

/** The visible state of a scan. */
export interface ScanSnapshot {
  readonly status: ScanStatus;
  /** Why the scan failed, in state 'error'. */
  readonly error: Error | null;
  readonly cameras: readonly MediaDeviceInfo[];
  /** The camera in use or last used. */
  readonly cameraId: string | null;
  readonly mirrored: boolean;
  /** How long the scan has run. */
  readonly elapsedMs: number;
}

export interface ScanOptions {
  /** Called once per scan that found a code, with the camera off. A rejection becomes the scan's error. */
  onText: (text: string) => void | Promise<void>;
  timeoutMs?: number | undefined;
  /** Creates the decoder; for tests. */
  decoder?: (() => QrDecoder) | undefined;
}

export interface ScanSession {
  /** Opens the camera and scans for a code. Does nothing unless idle, failed or cancelled. */
  start(video: HTMLVideoElement, cameraId?: string): Promise<void>;
  /** Ends the scan and turns the camera off. */
  cancel(): void;
  /** Cancels, and ends the decoder. */
  close(): void;
  snapshot(): ScanSnapshot;
  subscribe(changed: () => void): () => void;
}

/** The state before a scan. */
export const IDLE_SCAN: ScanSnapshot = {
  status: 'idle',
  error: null,
  cameras: [],
  cameraId: null,
  mirrored: false,
  elapsedMs: 0,
};

/** Scans for a QR code, one frame in flight at a time. Every end of a scan turns its camera off. */
export function createScanSession({
  onText,
  timeoutMs = SCAN_TIMEOUT_MS,
  decoder = startDecoder,
}: ScanOptions): ScanSession {
  const listeners = new Set<() => void>();
  let current = IDLE_SCAN;
  let decoding: QrDecoder | undefined;
  let run: { ended: AbortController; release: () => void } | undefined;

  function set(change: Partial<ScanSnapshot>) {
    current = { ...current, ...change };
    for (const listener of [...listeners]) listener();
  }

  /** Ends a run with its result. */
  function finish(status: 'success' | 'error' | 'cancelled', error: Error | null = null) {
    const ending = run;
    run = undefined;
    ending?.ended.abort();
    ending?.release();
    set({ status, error });
  }

  function fail(error: unknown) {
    // The next try creates a new decoder.
    if (error instanceof LatchkeyError && error.code === 'QR_DECODER_FAILED') endDecoder();
    finish('error', asScanError(error));
  }

  function endDecoder() {
    decoding?.close();
    decoding = undefined;
  }

  async function start(video: HTMLVideoElement, cameraId?: string): Promise<void> {
    if (run || (current.status !== 'idle' && current.status !== 'error' && current.status !== 'cancelled'))
      return;
    const ended = new AbortController();
    const { signal } = ended;
    let camera: OpenCamera | undefined;
    let ticker: ReturnType<typeof setInterval> | undefined;
    run = {
      ended,
      release() {
        clearInterval(ticker);
        if (!camera) return;
        closeStream(camera.stream);
        if (video.srcObject === camera.stream) video.srcObject = null;
      },
    };
    set({ status: 'initializing', error: null, elapsedMs: 0 });
    try {
      // Loads while the user answers the browser's permission prompt.
      decoding ??= decoder();
      const opened = await openCamera(cameraId);
      if (signal.aborted) return closeStream(opened.stream);
      camera = opened;
      opened.track.addEventListener('ended', () => {
        if (!signal.aborted) fail(new LatchkeyError(CAMERA_ACCESS_FAILED, { values: { reason: STOPPED } }));
      });
      set({ mirrored: opened.mirrored, cameraId: opened.id });
      video.srcObject = opened.stream;
      const [cameras] = await Promise.all([listCameras(), video.play()]);
      if (signal.aborted) return;
      set({ status: 'scanning', cameras });

      const startedAt = performance.now();
      ticker = setInterval(() => {
        const elapsedMs = performance.now() - startedAt;
        if (elapsedMs < timeoutMs) set({ elapsedMs });
        else fail(new LatchkeyError(CAMERA_SCAN_TIMEOUT, { values: { ms: timeoutMs } }));
      }, PROGRESS_TICK_MS);

      const text = await firstText(video, decoding, signal);
      if (text === null) return;
      finish('success');
      await handOver(text);
    } catch (error) {
      if (!signal.aborted) fail(error);
    }
  }

  async function handOver(text: string): Promise<void> {
    try {
      await onText(text);
    } catch (error) {
      // Unless the user has started another scan meanwhile.
      if (current.status === 'success')
        set({ status: 'error', error: error instanceof Error ? error : new Error(String(error)) });
    }
  }

  function cancel() {
    if (run) finish('cancelled');
  }

  return {
    start,
    cancel,
    close() {
      cancel();
      endDecoder();
    },
    snapshot: () => current,
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

const STOPPED = 'the camera stopped. Connect it and allow it, then try again.';

/** Decodes frame after frame until one has a code; null once the signal aborts. */
async function firstText(
  video: HTMLVideoElement,
  decoder: QrDecoder,
  signal: AbortSignal,
): Promise<string | null> {
  const frame = createFrames();
  while (!signal.aborted) {
    const { videoWidth, videoHeight } = video;
    if (videoWidth > 0 && videoHeight > 0) {
      const text = await decoder.decode(frame(video, videoWidth, videoHeight));
      if (signal.aborted) return null;
      if (text !== null) return text;
    }
    await new Promise((resolve) => setTimeout(resolve, FRAME_PAUSE_MS));
  }
  return null;
}

function asScanError(error: unknown): LatchkeyError {
  if (error instanceof LatchkeyError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new LatchkeyError(CAMERA_ACCESS_FAILED, { values: { reason }, cause: error });
}
