/**
 * The only file that the viewer's document runs: built as one classic script, because a document with an opaque
 * origin cannot load modules. It accepts only the first message of the window that frames it.
 */
import { CONNECT, type Connect } from './contract.js';
import { refuseEverythingElse } from './viewer/policy.js';
import { startViewer } from './viewer/viewer.js';

function onMessage({ source, data, ports }: MessageEvent<Partial<Connect> | null>): void {
  const [page] = ports;
  if (source !== window.parent || data?.type !== CONNECT || !data.model || !data.look || !page) return;
  removeEventListener('message', onMessage);
  startViewer(data.model, data.look, page);
}

refuseEverythingElse();
if (window.parent !== window) addEventListener('message', onMessage);
