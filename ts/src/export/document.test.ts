import { describe, expect, it } from 'vitest';
import { viewerHtml } from './document.js';

describe("the viewer's document", () => {
  it('holds its one script, and no policy that would stop it where the page has one (WebKit)', () => {
    const html = viewerHtml(new URL('https://app.example/assets/key-viewer-abc.js'));
    expect(html).toContain('<script src="https://app.example/assets/key-viewer-abc.js"></script>');
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toContain('Content-Security-Policy');
  });

  it('lets no address write into the page', () => {
    const html = viewerHtml(new URL(`https://app.example/a,b/"><script>alert(1)</script>/v.js?x="&y='<`));
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).toContain('&amp;y=');
  });
});
