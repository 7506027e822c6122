// The tasks that block a main thread while work runs, in every page and frame of a browser: a framed wallet of another site has
// a process of its own, which no observer of the page sees. By Chromium's trace, which tells time on the clock and processor
// time apart: on a busy machine only the latter is the task's own.

const CATEGORIES = ['toplevel', 'disabled-by-default-devtools.timeline', 'devtools.timeline'];
/** As "Long Tasks" (W3C) has it. */
const LONG_MS = 50;
/** The trace's name of one turn of a thread's loop. */
const TASK = 'RunTask';
/** Events that only wrap others. */
const WRAPPERS = /RunTask|ThreadPool|SequenceManager/;

/**
 * Runs work; returns its result and the tasks over 50 ms meanwhile, with milliseconds on the clock and of processor time, and
 * what each did longest.
 */
export async function withLongTasks(browser, work) {
  await browser.startTracing(undefined, { categories: CATEGORIES });
  let result;
  let trace;
  try {
    result = await work();
  } finally {
    trace = await browser.stopTracing();
  }
  return { result, tasks: longTasks(JSON.parse(trace.toString()).traceEvents) };
}

function longTasks(events) {
  const threadOf = ({ pid, tid }) => `${pid}/${tid}`;
  const mains = new Set(
    events
      .filter(({ ph, name, args }) => ph === 'M' && name === 'thread_name' && args.name === 'CrRendererMain')
      .map(threadOf),
  );
  const timed = events.filter((event) => event.ph === 'X' && mains.has(threadOf(event)));
  return timed
    .filter(({ name, dur }) => name === TASK && dur > LONG_MS * 1000)
    .map((task) => ({
      clockMs: task.dur / 1000,
      processorMs: (task.tdur ?? task.dur) / 1000,
      longest: longestIn(
        task,
        timed.filter((event) => threadOf(event) === threadOf(task)),
      ),
    }));
}

/** The name of the longest event in a task, with its script where it has one. */
function longestIn(task, ofThread) {
  const end = task.ts + task.dur;
  const inside = ofThread.filter(
    ({ ts, dur, name }) => ts >= task.ts && ts + dur <= end && !WRAPPERS.test(name),
  );
  const [longest] = inside.toSorted((one, other) => other.dur - one.dur);
  if (!longest) return 'unknown';
  const { url, functionName } = longest.args?.data ?? {};
  return [longest.name, functionName, url?.split('/').at(-1)].filter(Boolean).join(' ');
}
