// Takes pictures of each surface, wide and narrow, light and dark, and checks each with axe-core.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { gone } from '../../tests/support/steps.js';
import { violations } from './accessibility.js';
import { drawn, inFrames, isUnderWallet, lookAt, shownFrames } from './screen.js';
import { speak } from './speak.js';

/** A desk, and the narrowest screen: WCAG 2.2, 1.4.10 asks for 320 pixels. */
const WIDTHS = { wide: { width: 1100, height: 860 }, narrow: { width: 320, height: 640 } };
/** A phone of today, between the two: for a designer's eye alone. */
const PHONE = { phone: { width: 390, height: 844 } };
const THEMES = ['light', 'dark'] as const;
/** The variants of each picture: `wide-light` and three others. */
export const LOOKS: readonly string[] = Object.keys(WIDTHS).flatMap((width) =>
  THEMES.map((theme) => `${width}-${theme}`),
);
/** Those that axe-core checks: each theme and each layout once. It could only miss a colour of one layout in one theme. */
export const AUDITED: readonly string[] = ['wide-light', 'narrow-dark'];
const LAYERS = 'latchkey-confirm, latchkey-waiting, latchkey-scanner, latchkey-devices, latchkey-key-viewer';
/** Buttons that take no press yet and are paler: after a resize they wait again. */
const UNARMED =
  '.popup:not([aria-busy="true"]) :is(.primary[aria-disabled="true"]:not(.waits), .settings:disabled)';
/** Matches a private key as the viewer shows it. */
const PRIVATE_KEY = /ed25519:[1-9A-HJ-NP-Za-km-z]{80,}/;

/** Takes pictures into one folder. */
export interface Camera {
  /** Takes pictures of the page's current content: `<name>-wide-light.png` and three others. */
  take(page: Page, name: string): Promise<void>;
  /** Takes a picture of a page after a failed step, unless a private key is on screen. */
  takeFailure(page: Page, name: string): Promise<void>;
  /** The number of pictures so far. */
  count(): number;
  /** What axe-core found against WCAG 2.2 AA on the surfaces so far. */
  complaints(): readonly string[];
}

export interface CameraOptions {
  /** Also at the width of a phone of today. */
  withPhone?: boolean;
  /** Only the looks that axe-core checks, as where nobody looks at the pictures. */
  onlyAudited?: boolean;
  /** Where the wallet's own page or frame shows, also in these languages, in the looks that axe-core checks: `…-de.png`. */
  languages?: readonly string[];
}

export function createCamera(
  folder: string,
  { withPhone = false, onlyAudited = false, languages = [] }: CameraOptions = {},
): Camera {
  const widths = withPhone ? { ...WIDTHS, ...PHONE } : WIDTHS;
  let count = 0;
  const complaints: string[] = [];

  async function takeLooks(page: Page, name: string, language?: string): Promise<void> {
    for (const [width, viewport] of Object.entries(widths)) {
      await page.setViewportSize(viewport);
      await refuseSideways(page, [name, width, language].filter(Boolean).join(', '));
      for (const theme of THEMES) {
        const isAudited = AUDITED.includes(`${width}-${theme}`);
        if ((language || onlyAudited) && !isAudited) continue;
        const look = [name, width, theme, language].filter(Boolean);
        await writeFile(join(folder, `${look.join('-')}.png`), await picture(page, theme));
        count += 1;
        if (!isAudited) continue;
        // The picture has ended all transitions, so no colour is still changing to the other theme.
        complaints.push(...(await violations(page)).map((said) => `${look.join(', ')}: ${said}`));
      }
    }
  }

  return {
    count: () => count,
    complaints: () => complaints,
    async takeFailure(page, name) {
      const failure = await lookAt(page, async () => {
        await refuseKeys(page);
        return page.screenshot();
      });
      await writeFile(join(folder, `${name}.png`), failure);
    },
    async take(page, name) {
      const before = page.viewportSize() ?? WIDTHS.wide;
      await takeLooks(page, name);
      for (const language of languages)
        if (await speak(page, language)) await takeLooks(page, name, language);
      if (languages.length > 0) await speak(page, null);
      await page.setViewportSize(before);
    },
  };
}

const picture = (page: Page, theme: (typeof THEMES)[number]): Promise<Buffer> =>
  lookAt(page, async () => {
    const isCovered = await showTheme(page, theme);
    const frames = await shownFrames(page);
    for (const frame of frames) await gone(frame.locator(UNARMED));
    await drawn(frames);
    await refuseKeys(page);
    return page.screenshot({ fullPage: !isCovered, animations: 'disabled' });
  });

/**
 * Shows the page in this theme; returns whether something covers it. A wallet screen may have the theme of its account or of
 * its call, so this sets it as a change of that would.
 */
export async function showTheme(page: Page, theme: (typeof THEMES)[number]): Promise<boolean> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  // The app follows by itself after a moment; a page without its own theme follows immediately.
  await page
    .locator(`:root:is([data-latchkey-theme="${theme}"], :not([data-latchkey-theme]))`)
    .waitFor({ state: 'attached' });
  await inFrames(page, (frame) =>
    frame.evaluate((chosen) => {
      for (const themed of document.querySelectorAll<HTMLElement>('[data-latchkey-theme]'))
        themed.dataset.latchkeyTheme = chosen;
    }, theme),
  );
  return (await isUnderWallet(page)) || (await page.locator(LAYERS).count()) > 0;
}

/** Prevents a private key in any picture, whatever the previous steps did. Part of the look that takes it. */
async function refuseKeys(page: Page): Promise<void> {
  const texts: string[] = [];
  await inFrames(page, async (frame) => {
    const shown = await frame.evaluate(() => {
      // The list grows as it is read: a shadow root may contain another. `innerText` leaves all of them out.
      const roots: (Document | ShadowRoot)[] = [document];
      for (const root of roots)
        for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) roots.push(shadowRoot);
      return [document.body?.innerText ?? '', ...roots.map(({ textContent }) => textContent ?? '')];
    });
    texts.push(...shown);
  });
  if (texts.some((text) => PRIVATE_KEY.test(text)))
    throw new Error('A private key is on screen: no picture is taken of it.');
}

/** A page that scrolls horizontally is too wide for its screen. */
async function refuseSideways(page: Page, what: string): Promise<void> {
  const tooWide = await lookAt(page, async () => {
    const found: string[] = [];
    for (const frame of await shownFrames(page)) {
      const excess = await frame.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
      if (excess > 0) found.push(`${frame.url()} is ${excess} px too wide: ${what}.`);
    }
    return found;
  });
  if (tooWide.length > 0) throw new Error(tooWide.join('\n'));
}
