import { brandCss } from 'latchkey/brand';
import { describe, expect, it } from 'vitest';
import { tokensCss } from './tokens.js';

/** The colours of a style sheet, each in both themes; a later one of a name wins. */
const coloursOf = (css: string) =>
  new Map(
    [...css.matchAll(/--lk-([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
      ([, name, light, dark]) => [name, { light: light!, dark: dark! }],
    ),
  );

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ['canvas', 'surface', 'raised', 'sunken'];
const text: [string, string[]][] = [
  ['text', grounds],
  ['muted', grounds],
  ['accent', grounds],
  ['danger', [...grounds, 'danger-soft']],
  ['good', [...grounds, 'good-soft']],
  ['on-primary', ['primary', 'primary-hover']],
  ['on-danger', ['danger-fill', 'danger-fill-hover']],
];

/** Accents that no text could have on a light ground, on a dark one, or on either. */
const accents = ['#ffe600', '#fff', '#fce4ec', '#111', '#0a5', '#777777', '#2f6fed', '#e91e63'];
const looks: [string, string][] = [
  ['', tokensCss],
  ...accents.map((accent): [string, string] => [
    ` with the accent ${accent}`,
    tokensCss + brandCss({ accent }),
  ]),
];
const cases = looks.flatMap(([name, css]) =>
  (['light', 'dark'] as const).map((theme) => [theme, name, coloursOf(css)] as const),
);

describe.each(cases)('the %s theme%s (core 2)', (theme, _, colours) => {
  const colour = (name: string) => colours.get(name)![theme];

  it.each(text)('makes %s readable on every background (WCAG AA, 4.5)', (name, on) => {
    for (const ground of on)
      expect(contrast(colour(name), colour(ground)), ground).toBeGreaterThanOrEqual(4.5);
  });

  it('makes control borders and the focus ring visible (WCAG AA, 3)', () => {
    for (const edge of ['line-strong', 'accent']) {
      for (const ground of ['surface', 'raised']) {
        expect(contrast(colour(edge), colour(ground)), `${edge} on ${ground}`).toBeGreaterThanOrEqual(3);
      }
    }
  });
});
