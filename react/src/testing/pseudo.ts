// A language that is no language: each text of the catalogue in letters that English does not have, and longer.
import { vi } from 'vitest';
import { setTexts } from '../texts/current.js';
import { english, type Texts } from '../texts/english.js';
import { englishConfirm } from '../texts/english-confirm.js';
import { englishDevices } from '../texts/english-devices.js';
import { englishHeadlines } from '../texts/english-errors.js';
import { englishLinkSteps } from '../texts/english-link-steps.js';
import { englishTokens } from '../texts/english-tokens.js';
import { englishWelcome } from '../texts/english-welcome.js';
import { german } from '../texts/german.js';

const PLAIN = 'abcdefghijklmnopqrstuvwxyz';
const ODD = [...'ȧƀƈḓḗƒɠħīĵķŀḿƞǿƥɋřşŧŭṽẇẋẏẑ'];
/** By how much a translation may be longer. */
const LONGER = 0.4;

const odd = (letter: string): string => ODD[PLAIN.indexOf(letter.toLowerCase())] ?? letter;

function pseudoOf(text: string): string {
  const letters = text.replace(/\{\w+\}|[a-z]/gi, (part) => (part.length > 1 ? part : odd(part)));
  return `${letters}${' ǿħ'.repeat(Math.ceil((text.length * LONGER) / 3))}`;
}

const inPseudo = <Part>(part: Part): Part => translated(part) as Part;

function translated(part: unknown): unknown {
  if (typeof part === 'string') return pseudoOf(part);
  if (Array.isArray(part)) return part.map(translated);
  return Object.fromEntries(Object.entries(part as object).map(([name, value]) => [name, translated(value)]));
}

export const pseudo = {
  ...inPseudo(english),
  language: english.language,
  direction: english.direction,
  confirm: inPseudo(englishConfirm),
  linkSteps: inPseudo(englishLinkSteps),
  deviceList: inPseudo(englishDevices),
  welcome: inPseudo(englishWelcome),
  tokens: inPseudo(englishTokens),
  errors: inPseudo(englishHeadlines),
  // The steps of a flow are English where they are made.
  steps: inPseudo(german.steps),
} satisfies Texts;

/** The same in lines that run from right to left. */
const mirrored: Texts = { ...pseudo, direction: 'rtl' };

/** A unit, which no language changes. */
const AMOUNT = /^[\d.,<≈\s]*(NEAR|yoctoNEAR|Tgas)$/;
/** An account, a key, or another name that no language changes. */
const DATA = /^(\.?[a-z0-9_-]+(\.[a-z0-9_-]+)+|ed25519:\w+|\[?[\d:.,%+-]+\]?|[A-Z]|fake\S*)$/;
const ATTRIBUTES = ['aria-label', 'aria-valuetext', 'alt', 'placeholder', 'title'];

/** Every root that holds what the kit draws: the shadow roots of the page, and the notices that fill a page of the wallet. */
const roots = (): ParentNode[] => [
  ...[...document.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
    shadowRoot ? [shadowRoot, ...inner(shadowRoot)] : [],
  ),
  ...document.querySelectorAll('main.notice'),
];
const inner = (root: ShadowRoot): ShadowRoot[] =>
  [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
    shadowRoot ? [shadowRoot, ...inner(shadowRoot)] : [],
  );

/** A text of the catalogue: what it has in other letters is what filled it. */
const isOfCatalogue = (text: string): boolean => ODD.some((letter) => text.includes(letter));

const isForeign = (text: string, known: readonly string[]): boolean =>
  /\{\w+\}/.test(text) ||
  (/[a-z]/i.test(text) &&
    !isOfCatalogue(text) &&
    !DATA.test(text.trim()) &&
    !AMOUNT.test(text.trim()) &&
    !known.includes(text.trim()));

/** The texts on the page that the catalogue does not have; `known` are data of the test. */
export function textsOutside(known: readonly string[] = []): string[] {
  return roots().flatMap((root) => {
    const found: string[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Text) {
        if (!node.parentElement?.closest('bdi, code, [translate=no]')) found.push(node.data);
      } else if (node instanceof Element) {
        for (const name of ATTRIBUTES) found.push(node.getAttribute(name) ?? '');
      }
    }
    return found.filter((text) => isForeign(text, known));
  });
}

/** The letter-spacing behind a last letter. */
const SLACK_PX = 4;

/** The elements whose content is wider than they are, or that leave the window. */
export function overflowing(): string[] {
  return roots().flatMap((root) =>
    [...root.querySelectorAll<HTMLElement>('*')]
      .filter(
        (element) => element.checkVisibility() && !element.closest('.sr-only, [aria-hidden=true], option'),
      )
      .filter((element) => {
        const { overflowX, display } = getComputedStyle(element);
        const { left, right, width } = element.getBoundingClientRect();
        if (width === 0) return false;
        const isWider =
          overflowX === 'visible' &&
          display !== 'inline' &&
          element.scrollWidth > element.clientWidth + SLACK_PX;
        return (isWider && element.clientWidth > 0) || right > innerWidth + 1 || left < -1;
      })
      .map(
        (element) =>
          `<${element.localName} class="${element.className}"> ${element.textContent?.slice(0, 60)}`,
      ),
  );
}

/** What {@link overflowing} finds once the page's lines run from right to left, as they do from here on. */
export async function overflowingMirrored(): Promise<string[]> {
  setTexts(mirrored);
  await vi.waitFor(() => {
    const leftToRight = [...document.querySelectorAll<HTMLElement>('[data-latchkey-theme]')].filter(
      (element) => getComputedStyle(element).direction === 'ltr',
    );
    if (leftToRight.length > 0) throw new Error(`It is not mirrored: ${leftToRight[0]?.localName}`);
  });
  return overflowing();
}
