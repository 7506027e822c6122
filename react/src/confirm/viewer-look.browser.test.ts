import { brandCss } from 'latchkey/brand';
import { afterEach, describe, expect, it } from 'vitest';
import { paintBrand } from '../surface/design.js';
import { setTexts } from '../texts/current.js';
import { english } from '../texts/english.js';
import { german } from '../texts/german.js';
import { viewerLook } from './viewer-look.js';

afterEach(() => {
  paintBrand('');
  setTexts(english);
});

const withLogo = (logo: string): string =>
  brandCss({ accent: '#06c', logo: 'https://logo.example/' }).replace('https://logo.example/', logo);
const svg = (text: string): Blob => new Blob([text], { type: 'image/svg+xml' });

describe('the look of the key viewer (core 2)', () => {
  it('has the language and the texts of the page', async () => {
    expect(await viewerLook()).toMatchObject({ language: 'en', texts: { show: 'Show' } });
    setTexts(german);
    expect(await viewerLook()).toMatchObject({ language: 'de', texts: { show: 'Zeigen' } });
  });

  it('has the brand of the page, whose logo crosses as data', async () => {
    const logo = URL.createObjectURL(
      svg(
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>',
      ),
    );
    paintBrand(withLogo(logo));
    const { css = '' } = await viewerLook();
    expect(css).toContain('--lk-primary: light-dark(#0066cc, ');
    expect(css).toContain('--lk-logo: url("data:image/png;base64,');
    expect(css).not.toContain(logo);
  });

  it('keeps the mark where the logo cannot be read', async () => {
    paintBrand(withLogo(URL.createObjectURL(svg('no picture'))));
    const { css = '' } = await viewerLook();
    const place = document.createElement('div');
    const shadow = place.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    shadow.adoptedStyleSheets = [sheet];
    shadow.innerHTML = '<i class="mark"><i class="key">key</i></i>';
    document.body.append(place);
    const shown = shadow.querySelector('.key') as Element;
    expect(getComputedStyle(shown).display).toBe('inline');
    expect(getComputedStyle(shown.parentElement as Element).backgroundImage).toBe('none');
    place.remove();
  });
});
