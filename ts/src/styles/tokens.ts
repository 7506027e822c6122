/**
 * The design tokens, as CSS text for a constructed style sheet: colours for both themes, type, space, depth.
 * They apply to `:root` of a page and to `:host` of a shadow root. `data-latchkey-theme` on that element selects the
 * theme; without it the operating system's preference applies.
 */
export const tokensCss = /* css */ `
:root, :host {
  color-scheme: light dark;

  --lk-canvas: light-dark(#f4f1ea, #12110f);
  --lk-surface: light-dark(#fffdf9, #1c1a17);
  --lk-raised: light-dark(#ffffff, #26231f);
  --lk-sunken: light-dark(#efeae0, #0e0d0b);
  --lk-line: light-dark(#ded6c7, #35312a);
  --lk-line-strong: light-dark(#8a8070, #756e61);

  --lk-text: light-dark(#1d1a15, #f3eee5);
  --lk-muted: light-dark(#5f574a, #aba294);

  --lk-brass: light-dark(#c08a2b, #e9bd62);
  --lk-accent: light-dark(#7a5200, #e9bd62);
  --lk-primary: light-dark(#211d16, #e9bd62);
  --lk-primary-hover: light-dark(#3b352a, #f5cf80);
  --lk-on-primary: light-dark(#fffdf9, #1c1507);

  --lk-danger: light-dark(#9d2118, #ff9a8c);
  --lk-danger-soft: light-dark(#fcebe7, #351915);
  --lk-danger-line: light-dark(#e0a297, #7d3c33);
  --lk-danger-fill: light-dark(#a5271d, #ff9a8c);
  --lk-danger-fill-hover: light-dark(#861c13, #ffb3a8);
  --lk-on-danger: light-dark(#ffffff, #2b0b07);
  --lk-good: light-dark(#1d6541, #85d6aa);
  --lk-good-soft: light-dark(#e5f2e9, #14271d);
  --lk-good-line: light-dark(#a5cfb6, #2f5a43);

  --lk-shadow-1: 0 1px 2px light-dark(rgb(60 45 15 / 0.08), rgb(0 0 0 / 0.5));
  --lk-shadow-2: 0 1px 2px light-dark(rgb(60 45 15 / 0.06), rgb(0 0 0 / 0.5)),
    0 10px 30px -12px light-dark(rgb(60 45 15 / 0.18), rgb(0 0 0 / 0.7));
  --lk-shadow-3: 0 2px 6px light-dark(rgb(60 45 15 / 0.08), rgb(0 0 0 / 0.5)),
    0 30px 80px -20px light-dark(rgb(60 45 15 / 0.35), rgb(0 0 0 / 0.9));
  --lk-scrim: light-dark(rgb(40 32 18 / 0.38), rgb(0 0 0 / 0.62));

  --lk-font: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', sans-serif;
  --lk-mono: ui-monospace, SFMono-Regular, 'Cascadia Mono', 'Roboto Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  --lk-text-xs: 12px;
  --lk-text-s: 13px;
  --lk-text-m: 15px;
  --lk-text-l: 19px;

  --lk-radius-s: 8px;
  --lk-radius-m: 12px;
  --lk-radius-l: 20px;
  --lk-ring: 0 0 0 2px var(--lk-surface), 0 0 0 4px var(--lk-accent);
  --lk-ease: cubic-bezier(0.2, 0.8, 0.2, 1);
}
:root[data-latchkey-theme='light'], :host([data-latchkey-theme='light']) { color-scheme: light; }
:root[data-latchkey-theme='dark'], :host([data-latchkey-theme='dark']) { color-scheme: dark; }
`;
