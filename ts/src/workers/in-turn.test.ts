import { describe, expect, it } from 'vitest';
import { createTurns } from './in-turn.js';

describe('turns', () => {
  it('start each task when the one before it has ended, in call order', async () => {
    const inTurn = createTurns();
    const steps: string[] = [];
    const task = (name: string) => async () => {
      steps.push(`${name} starts`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      steps.push(`${name} ends`);
      return name;
    };
    expect(await Promise.all([inTurn(task('first')), inTurn(task('second'))])).toEqual(['first', 'second']);
    expect(steps).toEqual(['first starts', 'first ends', 'second starts', 'second ends']);
  });

  it('continue after a failed task, whose error reaches only its own caller', async () => {
    const inTurn = createTurns();
    const failed = inTurn(() => Promise.reject(new Error('no')));
    const next = inTurn(async () => 'yes');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });
});
