// Every call that a clean run of a flow makes is broken once in each way, and the page is once left at it. Whatever
// happens, the flow completes, or completes when it is run again; the account keeps a usable key; nothing is paid twice.
import { test } from '../e2e/facade-page/fixture.js';
import { expect } from '../e2e/fixtures.js';
import { FLOWS } from './flows.js';
import { breakEveryCall, FAULTS, type FaultName, openBench } from './harness.js';

/** Pages beside each other: most of a case is waiting for blocks. */
const AT_ONCE = 6;

/** What a wallet knows before it signs, and reads anew when it is old. */
const READ_AHEAD: ReadonlySet<string> = new Set(['query:view_access_key', 'query:view_account', 'block']);

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
      // What is read ahead need not come again: the slower a clean run was, the more of it was renewed. Beside that, a poll.
      const [ahead, others] = [true, false].map((is) =>
        unmet.filter(({ name }) => READ_AHEAD.has(name) === is),
      );
      expect(others?.length, `calls not met again: ${JSON.stringify(others)}`).toBeLessThanOrEqual(1);
      expect(ahead?.length, `reads not met again: ${JSON.stringify(ahead)}`).toBeLessThanOrEqual(
        Math.ceil(recorded.length / 4),
      );
      test.info().annotations.push({ type: 'cases', description: String(broken.length) });
    });
  }
}
