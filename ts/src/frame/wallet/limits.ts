/** How often a host may ask the user, and how much it may have running: every figure. docs/guides/wallet-iframe.mdx explains them. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * How many requests of a host may run at the same time. As many again that PONG answers, because one of them cancels
 * the rest.
 */
export const MAX_RUNNING = 256;
/** How many of them may need the user: the one on screen, and those that wait behind it. */
export const MAX_ASKING = 8;
/** After so many refusals by the user in a row, the host has to pause. The count starts again when the user agrees to something. */
export const REFUSALS_IN_A_ROW = 5;
/** The same for questions that the host took back before the user answered, which an honest host rarely does. */
export const WITHDRAWALS_IN_A_ROW = 30;
/** The first pause. Each further refusal doubles it. */
export const FIRST_PAUSE_MS = 30 * SECOND_MS;
export const LONGEST_PAUSE_MS = 30 * MINUTE_MS;
/** The count starts again once nothing was refused for so long. */
export const FORGOTTEN_AFTER_MS = HOUR_MS;
/** How long a host is silent that the user told to stop, unless the user allows it again. */
export const STOPPED_MS = 24 * HOUR_MS;
