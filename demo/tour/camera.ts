// Pictures of what a person sees: each surface wide and narrow, light and dark. axe-core looks at each with the camera.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { violations } from './accessibility.js';

const WIDTHS = { wide: { width: 1100, height: 860 }, narrow: { width: 360, height: 740 } };
const THEMES = ['light', 'dark'] as const;
/** Each theme and each layout once: half the time, and what it would miss is a colour of one layout in one theme. */
const AUDITED: readonly string[] = ['wide-light', 'narrow-dark'];
const LAYERS = 'latchkey-confirm, latchkey-scanner, latchkey-devices, latchkey-key-viewer';
/** A private key as the viewer shows it. */
const PRIVATE_KEY = /ed25519:[1-9A-HJ-NP-Za-km-z]{80,}/;

/** Takes pictures into one folder. */
export interface Camera {
  /** Pictures of what the page shows now: `<name>-wide-light.png` and its three sisters. */
  take(page: Page, name: string): Promise<void>;
  /** A picture of a page where a step failed; none where a private key is on screen. */
  takeFailure(page: Page, name: string): Promise<void>;
  /** How many pictures there are. */
  count(): number;
  /** What axe-core found against WCAG 2.2 AA on the surfaces so far. */
  complaints(): readonly string[];
}

export function createCamera(folder: string): Camera {
  let count = 0;
  const complaints: string[] = [];
  return {
    count: () => count,
    complaints: () => complaints,
    async takeFailure(page, name) {
      await refuseKeys(page);
      await page.screenshot({ path: join(folder, `${name}.png`) });
    },
    async take(page, name) {
      await refuseKeys(page);
      const before = page.viewportSize() ?? WIDTHS.wide;
      for (const [width, viewport] of Object.entries(WIDTHS)) {
        await page.setViewportSize(viewport);
        await refuseSideways(page, `${name}, ${width}`);
        for (const theme of THEMES) {
          const isCovered = await showTheme(page, theme);
          await page.screenshot({
            path: join(folder, `${name}-${width}-${theme}.png`),
            fullPage: !isCovered,
            animations: 'disabled',
          });
          count += 1;
          if (!AUDITED.includes(`${width}-${theme}`)) continue;
          // The picture ended what was moving: no colour is still on its way to the other theme.
          const found = await violations(page);
          complaints.push(...found.map((said) => `${name}, ${width}, ${theme}: ${said}`));
        }
      }
      await page.setViewportSize(before);
    },
  };
}

/**
 * Shows the page in this theme; returns whether something lies over it. A confirmation and a key viewer keep the theme
 * in which they were opened, so they are told as their opening would tell them.
 */
async function showTheme(page: Page, theme: (typeof THEMES)[number]): Promise<boolean> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.locator(`:root[data-latchkey-theme="${theme}"]`).waitFor({ state: 'attached' });
  for (const frame of page.frames().slice(1)) {
    await frame.locator(':root').evaluate((root, chosen) => {
      root.dataset.latchkeyTheme = chosen;
    }, theme);
  }
  return page.locator(LAYERS).evaluateAll((layers, chosen) => {
    for (const layer of layers as HTMLElement[]) layer.dataset.latchkeyTheme = chosen;
    return layers.length > 0;
  }, theme);
}

/** No picture has a private key on it, whatever went before. */
async function refuseKeys(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    const text = await frame.locator('body').innerText();
    if (PRIVATE_KEY.test(text)) throw new Error('A private key is on screen: no picture is taken of it.');
  }
}

/** A page that must be pushed sideways is too wide for its screen. */
async function refuseSideways(page: Page, what: string): Promise<void> {
  const excess = await page.locator(':root').evaluate((root) => root.scrollWidth - root.clientWidth);
  if (excess > 0) throw new Error(`The page is ${excess} px too wide: ${what}.`);
}
