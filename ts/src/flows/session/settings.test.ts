import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIRMATION } from '../../config.js';
import { mergedSettings } from '../../confirm/decide.js';
import type { ConfirmationWish } from '../../types.js';
import type { FlowContext } from '../context.js';
import { confirmationSettings } from './settings.js';

const context = {
  config: { confirmationConfig: DEFAULT_CONFIRMATION },
  store: { pageSettings: async () => ({}) },
  page: 'https://app.example',
} as unknown as FlowContext;

const settingsOf = (ofCall: object) => confirmationSettings(context, undefined, ofCall as ConfirmationWish);

describe('the confirmation settings of a call', () => {
  it("accept the specification's name for the delay", async () => {
    expect(mergedSettings(await settingsOf({ autoProceedDelay: 700 }))).toEqual({
      ...DEFAULT_CONFIRMATION,
      autoProceedDelayMs: 700,
    });
  });

  it('count as absent where they are undefined', async () => {
    expect(mergedSettings(await settingsOf({ uiMode: undefined }))).toEqual(DEFAULT_CONFIRMATION);
  });

  it.each([
    [{ uimode: 'skip' }, 'confirmationConfig has no setting uimode'],
    [{ uiMode: 'none' }, 'confirmationConfig.uiMode must be skip or modal or drawer'],
  ])('are refused by name where they do not exist: %o', async (ofCall, reason) => {
    await expect(settingsOf(ofCall)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining(reason),
    });
  });
});
