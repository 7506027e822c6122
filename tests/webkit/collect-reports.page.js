// Runs in every document before anything else: what goes wrong in it is reported to the test's proxy.
// Plain JavaScript, because the browser gets it unchanged.
(() => {
  const send = (report) =>
    fetch('/__test/reports', { method: 'POST', body: JSON.stringify({ report }), keepalive: true });
  const { error } = console;
  console.error = (...parts) => {
    send(`console.error: ${parts.map((part) => part?.stack ?? part).join(' ')}`);
    error.apply(console, parts);
  };
  addEventListener('error', ({ message, filename }) => send(`error: ${message} (${filename})`));
  addEventListener('unhandledrejection', ({ reason }) => send(`rejection: ${reason?.stack ?? reason}`));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
    send(`policy: ${violatedDirective} refused ${blockedURI} (${sourceFile})`),
  );
})();
