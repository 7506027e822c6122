// What every screen must pass: axe-core in both themes, and no sideways scrolling.
import { expect, type Page, type TestInfo } from '@playwright/test';
import { violations } from '../../demo/tour/accessibility.js';
import { showTheme } from '../../demo/tour/camera.js';
import { drawn, shownFrames } from '../../demo/tour/screen.js';

export async function expectNoViolations(
  page: Page,
  theme: 'light' | 'dark',
  name: string,
  testInfo: TestInfo,
): Promise<void> {
  await showTheme(page, theme);
  await drawn(await shownFrames(page));
  // A screenshot ends every transition, so no colour is still changing from the other theme.
  await page.screenshot({ path: testInfo.outputPath(`${name}-${theme}.png`), animations: 'disabled' });
  expect(await violations(page), `${name}, ${theme}`).toEqual([]);
}

/** The page, its frames and their scroll areas must not scroll horizontally. */
export async function expectNothingSideways(page: Page): Promise<void> {
  for (const frame of await shownFrames(page)) {
    const wide = await frame.evaluate(() => {
      const roots = [document, ...[...document.querySelectorAll('*')].map(({ shadowRoot }) => shadowRoot)];
      const scrolled = roots.flatMap((root) => [...(root?.querySelectorAll(':root, .popup, .body') ?? [])]);
      return scrolled
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ localName, className }) => `${localName}.${className}`);
    });
    expect(wide).toEqual([]);
  }
}
