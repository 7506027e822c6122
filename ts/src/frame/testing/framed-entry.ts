/** A wallet in a frame with only its end of the bridge, which the test calls. */
import { bridgeCredentials } from '../wallet/bridge.js';

Object.assign(globalThis, { bridge: bridgeCredentials(location.origin) });
