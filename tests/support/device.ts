// A browser with a camera whose picture the test sets: one of several devices that share only the chain.
import type { Browser, Locator } from 'playwright-core';
import type { SoftwarePasskeys } from '../../dev/authenticators/software-passkeys.js';
import { installPasskeys } from '../../dev/playwright/passkeys.js';
import { fakeCameraFlags, showPicture, showQr } from '../../scripts/fake-camera.mjs';
import { launchChromium } from './browser.js';
import type { LocalStack } from './local-stack.js';
import { openWatchedWallet, type WatchedWallet } from './wallet.js';

/** A separate browser with its own profile and camera. */
export interface Device extends WatchedWallet {
  browser: Browser;
  /** Holds another device's screen before the camera. */
  see: (screen: Locator) => Promise<void>;
  /** Shows the camera a QR code with this text. */
  seeCode: (text: string) => void;
  /** Shows the camera a wall. */
  seeNothing: () => void;
  /** Every address that the page and its workers requested. */
  asked: string[];
}

export interface DeviceOptions {
  /** The Chromium to start. Default: the one that set-up found. */
  path?: string | undefined;
  /** The page's address. Default: the demo app's. */
  url?: string;
  /** Passkeys that several devices share, in place of the browser's own. */
  synced?: SoftwarePasskeys;
}

/** Opens the demo app in a browser whose camera plays this file: an absolute path that ends in .y4m. */
export async function openDevice(
  stack: LocalStack,
  camera: string,
  { path, url, synced }: DeviceOptions = {},
): Promise<Device> {
  const browser = await launchChromium(fakeCameraFlags(camera), path);
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 1100, height: 860 },
  });
  const asked: string[] = [];
  context.on('request', (request) => void asked.push(request.url()));
  // Before the recorder, which wraps what it finds.
  if (synced) await installPasskeys(context, synced);
  const wallet = await openWatchedWallet(context, stack, 'always', url);
  return {
    ...wallet,
    browser,
    asked,
    see: async (screen) => {
      const { width, height, luma } = await pixelsOf(browser, await screen.screenshot());
      showPicture(camera, width, height, (x, y) => luma[y * width + x] ?? 0);
    },
    seeCode: (text) => showQr(camera, text),
    seeNothing: () => showPicture(camera, 0, 0, () => 0),
  };
}

/** The picture's brightness in video range: from 16 to 235. */
async function pixelsOf(
  browser: Browser,
  png: Buffer,
): Promise<{ width: number; height: number; luma: Buffer }> {
  const page = await browser.newPage();
  const { width, height, base64 } = await page.evaluate(
    async (src) => {
      const image = new Image();
      image.src = src;
      await image.decode();
      const pen = new OffscreenCanvas(image.width, image.height).getContext('2d');
      pen?.drawImage(image, 0, 0);
      const { width, height, data } =
        pen?.getImageData(0, 0, image.width, image.height) ?? new ImageData(1, 1);
      let luma = '';
      for (let at = 0; at < data.length; at += 4)
        luma += String.fromCharCode(16 + Math.round((data[at] ?? 0) * 0.86));
      return { width, height, base64: btoa(luma) };
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
  await page.close();
  return { width, height, luma: Buffer.from(base64, 'base64') };
}
