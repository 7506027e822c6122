/** The relay and a wallet origin as Workers. Usage: node --import tsx run.ts <a project with the packages installed> */

import { startChain } from '../../../dev/services/services.js';
import { loadVrf } from '../../../server/src/testing/registration.js';
import { startFaultProxy } from '../../support/fault-proxy.js';
import { checkRelay, PENNILESS } from './relay.js';
import { checkSite } from './site.js';
import { checkWallet } from './wallet.js';

const [project] = process.argv.slice(2);
if (!project) throw new Error('name the project');

await loadVrf();
const chain = await startChain({
  port: 0,
  blockTimeMs: 100,
  maxBlockAge: 1200,
  args: ['--fund', `${PENNILESS}=0`],
});
const node = await startFaultProxy(chain.url);
try {
  await checkRelay(project, node);
  await checkWallet(project, node);
  await checkSite(project);
} finally {
  await node.close();
  await chain.stop();
}
