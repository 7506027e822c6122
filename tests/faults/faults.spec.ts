// Every call that a clean run of a flow makes is broken once in each way, and the page is once left at it. Whatever
// happens, the flow completes, or completes when it is run again; the account keeps a usable key; nothing is paid twice.
import { test } from '../e2e/facade-page/fixture.js';
import { expect } from '../e2e/fixtures.js';
import { FLOWS } from './flows.js';
import { breakEveryCall, FAULTS, type FaultName, openBench } from './harness.js';

/** Pages beside each other: most of a case is waiting for blocks. */
const AT_ONCE = 6;

test.use({ screenshot: 'off' });

for (const flow of FLOWS) {
  for (const fault of Object.keys(FAULTS) as FaultName[]) {
    test(`${flow.name} outlives each of its calls being ${fault}`, async ({ browser, stack, facadeUrl }) => {
      test.setTimeout(600_000);
      const open = () => openBench(browser, stack, facadeUrl, flow.config);
      const { recorded, broken, unmet, problems } = await breakEveryCall(flow, fault, open, AT_ONCE);
      expect(problems).toEqual([]);
      expect(broken.length + unmet.length, 'cases').toBe(recorded.length);
      expect(recorded.length, 'calls of the clean run').toBeGreaterThan(0);
      // What a clean run does behind, a renewal say, need not come again.
      expect(unmet.length, `calls not met again: ${JSON.stringify(unmet)}`).toBeLessThanOrEqual(1);
      test.info().annotations.push({ type: 'cases', description: String(broken.length) });
    });
  }
}
