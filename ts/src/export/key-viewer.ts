/**
 * The viewer's document runs this file alone: built as one classic script, because a document of an opaque origin may
 * load no module. It talks to the window that framed it, and to the first message of that window only.
 */
import { CONNECT, type Connect } from './contract.js';
import { startViewer } from './viewer/viewer.js';

function onMessage({ source, data, ports }: MessageEvent<Partial<Connect> | null>): void {
  const [page] = ports;
  if (source !== window.parent || data?.type !== CONNECT || !data.model || !page) return;
  removeEventListener('message', onMessage);
  startViewer(data.model, page);
}

if (window.parent !== window) addEventListener('message', onMessage);
