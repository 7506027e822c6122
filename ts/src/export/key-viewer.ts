/**
 * The only file that the viewer's document runs: built as one classic script, because a document with an opaque
 * origin cannot load modules. It accepts only the first message of the window that frames it.
 */
import { CONNECT, type Connect } from './contract.js';
import { startViewer } from './viewer/viewer.js';

function onMessage({ source, data, ports }: MessageEvent<Partial<Connect> | null>): void {
  const [page] = ports;
  if (source !== window.parent || data?.type !== CONNECT || !data.model || !page) return;
  removeEventListener('message', onMessage);
  startViewer(data.model, page);
}

/** From here on the document loads nothing and runs no other script. */
function refuseEverythingElse(): void {
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = "default-src 'none'; base-uri 'none'; form-action 'none'";
  document.head.append(policy);
}

refuseEverythingElse();
if (window.parent !== window) addEventListener('message', onMessage);
