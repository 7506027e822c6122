import encodeQR from 'qr';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { showQrToCamera } from '../testing/camera.js';
import { managerOf } from '../testing/manager.js';
import { render, unmount } from '../testing/render.js';
import { useQRCamera } from './use-qr-camera.js';
import { useQRFileUpload } from './use-qr-file-upload.js';

const PATIENT = { timeout: 15_000 };
const state = page.getByRole('status');

afterEach(() => {
  unmount();
  vi.restoreAllMocks();
});

describe('useQRCamera (core 2, kit 4)', () => {
  function Camera({ onScan }: { onScan: (text: string) => void }) {
    const { video, status, error, start } = useQRCamera({ onScan });
    return (
      <>
        <video ref={video} playsInline muted />
        <output>{error?.message ?? status}</output>
        <button type="button" onClick={() => start()}>
          Again
        </button>
      </>
    );
  }

  it('scans from the mount on, under StrictMode too, and turns the camera off with the code', async () => {
    await showQrToCamera('a code');
    const streams: MediaStream[] = [];
    const open = MediaDevices.prototype.getUserMedia;
    vi.spyOn(MediaDevices.prototype, 'getUserMedia').mockImplementation(async function (
      this: MediaDevices,
      constraints,
    ) {
      const stream = await open.call(this, constraints);
      streams.push(stream);
      return stream;
    });
    const onScan = vi.fn();
    render(managerOf(), <Camera onScan={onScan} />);
    await expect.element(state, PATIENT).toHaveTextContent('success');
    expect(onScan.mock.calls).toEqual([['a code']]);
    await expect
      .poll(() =>
        streams.flatMap((stream) => stream.getTracks()).every((track) => track.readyState === 'ended'),
      )
      .toBe(true);
  });

  it('says why it cannot scan, and scans again', async () => {
    await showQrToCamera('a code');
    const refused = vi
      .spyOn(MediaDevices.prototype, 'getUserMedia')
      .mockRejectedValue(new DOMException('', 'NotAllowedError'));
    const onScan = vi.fn();
    render(managerOf(), <Camera onScan={onScan} />);
    await expect.element(state).toHaveTextContent('permission was denied');
    refused.mockRestore();
    await page.getByRole('button', { name: 'Again' }).click();
    await expect.poll(() => onScan.mock.calls, PATIENT).toEqual([['a code']]);
  });
});

describe('useQRFileUpload (core 2)', () => {
  function Upload({ refuses }: { refuses?: string }) {
    const [text, setText] = useState('');
    const { readFile, isReading, error } = useQRFileUpload({
      onScan(scanned) {
        if (refuses !== undefined) throw new Error(refuses);
        setText(scanned);
      },
    });
    return (
      <>
        <input
          type="file"
          aria-label="Picture"
          onChange={({ target }) => target.files?.[0] && void readFile(target.files[0])}
        />
        <output>{isReading ? 'reading' : (error?.message ?? text)}</output>
      </>
    );
  }
  const choose = (file: File) => userEvent.upload(page.getByLabelText('Picture'), file);

  /** A picture of these pixels, each drawn as a square. */
  async function pictureOf(rows: boolean[][], side = 8): Promise<File> {
    const canvas = new OffscreenCanvas((rows.length + 8) * side, (rows.length + 8) * side);
    const pen = canvas.getContext('2d')!;
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = '#000';
    for (const [y, row] of rows.entries())
      for (const [x, isDark] of row.entries())
        if (isDark) pen.fillRect((x + 4) * side, (y + 4) * side, side, side);
    return new File([await canvas.convertToBlob()], 'code.png', { type: 'image/png' });
  }

  it('reads the code of a picture', async () => {
    render(managerOf(), <Upload />);
    await choose(await pictureOf(encodeQR('from a picture', 'raw')));
    await expect.element(state, PATIENT).toHaveTextContent('from a picture');
  });

  it('says that a picture has no code, and that a file is no picture', async () => {
    render(managerOf(), <Upload />);
    await choose(await pictureOf([[false]]));
    await expect.element(state, PATIENT).toHaveTextContent('No QR code was found in this picture');
    await choose(new File(['plain text'], 'code.txt'));
    await expect.element(state, PATIENT).toHaveTextContent('cannot read this file as a picture');
  });

  it('says why the page refuses a code', async () => {
    render(managerOf(), <Upload refuses="not a linking code" />);
    await choose(await pictureOf(encodeQR('from a picture', 'raw')));
    await expect.element(state, PATIENT).toHaveTextContent('not a linking code');
  });
});
