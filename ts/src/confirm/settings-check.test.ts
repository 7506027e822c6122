import { describe, expect, it } from 'vitest';
import type { ConfirmationWish } from '../types.js';
import { checkedSettings, MAX_DELAY_MS, namedSettings, settingsProblems } from './settings-check.js';

describe('the confirmation settings of a page (core 2)', () => {
  it.each<[ConfirmationWish]>([
    [{}],
    [{ uiMode: 'skip', behavior: 'requireClick', theme: 'dark', autoProceedDelay: 0 }],
    [{ uiMode: 'modal', behavior: 'autoProceed', theme: 'light', autoProceedDelayMs: MAX_DELAY_MS }],
    [{ uiMode: 'drawer', autoProceedDelay: 500, autoProceedDelayMs: 500 }],
    [{ uiMode: undefined, autoProceedDelay: undefined } as unknown as ConfirmationWish],
  ])('are good: %j', (given) => {
    expect(settingsProblems(given)).toEqual([]);
  });

  const delay = 'must be a number of milliseconds from 0 to 60000';
  it.each<[object, string]>([
    [{ uiMode: 'page' }, 'confirmationConfig.uiMode must be skip or modal or drawer'],
    [{ uiMode: ['skip'] }, 'confirmationConfig.uiMode must be skip or modal or drawer'],
    [{ behavior: '' }, 'confirmationConfig.behavior must be requireClick or autoProceed'],
    [{ theme: 'blue' }, 'confirmationConfig.theme must be dark or light'],
    [{ autoProceedDelay: -1 }, `confirmationConfig.autoProceedDelay ${delay}`],
    [{ autoProceedDelayMs: MAX_DELAY_MS + 1 }, `confirmationConfig.autoProceedDelayMs ${delay}`],
    [{ autoProceedDelayMs: '500' }, `confirmationConfig.autoProceedDelayMs ${delay}`],
    [{ toString: 'x' }, 'confirmationConfig has no setting toString'],
    [
      { autoProceedDelay: 1, autoProceedDelayMs: 2 },
      'confirmationConfig has two delays: autoProceedDelay and autoProceedDelayMs mean the same',
    ],
  ])('have a problem: %j', (given, problem) => {
    expect(settingsProblems(given as ConfirmationWish)).toEqual([problem]);
  });

  it('are refused with every problem', () => {
    const problems = [
      'confirmationConfig has no setting size',
      'confirmationConfig.theme must be dark or light',
    ];
    const check = () => checkedSettings({ size: 1, theme: 'blue' } as unknown as ConfirmationWish);
    expect(check).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG', details: { problems } }));
    expect(check).toThrow(problems.join('; '));
  });

  it('have one name each, and no undefined value', () => {
    expect(checkedSettings({ theme: 'light', autoProceedDelay: 0 })).toStrictEqual({
      theme: 'light',
      autoProceedDelayMs: 0,
    });
    expect(checkedSettings({ uiMode: undefined } as unknown as ConfirmationWish)).toStrictEqual({});
    expect(checkedSettings({ autoProceedDelayMs: 7 })).toStrictEqual({ autoProceedDelayMs: 7 });
    expect(namedSettings({ theme: null, autoProceedDelay: null })).toStrictEqual({
      theme: null,
      autoProceedDelayMs: null,
    });
  });
});
