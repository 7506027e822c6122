import { relayWorker } from 'latchkey/server/cloudflare';
import signer from 'latchkey/signer.wasm';
import vrf from 'latchkey/vrf.wasm';

const { worker, Relay } = relayWorker({ signer, vrf });

export { Relay };
export default worker;
