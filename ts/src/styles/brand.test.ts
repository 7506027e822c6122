import { describe, expect, it } from 'vitest';
import { walletSite } from '../../../server/src/wallet-origin/index.js';
import { type Brand, brandCss } from './brand.js';

describe('a brand (core 2)', () => {
  it('sets only what it names', () => {
    expect(brandCss({})).toBe(':root, :host {\n}\n');
    expect(brandCss({ radius: 6 })).toBe(
      ':root, :host {\n  --lk-radius-s: 4px;\n  --lk-radius-m: 6px;\n  --lk-radius-l: 10px;\n}\n',
    );
  });

  it('keeps an accent that can be seen, and has one for each theme where both are given', () => {
    expect(brandCss({ accent: '#b28' })).toContain('--lk-primary: light-dark(#bb2288, #c03492);');
    expect(brandCss({ accent: { light: '#7a5200', dark: '#e9bd62' } })).toContain(
      '--lk-accent: light-dark(#7a5200, #e9bd62);',
    );
  });

  it('ends no CSS text of its own by what it is given', () => {
    const logo = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>\\")}*{color:red';
    const css = brandCss({ logo });
    expect(css.match(/"/g)).toHaveLength(2);
    expect(css).not.toContain('\\');
  });

  it.each<[string, Brand]>([
    ['accent', { accent: 'red' }],
    ['accent', { accent: { light: '#fff' } as never }],
    ['accent', { accent: null as never }],
    ['radius', { radius: 25 }],
    ['radius', { radius: '4px' as never }],
    ['font', { font: 'Inter; } * { color: red' }],
    ['font', { font: 'url(https://evil.example)' }],
    ['logo', { logo: 'javascript:alert(1)' }],
    ['logo', { logo: '//evil.example/logo.svg' }],
  ])('refuses a bad %s by its name', (field, brand) => {
    expect(() => brandCss(brand)).toThrow(`brand.${field} is no`);
    const config = { relayer: { url: 'https://relay.example' }, brand };
    const files = { read: async () => null, list: async () => [] };
    expect(() => walletSite({ config, files: files as never })).toThrow(`brand.${field} is no`);
  });
});
