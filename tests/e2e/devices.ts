// Browsers with a camera each, which share only the chain.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { headlessShellPath } from '../../scripts/chromium.mjs';
import { type Device, openDevice } from '../support/device.js';
import type { LocalStack } from '../support/local-stack.js';
import { leaveOutBlur, settle, test } from './fixtures.js';

/** Tests that open browsers at the app of the stack, or of what `at` makes of it. Each is judged and closed afterwards. */
export const testWithDevices = (at = (stack: LocalStack): LocalStack => stack) =>
  test.extend<{ open(): Promise<Device> }>({
    open: async ({ stack, expectedConsole }, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'latchkey-devices-'));
      const devices: Device[] = [];
      await use(async () => {
        const camera = join(folder, `camera-${devices.length}.y4m`);
        const device = await openDevice(at(stack), camera, { path: headlessShellPath() });
        await leaveOutBlur(device.page);
        devices.push(device);
        return device;
      });
      for (const device of devices) {
        settle(stack, device, expectedConsole);
        await device.browser.close();
      }
      await rm(folder, { recursive: true, force: true });
    },
  });
