// Hydrates the server's page for a user who has chosen the dark theme, then asks for a confirmation.
import { createReactConfirmer } from 'latchkey-react';
import { createElement, version } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { App } from './app.js';

const result = document.querySelector('#result');
const said = [];
console.error = (...words) => said.push(words.join(' '));

/** The first value of `look`, asked at each frame. */
const seen = (look) =>
  new Promise((resolve) => {
    const again = () => {
      const found = look();
      if (found) resolve(found);
      else requestAnimationFrame(again);
    };
    again();
  });
const inShadow = (host, selector) => {
  for (const element of document.querySelectorAll(host)) {
    const found = element.shadowRoot?.querySelector(selector);
    if (found) return found;
  }
  return null;
};

localStorage.setItem('w3a_theme', 'dark');
const rendered = document.querySelector('#app').textContent;
const theme = await new Promise((onReady) => {
  hydrateRoot(document.querySelector('#app'), createElement(App, { onReady }), {
    onRecoverableError: (error) => said.push(error.message),
  });
});
await seen(() => inShadow('#app [data-latchkey-theme="dark"]', 'input[autocomplete=username]'));
await seen(() => inShadow('#app [data-latchkey-theme="dark"]', '.trigger'));

const decision = createReactConfirmer().show(
  {
    kind: 'transactions',
    accountId: 'alice.testnet',
    rpId: 'localhost',
    networkId: 'testnet',
    digest: '9j30Wo0FabKgZPM9gwLTw9VMbRv3cBKUp1ntODveguQ',
    uiMode: 'modal',
    behavior: 'requireClick',
    autoProceedDelayMs: 0,
    theme: 'dark',
    transactions: [{ receiverId: 'bob.testnet', actions: [{ type: 'Transfer', amount: '1' }] }],
  },
  new AbortController().signal,
);
// The guard has taken the popup, and counts clicks.
await seen(() => inShadow('latchkey-confirm', '.button.primary[aria-disabled=false]'));
inShadow('latchkey-confirm', '.buttons .button:not(.primary)').click();
const words = `React ${version}, ${rendered.trim()}, then ${theme}, ${await decision}`;
result.textContent = said.length === 0 ? `ready: ${words}` : `failed: ${words}: ${said.join('; ')}`;
