/** Whether the longest tests run whole: in CI. Elsewhere a part of each runs, which finds most faults in a quarter of the time. */
export const IS_THOROUGH = Boolean(process.env.CI);
