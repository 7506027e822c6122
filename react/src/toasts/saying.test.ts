import { expect, it, onTestFinished, vi } from 'vitest';
import { saying } from './saying.js';

vi.mock('./remembering-steps.js', () => {
  throw new Error('Failed to fetch dynamically imported module');
});

it.each([0, 1])('a flow whose words cannot load goes on without them, after %s events', async (events) => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  const say = vi.fn();
  const { hear, end } = saying(say);
  for (let event = 0; event < events; event += 1)
    hear({ flow: 'login', step: 1, phase: 'preparation', status: 'progress', message: '' });
  // Node tells of a rejection after the microtasks of the import.
  await vi.dynamicImportSettled();
  await new Promise((resolve) => setTimeout(resolve, 50));
  end();
  expect(say).not.toHaveBeenCalled();
  expect(unhandled).not.toHaveBeenCalled();
});
