/**
 * The flows on three nodes behind one port, of which two lag, as behind a provider's balancer. Each flow runs once
 * without a fault. That meets most of what lag breaks: the next node has not seen the challenge's block, the new key, the
 * mapping or the device, and does not know the transaction. Three flows also meet the fault that lag makes worst. After a
 * reload, the journal looks for a registration at nodes that do not show it yet. After a lost answer, a payment must not be
 * sent twice, and a new key not be made twice, because a node has not heard of it.
 *
 * LATCHKEY_CHAIN_NETWORK="--backends 3 --lag 0,3,8" runs every fault on such nodes.
 */
// Specification: core 7
import { LAGGING_NODES } from '../../dev/services/services.js';
import { ADOPT_FLOW } from './adopt.js';
import { ENTRY_FLOWS } from './entry.js';
import { type FaultName, outliveFaults } from './harness.js';
import { KEY_FLOWS } from './keys.js';
import { DEVICE1_FLOW } from './linking-device1.js';
import { DEVICE2_FLOW } from './linking-device2.js';
import { NAMELESS_FLOWS } from './nameless.js';
import { SPENDING_FLOWS } from './spending.js';

const FAULTS: Readonly<Record<string, readonly FaultName[]>> = {
  'a registration': ['left by a reload'],
  'an app key, created and used': ['answered but lost'],
  'a payment': ['answered but lost'],
  'the first payment of an account without a name': ['answered but lost'],
};

const flows = [
  ...ENTRY_FLOWS,
  ...NAMELESS_FLOWS,
  ...SPENDING_FLOWS,
  ...KEY_FLOWS,
  DEVICE1_FLOW,
  DEVICE2_FLOW,
  ADOPT_FLOW,
];

outliveFaults(
  flows.map((flow) => ({ ...flow, faults: FAULTS[flow.name] ?? [] })),
  { network: LAGGING_NODES, together: true },
);
