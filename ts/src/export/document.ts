/**
 * The viewer's document: sandboxed without `allow-same-origin`, so that its origin is opaque and no script of the
 * page can read it. It inherits the page's Content-Security-Policy and adds one that allows only this one script.
 */
const POLICY_NAME = 'latchkey-key-viewer';

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (html: string) => string }): TrustedTypePolicy;
}
interface TrustedTypePolicy {
  createHTML(html: string): string;
}

// A page may create its policy only once.
let policy: TrustedTypePolicy | undefined;

/** A frame with that document, not yet attached to the page. */
export function viewerFrame(script: URL): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.allow = 'clipboard-write';
  frame.title = 'Export your private key';
  frame.srcdoc = trusted(viewerHtml(script));
  return frame;
}

export function viewerHtml(script: URL): string {
  // URLs always encode quotes and angle brackets. These two characters would end a policy, and policies ignore
  // queries.
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

/** A page that requires trusted types must allow our policy by name. */
function trusted(html: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  if (!trustedTypes) return html;
  policy ??= trustedTypes.createPolicy(POLICY_NAME, { createHTML: (text) => text });
  return policy.createHTML(html);
}
