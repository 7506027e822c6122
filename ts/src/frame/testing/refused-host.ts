/** The name of a host that `served-page.ts` refuses, whatever its origin is. */
export const REFUSED_HOST = 'https://refused.example';
