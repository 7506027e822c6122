/** A window of the wallet: the size of a phone. */
export const WINDOW_FEATURES = 'popup,width=480,height=720';
