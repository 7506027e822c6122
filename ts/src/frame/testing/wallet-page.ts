/**
 * A wallet page whose address sets its behaviour: `mode=silent` takes no port, `deny=...` refuses
 * with a code, `version=...` speaks another version. It answers each text on its port with the same text.
 */
import { LatchkeyError, NEAR_RPC_FAILED } from '../../errors/core.js';
import { acceptHost } from '../wallet/accept-host.js';

const wish = new URLSearchParams(location.search);

async function isAllowed(): Promise<boolean> {
  const deny = wish.get('deny');
  if (deny === 'throw') throw new LatchkeyError(NEAR_RPC_FAILED, { values: { reason: 'down' } });
  return deny === null;
}

if (wish.get('mode') !== 'silent') {
  const version = wish.get('version');
  if (version !== null) speak(version);
  const { port, origin } = await acceptHost({ isAllowed });
  port.onmessage = ({ data }: MessageEvent<string>) => {
    if (data === 'reload') location.reload();
    else port.postMessage({ echo: data, origin });
  };
}

/** READY from a page of another version. */
function speak(version: string): void {
  const { postMessage } = MessagePort.prototype;
  MessagePort.prototype.postMessage = function (this: MessagePort, message: { type?: string }) {
    const altered =
      message.type === 'READY' ? { ...message, payload: { protocolVersion: version } } : message;
    postMessage.call(this, altered);
  };
}
