import { describe, expect, it } from 'vitest';
import { createTurns } from './in-turn.js';

describe('turns', () => {
  it('start a task when the one before it has ended, in the order of the calls', async () => {
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

  it('go on after a task that failed, which only its own caller hears', async () => {
    const inTurn = createTurns();
    const failed = inTurn(() => Promise.reject(new Error('no')));
    const next = inTurn(async () => 'yes');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });
});
