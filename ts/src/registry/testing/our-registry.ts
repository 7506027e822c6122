/** What our registry answers, for tests without a chain. */
import type { RpcClient } from '../../near/index.js';

/** Its answer to `contract_source_metadata`, as far as a client reads it. */
export const OUR_METADATA = { standards: [{ standard: 'latchkey-registry', version: '2.1.0' }] };

/** Its JSON views: it names its interface, and a registration costs 5 yoctoNEAR. */
export const ourViews = (async (_schema, _contract, method) =>
  method === 'contract_source_metadata' ? OUR_METADATA : '5') as RpcClient['callFunctionJson'];
