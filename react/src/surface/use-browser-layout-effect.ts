import { useEffect, useLayoutEffect } from 'react';

/** As useLayoutEffect, and quiet on a server: React 18 warns there of each one. */
export const useBrowserLayoutEffect = 'document' in globalThis ? useLayoutEffect : useEffect;
