/** Latchkey's mark: a keyhole on a 40 by 40 plate with a corner radius of 11. */
export const markPath = 'M20 9.5a6.6 6.6 0 0 0-3.1 12.43L15 30.5h10l-1.9-8.57A6.6 6.6 0 0 0 20 9.5Z';
