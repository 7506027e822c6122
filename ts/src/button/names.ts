/** Names that page and frame share; hosts may rely on the two files. */

/** The element inside the frame. */
export const FRAME_TAG = 'w3a-button-with-tooltip';

/** The frame's scripts, below `sdkBasePath`, in the order in which they load. */
export const FRAME_SCRIPTS = ['iframe-tx-button-bootstrap.js', 'w3a-button-with-tooltip.js'] as const;
