// Runs in every document before anything else: a frame may store nothing, as in a Safari that blocks all cookies. The
// errors are WebCore's. Plain JavaScript, because the browser gets it unchanged.
(() => {
  if (window.top === window) return;
  const refuse = (message) => {
    throw new DOMException(message, 'SecurityError');
  };
  IDBFactory.prototype.open = () => refuse('IDBFactory.open() called in an invalid security context');
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { get: () => refuse('The operation is insecure.') });
})();
