/** Whether this page was opened to be the wallet's own window. */
export function isPopup(): boolean {
  return globalThis.top === globalThis.self && new URLSearchParams(location.search).has('popup');
}
