/** An operator's or app's own look: accent, radius, font and logo, as CSS text over the design tokens. */
import { INVALID_CONFIG, LatchkeyError } from '../errors/core.js';
import { tokensCss } from './tokens.js';

export interface Brand {
  /**
   * The colour of the main button, links and focus rings, as `#rgb` or `#rrggbb`; one for both themes, or one for each. Where
   * text or an edge of it would be hard to see, a darker or lighter shade is drawn (WCAG 2.2: 4.5 and 3).
   */
  readonly accent?: string | { readonly light: string; readonly dark: string } | undefined;
  /** The corner radius of buttons and fields, in pixels, from 0 to 24. Cards have more, chips less. */
  readonly radius?: number | undefined;
  /** A CSS font-family list. */
  readonly font?: string | undefined;
  /** The URL of a picture in place of the mark: https, of this origin, or `data:image/…`. */
  readonly logo?: string | undefined;
}

const THEMES = ['light', 'dark'] as const;
type ThemeName = (typeof THEMES)[number];
/** Red, green and blue, 0 to 255. */
type Colour = readonly [number, number, number];

const BLACK: Colour = [0, 0, 0];
const WHITE: Colour = [255, 255, 255];
/** WCAG 2.2: 1.4.3 for text, 1.4.11 for a control. */
const TEXT_CONTRAST = 4.5;
const CONTROL_CONTRAST = 3;
const MIX_STEP = 0.02;
const HOVER_MIX = 0.12;
const MAX_RADIUS_PX = 24;

/** The CSS text that follows the tokens' one. Throws INVALID_CONFIG, which names the field. */
export function brandCss({ accent, radius, font, logo }: Brand): string {
  return `:root, :host {\n${[accentOf(accent), radiusOf(radius), fontOf(font), logoOf(logo)].join('')}}\n${
    logo === undefined ? '' : LOGO_CSS
  }`;
}

const LOGO_CSS = `.mark { background: var(--lk-logo) center / contain no-repeat; }
.mark > * { display: none; }
`;

function accentOf(accent: Brand['accent']): string {
  if (accent === undefined) return '';
  const given = typeof accent === 'string' ? { light: accent, dark: accent } : accent;
  const shades = THEMES.map((theme) => shadesOf(colourOf(given?.[theme]), theme));
  const [light, dark] = shades as [Shades, Shades];
  return (Object.keys(light) as (keyof Shades)[])
    .map((name) => `  --lk-${name}: light-dark(${hex(light[name])}, ${hex(dark[name])});\n`)
    .join('');
}

interface Shades {
  readonly accent: Colour;
  readonly brass: Colour;
  readonly primary: Colour;
  readonly 'primary-hover': Colour;
  readonly 'on-primary': Colour;
}

function shadesOf(brand: Colour, theme: ThemeName): Shades {
  const grounds = ['canvas', 'surface', 'raised', 'sunken'].map((name) => groundOf(name, theme));
  const primary = seenOn(grounds, brand, CONTROL_CONTRAST, theme);
  const text = contrast(primary, BLACK) > contrast(primary, WHITE) ? BLACK : WHITE;
  return {
    accent: seenOn(grounds, brand, TEXT_CONTRAST, theme),
    brass: primary,
    primary,
    'primary-hover': mixed(primary, text === BLACK ? WHITE : BLACK, HOVER_MIX),
    'on-primary': text,
  };
}

/** The colour, or the nearest shade of it that has the contrast on every ground. */
function seenOn(grounds: readonly Colour[], colour: Colour, least: number, theme: ThemeName): Colour {
  const towards = theme === 'light' ? BLACK : WHITE;
  for (let share = 0; share < 1; share += MIX_STEP) {
    const shade = mixed(colour, towards, share);
    if (grounds.every((ground) => contrast(shade, ground) >= least)) return shade;
  }
  return towards;
}

function groundOf(name: string, theme: ThemeName): Colour {
  const [, light, dark] = new RegExp(`--lk-${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(tokensCss) ?? [];
  return colourOf(theme === 'light' ? light : dark);
}

function colourOf(text: unknown): Colour {
  const [, digits] = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(String(text)) ?? [];
  if (digits === undefined) throw invalid(`brand.accent is no colour as #rgb or #rrggbb: ${text}`);
  const pairs = digits.length === 3 ? [...digits].map((digit) => digit + digit) : digits.match(/../g);
  return (pairs ?? []).map((pair) => Number.parseInt(pair, 16)) as unknown as Colour;
}

const hex = (colour: Colour): string =>
  `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

function mixed(from: Colour, to: Colour, share: number): Colour {
  const part = (at: 0 | 1 | 2): number => Math.round(from[at] + (to[at] - from[at]) * share);
  return [part(0), part(1), part(2)];
}

/** WCAG 2.2, contrast ratio. */
function contrast(one: Colour, other: Colour): number {
  const [least, most] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (most + 0.05) / (least + 0.05);
}

function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Colour;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function radiusOf(radius: number | undefined): string {
  if (radius === undefined) return '';
  if (typeof radius !== 'number' || !(radius >= 0 && radius <= MAX_RADIUS_PX))
    throw invalid(`brand.radius is no number from 0 to ${MAX_RADIUS_PX}: ${radius}`);
  const [small, large] = [Math.round((radius * 2) / 3), Math.round((radius * 5) / 3)];
  return `  --lk-radius-s: ${small}px;\n  --lk-radius-m: ${radius}px;\n  --lk-radius-l: ${large}px;\n`;
}

function fontOf(font: string | undefined): string {
  if (font === undefined) return '';
  if (!/^[\w\s,'"-]+$/.test(font)) throw invalid(`brand.font is no list of font names: ${font}`);
  return `  --lk-font: ${font};\n`;
}

function logoOf(logo: string | undefined): string {
  if (logo === undefined) return '';
  if (!/^(https:\/\/|\/(?!\/)|data:image\/)/.test(logo))
    throw invalid(`brand.logo is no URL with https, of this origin (/…) or data:image/…: ${logo}`);
  const quoted = logo.replace(/["\\\n\r\f]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `  --lk-logo: url("${quoted}");\n`;
}

const invalid = (reason: string): LatchkeyError => new LatchkeyError(INVALID_CONFIG, { values: { reason } });
