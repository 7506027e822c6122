/** A VRF worker that starts and then never answers. */
import { serve } from '../rpc.js';

serve({
  boot: () => undefined,
  ping: () => new Promise<void>(() => undefined),
  status: () => new Promise<void>(() => undefined),
});
