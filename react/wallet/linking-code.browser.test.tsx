// Specification: kit 2
import type { Device2Linking, FlowEvent } from 'latchkey';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { showLinkingCode } from './ui.js';

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
const LINKING = {
  qrData: {},
  qrCodeDataURL: PIXEL,
  checkCode: 'ABCD2345EFGH6723',
  expiresAt: Date.now() + 900_000,
} as unknown as Device2Linking;

type Listener = (event: FlowEvent<'linking'>) => void;

let over: AbortController;
let listeners: Set<Listener>;
let closed: number;

beforeEach(() => {
  over = new AbortController();
  listeners = new Set();
  closed = 0;
});
afterEach(() => over.abort());

const event = (
  step: number,
  phase: FlowEvent<'linking'>['phase'],
  message: string,
): FlowEvent<'linking'> => ({
  flow: 'linking',
  step,
  phase,
  status: 'progress',
  message,
});
const tell = (told: FlowEvent<'linking'>): void => {
  for (const listener of listeners) listener(told);
};
const show = (first: FlowEvent<'linking'>): void =>
  showLinkingCode(LINKING, {
    theme: 'light',
    signal: over.signal,
    follow: (listener) => {
      listeners.add(listener);
      listener(first);
    },
    onClose: () => {
      closed += 1;
    },
  });
const status = () => page.getByRole('status');
const image = () => page.getByRole('img', { name: 'QR code that links this device' });

it("the wallet's own dialog of a code tells each step, and that the other device has scanned it", async () => {
  show(event(4, 'polling', 'Waiting for your other device to scan'));
  await expect.element(image()).toBeVisible();
  await expect.element(status()).toHaveTextContent('Waiting for your other device to scan');
  await expect.element(page.getByText('Scan to backup your other device.')).toBeVisible();
  tell(event(5, 'addkey-detected', 'alice.testnet has added the key of this device'));
  await expect.element(status()).toHaveTextContent('alice.testnet has added the key of this device');
  await expect.element(page.getByText('Scan to backup your other device.')).not.toBeInTheDocument();
  await expect.element(page.getByText(/Expires in/)).not.toBeInTheDocument();
  tell(event(6, 'registration', 'Registering device…'));
  await expect.element(status()).toHaveTextContent('Registering device…');
  over.abort();
  await expect.element(image()).not.toBeInTheDocument();
  expect(closed).toBe(0);
});

it('a failure leaves the last step, because the page says why the linking ended', async () => {
  show(event(4, 'polling', 'Waiting for your other device to scan'));
  await expect.element(image()).toBeVisible();
  tell({ ...event(0, 'device-linking-error', 'QR code expired'), status: 'error' });
  await expect.element(status()).toHaveTextContent('Waiting for your other device to scan');
  await page.getByRole('button', { name: 'Close' }).click();
  expect(closed).toBe(1);
});
