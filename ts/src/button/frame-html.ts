/** The document of the embedded transaction button's frame. */
import { trustedHtml } from '../trusted-html.js';
import { FRAME_SCRIPTS } from './names.js';

const trusted = trustedHtml('latchkey-transaction-button');

/** A document whose only content is the two scripts at this path. */
export function frameHtml(sdkBasePath: string): string {
  const scripts = FRAME_SCRIPTS.map((name) => {
    // URLs always encode quotes and angle brackets.
    const { href } = new URL(`${sdkBasePath}/${name}`, location.href);
    return `<script type="module" src="${href.replaceAll('&', '&amp;')}"></script>`;
  });
  return trusted(
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Transaction button</title>' +
      `<meta name="viewport" content="width=device-width, initial-scale=1"></head><body>${scripts.join('')}</body></html>`,
  );
}
