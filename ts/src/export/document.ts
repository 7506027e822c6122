/**
 * The viewer's document: sandboxed without `allow-same-origin`, so that its origin is opaque and no script of the
 * page reads it. It inherits the page's Content-Security-Policy and adds one that lets it load this one script and
 * nothing else.
 */
const POLICY_NAME = 'latchkey-key-viewer';

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (html: string) => string }): TrustedTypePolicy;
}
interface TrustedTypePolicy {
  createHTML(html: string): string;
}

// A page's policy may be made once only.
let policy: TrustedTypePolicy | undefined;

/** A frame with that document, not yet on the page. */
export function viewerFrame(script: URL): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.allow = 'clipboard-write';
  frame.title = 'Export your private key';
  frame.srcdoc = trusted(viewerHtml(script));
  return frame;
}

export function viewerHtml(script: URL): string {
  // Quotes and angle brackets are encoded in any URL. A policy would end at these two, and knows no query.
  const address = script.href.replaceAll('&', '&amp;').replaceAll("'", '%27');
  const source = `${script.origin}${script.pathname}`
    .replaceAll(';', '%3B')
    .replaceAll(',', '%2C')
    .replaceAll("'", '%27');
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${source}; ` +
    `base-uri 'none'; form-action 'none'">` +
    '<meta name="referrer" content="no-referrer">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    `</head><body><script src="${address}"></script></body></html>`
  );
}

/** Where a page asks for trusted types, its policy must allow ours by name. */
function trusted(html: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  if (!trustedTypes) return html;
  policy ??= trustedTypes.createPolicy(POLICY_NAME, { createHTML: (text) => text });
  return policy.createHTML(html);
}
