/**
 * Asks for less transparency before each test file, so that no dialog blurs what is behind it: without a graphics card, that
 * takes much processor time.
 */
import { beforeAll } from 'vitest';
import { cdp } from 'vitest/browser';

beforeAll(async () => {
  const features = [{ name: 'prefers-reduced-transparency', value: 'reduce' }];
  await (cdp() as unknown as { send(method: string, params: unknown): Promise<void> }).send(
    'Emulation.setEmulatedMedia',
    { features },
  );
});
