import relay from 'latchkey/relay.wasm';
import { relayWorker } from 'latchkey/server/cloudflare';
import vrf from 'latchkey/vrf.wasm';

const { worker, Relay } = relayWorker({ relay, vrf });

export { Relay };
export default worker;
