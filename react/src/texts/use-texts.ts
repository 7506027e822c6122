'use client';
import { useSyncExternalStore } from 'react';
import { texts, watchTexts } from './current.js';
import { english, type Texts } from './english.js';

/** The texts of this page, for a component. A server draws English. */
export function useTexts(): Texts {
  return useSyncExternalStore(watchTexts, texts, () => english);
}
