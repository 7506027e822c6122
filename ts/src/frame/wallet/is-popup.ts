/** Whether this page was opened to be the wallet's own window. */
export function isPopup(at: Location = location): boolean {
  return globalThis.top === globalThis.self && new URLSearchParams(at.search).has('popup');
}
