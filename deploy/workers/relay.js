import { relayWorker } from 'latchkey-server/cloudflare';
import relay from 'latchkey-server/relay.wasm';
import vrf from 'latchkey-server/vrf.wasm';

const { worker, Relay } = relayWorker({ relay, vrf });

export { Relay };
export default worker;
