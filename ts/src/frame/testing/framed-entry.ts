/** A wallet in a frame, with nothing but its end of the bridge: the test calls it. */
import { bridgeCredentials } from '../wallet/bridge.js';

Object.assign(globalThis, { bridge: bridgeCredentials(location.origin) });
