import encodeQR from 'qr';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { showQrToCamera } from '../testing/camera.js';
import { startDecoder } from './decoder.js';
import { createScanSession, type ScanStatus } from './scan-session.js';

afterEach(() => void vi.useRealTimers());

describe('a scan (kit 9)', () => {
  it('tells its time every 100 ms, and gives up after 60 s with the camera off', async () => {
    await showQrToCamera('');
    const video = document.createElement('video');
    const session = createScanSession({ onText: () => undefined });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const isScanning = new Promise<void>((resolve) => {
      session.subscribe(() => session.snapshot().status === 'scanning' && resolve());
    });
    const over = session.start(video);
    await isScanning;
    const [track] = (video.srcObject as MediaStream).getTracks();
    const told: [ScanStatus, elapsedMs: number][] = [];
    session.subscribe(() => {
      const { status, elapsedMs } = session.snapshot();
      told.push([status, elapsedMs]);
    });

    vi.advanceTimersByTime(59_999);
    expect(told).toEqual(Array.from({ length: 599 }, (_, tick) => ['scanning', 100 * (tick + 1)]));
    expect(track?.readyState).toBe('live');
    vi.advanceTimersByTime(1);
    expect(session.snapshot()).toMatchObject({
      status: 'error',
      error: { message: 'Camera scan timeout - no QR code detected within 60000ms' },
    });
    expect(track?.readyState).toBe('ended');
    await over;
    session.close();
  });
});

describe('the decoder (kit 9)', () => {
  const SCALE = 8;

  function picture(isInverted: boolean): ImageData {
    const code = encodeQR('a code', 'raw', { ecc: 'medium', border: 4 });
    const side = code.length * SCALE;
    const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
    for (let at = 0; at < side * side; at += 1) {
      const isDark = code[Math.floor(at / side / SCALE)]?.[Math.floor((at % side) / SCALE)] === true;
      pixels.fill(isDark === isInverted ? 255 : 0, at * 4, at * 4 + 3);
    }
    return new ImageData(pixels, side, side);
  }

  it.each([
    ['reads a dark code on a light ground', false, 'a code'],
    ['does not look for a light code on a dark ground', true, null],
  ])('%s', async (_, isInverted, text) => {
    const decoder = startDecoder();
    expect(await decoder.decode(picture(isInverted))).toBe(text);
    decoder.close();
  });
});
