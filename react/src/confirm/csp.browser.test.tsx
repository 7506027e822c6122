import type { ConfirmModel } from 'latchkey';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { createReactConfirmer } from './react-confirmer.js';

const model = {
  accountId: 'alice.testnet',
  rpId: 'wallet.test',
  networkId: 'testnet',
  digest: '9j30Wo0FabKgZPM9gwLTw9VMbRv3cBKUp1ntODveguQ',
  behavior: 'requireClick',
  autoProceedDelayMs: 0,
  theme: 'dark',
} as const;

const models: ConfirmModel[] = [
  { ...model, uiMode: 'modal', kind: 'registration', deviceNumber: 1 },
  { ...model, uiMode: 'drawer', kind: 'nep413', message: 'hi', recipient: 'demo.testnet', nonce: 'AAAA' },
  {
    ...model,
    uiMode: 'modal',
    behavior: 'autoProceed',
    autoProceedDelayMs: 5000,
    kind: 'transactions',
    transactions: [
      { receiverId: 'bob.testnet', actions: [{ type: 'DeleteAccount', beneficiaryId: 'eve.testnet' }] },
    ],
  },
];

it('runs under a strict content security policy with trusted types', async () => {
  const confirmer = createReactConfirmer();
  await confirmer.preload();
  const violations: string[] = [];
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) =>
    violations.push(`${violatedDirective}: ${sample}`),
  );
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content =
    "style-src 'self'; img-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";
  document.head.append(policy);

  for (const each of models) {
    const ended = new AbortController();
    void confirmer.show(each, ended.signal);
    await expect.element(page.getByRole('dialog')).toBeVisible();
    ended.abort();
    await expect.poll(() => document.querySelector('latchkey-confirm')).toBeNull();
  }
  expect(violations).toEqual([]);

  // The policy is in force: a style element does break it.
  const style = document.createElement('style');
  style.textContent = 'body { color: red }';
  document.head.append(style);
  await expect.poll(() => violations).toHaveLength(1);
});
