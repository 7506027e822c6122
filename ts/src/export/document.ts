/**
 * The viewer's document: sandboxed without `allow-same-origin`, so that its origin is opaque and no script of the
 * page can read it. It inherits the page's Content-Security-Policy, and its one script adds one that allows nothing
 * more. In the markup that policy would stop the script itself in WebKit, which then reads the page's `'self'` as the
 * opaque origin.
 */
import { trustedHtml } from '../trusted-html.js';

const trusted = trustedHtml('latchkey-key-viewer');

/** A frame with that document, not yet attached to the page. */
export function viewerFrame(script: URL, title: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.allow = 'clipboard-write';
  frame.title = title;
  frame.srcdoc = trusted(viewerHtml(script));
  return frame;
}

export function viewerHtml(script: URL): string {
  // URLs always encode quotes and angle brackets.
  const address = script.href.replaceAll('&', '&amp;');
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="referrer" content="no-referrer">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    `</head><body><script src="${address}"></script></body></html>`
  );
}
