import { afterEach, beforeEach, vi } from 'vitest';

/**
 * In the tests of a file, or of a `describe`, timers fire as soon as nothing else is left to do, and the clock shows the time
 * that they would have taken. For tests that wait for nothing outside of their process.
 */
export function skipWaits(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.setTimerTickMode('nextTimerAsync');
  });
  afterEach(() => void vi.useRealTimers());
}
