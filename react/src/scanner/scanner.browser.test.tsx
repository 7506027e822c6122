import { errorFrom } from 'latchkey/internal';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { showQrToCamera, unplugCamera } from '../testing/camera.js';
import { managerOf } from '../testing/manager.js';
import { render, unmount } from '../testing/render.js';
import { QRCodeScanner, type QRCodeScannerProps } from './qr-code-scanner.js';

const PATIENT = { timeout: 10_000 };
const manager = managerOf();
const dialog = page.getByRole('dialog', { name: 'Scan QR code' });
const button = (name: string) => dialog.getByRole('button', { name, exact: true });
const host = () => document.querySelector('latchkey-scanner');
const video = () => host()?.shadowRoot?.querySelector('video') ?? null;
const onScan = vi.fn<QRCodeScannerProps['onScan']>();
const onClose = vi.fn();

/** Every stream that a camera opened. */
let streams: MediaStream[];
const live = () =>
  streams.flatMap((stream) => stream.getTracks()).filter((track) => track.readyState === 'live');

function show(props: Partial<QRCodeScannerProps> = {}) {
  const all = { isOpen: true, onScan, onClose, ...props };
  const hide = () => render(manager, <QRCodeScanner {...all} isOpen={false} />);
  onClose.mockImplementation(hide);
  render(manager, <QRCodeScanner {...all} />);
  return hide;
}

async function gone() {
  await expect.poll(host).toBeNull();
  expect(live()).toEqual([]);
}

/** Opens the browser's camera; tests replace it. */
let camera: (open: () => Promise<MediaStream>, constraints?: MediaStreamConstraints) => Promise<MediaStream>;
const focused = () => {
  const inner = host()?.shadowRoot?.activeElement;
  return inner instanceof HTMLElement ? (inner.ariaLabel ?? inner.textContent) : null;
};

function labelled(stream: MediaStream, label: string) {
  Object.defineProperty(stream.getVideoTracks()[0], 'label', { value: label });
  return stream;
}

let outside: HTMLButtonElement;
beforeEach(async () => {
  streams = [];
  camera = (open) => open();
  const open = MediaDevices.prototype.getUserMedia;
  vi.spyOn(MediaDevices.prototype, 'getUserMedia').mockImplementation(function (
    this: MediaDevices,
    constraints,
  ) {
    return camera(async () => {
      const stream = await open.call(this, constraints);
      streams.push(stream);
      return stream;
    }, constraints);
  });
  outside = document.createElement('button');
  outside.textContent = 'Outside';
  document.body.append(outside);
  await showQrToCamera('hello from the other device');
});
afterEach(async () => {
  unmount();
  outside.remove();
  vi.restoreAllMocks();
  onScan.mockReset();
  onClose.mockReset();
  await gone();
});

describe('the scanner (kit 2, kit 4)', () => {
  it('reads the code in view once and turns the camera off', async () => {
    show();
    await expect.element(dialog.getByText('Position the QR code within the frame')).toBeVisible();
    await expect.poll(() => onScan.mock.calls, PATIENT).toEqual([['hello from the other device']]);
    expect(live()).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(onScan).toHaveBeenCalledTimes(1);
  });

  it('shows that it scans and continues until there is a code', async () => {
    await showQrToCamera('');
    show();
    await expect.element(dialog.getByRole('status')).toHaveTextContent('Scanning...');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(onScan).not.toHaveBeenCalled();
    expect(live()).toHaveLength(1);
  });

  it('closes by its button and by Escape, turns the camera off and returns the focus', async () => {
    await showQrToCamera('');
    for (const close of [() => button('Close').click(), () => userEvent.keyboard('{Escape}')]) {
      outside.focus();
      onClose.mockClear();
      show();
      await expect.element(dialog.getByRole('status')).toHaveTextContent('Scanning...');
      await close();
      await expect.poll(() => onClose.mock.calls.length).toBe(1);
      await gone();
      expect(document.activeElement).toBe(outside);
    }
  });

  it('leaves no camera on when it closes while the camera is opening', async () => {
    let opened: () => void = () => undefined;
    const late = new Promise<void>((resolve) => {
      opened = resolve;
    });
    camera = async (open) => {
      const stream = await open();
      await late;
      return stream;
    };
    const hide = show();
    await expect.poll(() => live().length).toBeGreaterThan(0);
    hide();
    await expect.poll(host).toBeNull();
    opened();
    await expect.poll(live).toEqual([]);
  });

  it('leaves no camera on when the page removes it', async () => {
    await showQrToCamera('');
    show();
    await expect.poll(() => live().length).toBe(1);
    unmount();
    await gone();
  });

  it('traps the focus', async () => {
    await showQrToCamera('');
    outside.focus();
    show();
    await expect.poll(focused).toBe('Close');
    for (let press = 0; press < 4; press++) {
      await userEvent.tab();
      expect(document.activeElement).toBe(host());
    }
  });
});

describe('a scan that fails (core 8, kit 2, kit 5, kit 8)', () => {
  it('says that there is no camera, and tries again', async () => {
    await unplugCamera();
    show();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('The camera can’t be used.');
    await expect.poll(focused).toBe('Try Again');
    await showQrToCamera('there now');
    await button('Try Again').click();
    await expect.poll(() => onScan.mock.calls, PATIENT).toEqual([['there now']]);
  });

  it('says that permission was denied, and what to do', async () => {
    camera = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    show();
    await expect
      .element(dialog.getByRole('alert'))
      .toHaveTextContent('The camera can’t be used. Allow it for this site');
  });

  it('says that the devices cannot be listed', async () => {
    vi.spyOn(MediaDevices.prototype, 'enumerateDevices').mockRejectedValue(new Error('odd'));
    show();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('No camera was found.');
    expect(live()).toEqual([]);
  });

  it('says that the picture cannot be read', async () => {
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
    show();
    await expect
      .element(dialog.getByRole('alert'))
      .toHaveTextContent('This browser can’t read the camera’s picture.');
    expect(live()).toEqual([]);
  });

  it('times out with the camera off', async () => {
    await showQrToCamera('');
    show({ timeoutMs: 400 });
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('No code was seen.');
    expect(live()).toEqual([]);
    const buttons = dialog
      .getByRole('button')
      .elements()
      .map((each) => each.ariaLabel ?? each.textContent);
    expect(buttons).toEqual(['Close', 'Close', 'Try Again']);
  });

  it('says that the camera stopped', async () => {
    await showQrToCamera('');
    show();
    await expect.element(dialog.getByRole('status')).toHaveTextContent('Scanning...');
    streams.at(-1)?.getVideoTracks()[0]?.dispatchEvent(new Event('ended'));
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('The camera can’t be used.');
    expect(live()).toEqual([]);
  });

  it('shows why a code was refused and scans another', async () => {
    onScan.mockRejectedValueOnce(new Error('QR code expired')).mockResolvedValueOnce();
    show();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent(/^QR code expired$/);
    await button('Try Again').click();
    await expect.poll(() => onScan.mock.calls.length, PATIENT).toBe(2);
  });

  it.each([
    ['INVALID_QR_DATA', 'so nothing was linked. Scan the code that your other device shows'],
    ['SESSION_EXPIRED', 'Nothing was linked. Show a new code, then scan that one.'],
  ] as const)('says what to do about a code refused as %s, and blames no camera', async (code, hint) => {
    onScan.mockRejectedValueOnce(errorFrom({ code, message: 'Refused' }));
    show();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent(hint);
    await dialog.getByText('Details').click();
    await expect.element(dialog.getByText('Refused')).toBeVisible();
  });
});

describe('the camera (kit 2)', () => {
  const other = {
    kind: 'videoinput',
    deviceId: 'other',
    label: 'Front camera',
    groupId: '',
  } as MediaDeviceInfo;

  it('cannot be chosen when there is only one', async () => {
    await showQrToCamera('');
    show();
    await expect.element(dialog.getByRole('status')).toHaveTextContent('Scanning...');
    await expect.element(dialog.getByRole('combobox')).not.toBeInTheDocument();
  });

  it('can be chosen when there are several', async () => {
    await showQrToCamera('');
    const asked: unknown[] = [];
    camera = (open, constraints) => {
      asked.push(constraints?.video);
      return open();
    };
    const list = navigator.mediaDevices.enumerateDevices.bind(navigator.mediaDevices);
    vi.spyOn(MediaDevices.prototype, 'enumerateDevices').mockImplementation(async () => [
      ...(await list()),
      other,
    ]);
    show();
    const choice = dialog.getByRole('combobox', { name: 'Camera' });
    await expect.element(choice).toBeVisible();
    const before = asked.length;
    camera = async (_open, constraints) => {
      asked.push(constraints?.video);
      throw new DOMException('gone', 'NotFoundError');
    };
    await choice.selectOptions('Front camera');
    await expect.poll(() => asked.slice(before)).toMatchObject([{ deviceId: { exact: 'other' } }]);
    expect(live()).toEqual([]);
  });

  it('is mirrored only when it faces the user', async () => {
    await showQrToCamera('');
    for (const [label, mirrored] of [
      ['FaceTime HD Camera', true],
      ['Back camera', false],
    ] as const) {
      camera = async (open) => labelled(await open(), label);
      show();
      await expect.element(dialog.getByRole('status')).toHaveTextContent('Scanning...');
      expect(video()?.classList.contains('mirrored')).toBe(mirrored);
      unmount();
      await gone();
    }
  });
});
