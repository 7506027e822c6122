/**
 * Whether another page asks in this document: it frames it, or opened it. That page moves the focus as it likes and chooses
 * the moment, so the focus starts on Cancel, and the click guard looks closer.
 */
let asks = globalThis.top !== globalThis.self;

export const otherPageAsks = (): boolean => asks;

/** This document is a window that serves the page that opened it. */
export function servesOpener(): void {
  asks = true;
}
