// Checks a surface with axe-core against WCAG 2.2, levels A and AA.
import axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';
import { lookAt, shownFrames } from './screen.js';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * The violations in the current content of the page and its frames: one line for each element. axe runs in each frame's
 * own document, because the page cannot reach one of another origin.
 */
export async function violations(page: Page): Promise<string[]> {
  const found = await lookAt(page, async () => Promise.all((await shownFrames(page)).map(inspect)));
  return found.flat();
}

/** Checks only a layer that covers the page, because everything below it is inert. */
async function inspect(frame: Frame): Promise<string[]> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source);
  const { against, looked, layer } = await frame.evaluate(async (tags) => {
    const tool = (window as unknown as { axe: typeof axe }).axe;
    const layer = [...document.querySelectorAll('body > *')].findLast(({ localName, shadowRoot }) =>
      Boolean(localName.startsWith('latchkey-') && shadowRoot?.querySelector('.popup')),
    );
    // Checks frames one by one.
    const result = await tool.run(layer ?? document, { runOnly: tags, iframes: false });
    return {
      against: result.violations.flatMap(({ id, nodes }) =>
        // Base UI's guards at both ends of a menu pass the focus on immediately.
        nodes
          .filter(({ html }) => id !== 'aria-hidden-focus' || !html.includes('data-base-ui-focus-guard'))
          .map(({ target, failureSummary }) => `${id} at ${target.flat().join(' ')}: ${failureSummary}`),
      ),
      looked: result.passes.length,
      layer: layer?.localName,
    };
  }, RULES);
  if (looked === 0) throw new Error(`axe saw nothing of ${layer ?? 'the page'}.`);
  return against.map((line) => line.replace(/\s+/g, ' '));
}
