import { describe, expect, it } from 'vitest';
import { viewerHtml } from './document.js';

describe("the viewer's document", () => {
  it('loads its one script, and its policy allows nothing else', () => {
    const html = viewerHtml(new URL('https://app.example/assets/key-viewer-abc.js'));
    expect(html).toContain('<script src="https://app.example/assets/key-viewer-abc.js"></script>');
    expect(html).toContain(
      `content="default-src 'none'; script-src https://app.example/assets/key-viewer-abc.js; ` +
        `base-uri 'none'; form-action 'none'"`,
    );
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  it('lets no address write into the policy or the page', () => {
    const html = viewerHtml(
      new URL(`https://app.example/a;script-src *,b/"><script>alert(1)</script>/v.js?x="&y='<`),
    );
    const [policy = ''] = /content="([^"]*)"/.exec(html) ?? [];
    expect(policy.match(/;/g)).toHaveLength(3);
    expect(policy).not.toContain(',');
    expect(policy).not.toContain('?');
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).toContain('&amp;y=%27');
  });
});
