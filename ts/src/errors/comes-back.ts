/** The reason in INSUFFICIENT_BALANCE where the chain or the registry returns most of the amount. */
export const COMES_BACK_TEXT = ' Most of it comes back.';
