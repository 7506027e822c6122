import { expect, test } from 'vitest';
import { withFrameStorage } from './frame-storage.js';

test('replaces the features that Playwright turns off, and keeps every other option', () => {
  expect(withFrameStorage({ headless: true, args: ['--no-sandbox'] })).toEqual({
    headless: true,
    args: ['--no-sandbox', '--disable-features=PaintHolding,HttpsUpgrades'],
  });
});

test('leaves a list of features of the configuration as it is', () => {
  const options = { args: ['--disable-features=Translate'] };
  expect(withFrameStorage(options)).toBe(options);
});
