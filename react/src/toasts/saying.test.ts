import { expect, it, vi } from 'vitest';
import { saying } from './saying.js';

vi.mock('./remembering-steps.js', () => {
  throw new Error('Failed to fetch dynamically imported module');
});

// Vitest itself fails for a rejection that nobody handles.
it.each([0, 1])('a flow whose words cannot load goes on without them, after %s events', async (events) => {
  const say = vi.fn();
  const { hear, end } = saying(say);
  for (let event = 0; event < events; event += 1)
    hear({ flow: 'login', step: 1, phase: 'preparation', status: 'progress', message: '' });
  await vi.dynamicImportSettled();
  end();
  expect(say).not.toHaveBeenCalled();
});
