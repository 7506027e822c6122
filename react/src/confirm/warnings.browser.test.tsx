// Single-action transactions that cannot be undone or may be paid twice: the warning is readable (axe) in both themes and
// both shapes.
import axe from 'axe-core';
import type { Action, TransactionRequest, TransactionsConfirmModel } from 'latchkey';
import { afterEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { createReactConfirmer } from './react-confirmer.js';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
const SHAPES = [
  { uiMode: 'modal', theme: 'light', width: 1100 },
  { uiMode: 'drawer', theme: 'dark', width: 360 },
] as const;

const WARNINGS: readonly [action: Action, warning: RegExp][] = [
  [
    { type: 'AddKey', publicKey: KEY, accessKey: { permission: 'FullAccess' } },
    /controls the account completely/,
  ],
  [
    {
      type: 'AddKey',
      publicKey: KEY,
      accessKey: {
        permission: { FunctionCall: { receiverId: 'alice.testnet', methodNames: ['vote'], allowance: '1' } },
      },
    },
    /calls the account that it is on/,
  ],
  [{ type: 'DeleteKey', publicKey: KEY }, /locks you out for good/],
  [{ type: 'DeleteAccount', beneficiaryId: 'bob.testnet' }, /gone for good/],
  [{ type: 'DeployContract', code: new Uint8Array(70_000) }, /can do anything with it/],
];

const RISKS = WARNINGS.map(([action, warning]) => [action.type, action, warning] as const);

let ended = new AbortController();
afterEach(async () => {
  ended.abort();
  await expect.poll(() => document.querySelector('latchkey-confirm')).toBeNull();
});

describe('a transaction with one irreversible action', () => {
  it.each(RISKS)('warns at the action and focuses Cancel: %s [S11]', (_, action, warning) =>
    warnsInEveryShape({ transactions: [{ receiverId: 'alice.testnet', actions: [action] }] }, warning),
  );
});

describe('a call that destroys tokens', () => {
  const call = (methodName: string, args: string): TransactionRequest => ({
    receiverId: 'usdc.testnet',
    actions: [{ type: 'FunctionCall', methodName, args, gas: '30000000000000', deposit: '1' }],
  });

  it('is shown and warned about, and focuses Cancel [S11]', async () => {
    await warnsInEveryShape(
      { transactions: [call('storage_unregister', '{"force":true}')] },
      /This destroys what .?usdc\.testnet.? keeps for you/,
    );
    await warnsInEveryShape(
      { transactions: [call('ft_burn', '{"amount":"5"}')] },
      /This destroys what .?usdc\.testnet.? keeps for you/,
    );
  });
});

describe('a payment that was sent before, with an outcome that is not known yet (core 2)', () => {
  const pay: TransactionRequest = {
    receiverId: 'bob.testnet',
    actions: [{ type: 'Transfer', amount: '7' }],
  };
  const sent = {
    transactionId: '7TxOfTheFirstSvAvfKg2nscNotq9GmcRJHwkqyQKTgmwh',
    receiverId: 'bob.testnet',
    sentAt: new Date(2026, 0, 2).getTime(),
  };

  it('warns that it may be paid twice, names the first, and focuses Cancel [S44]', () =>
    warnsInEveryShape(
      { transactions: [pay], repeats: [sent, sent] },
      /This may pay twice\. .*2026.* \(one of 2 open payments that equal these\)\. .*7TxOfTheFirst/,
    ));
});

describe('a payment that a relay was asked to carry out, with an outcome that is not known yet', () => {
  it('warns without an id while none is known, and focuses Cancel', () =>
    warnsInEveryShape(
      {
        transactions: [{ receiverId: 'bob.testnet', actions: [{ type: 'Transfer', amount: '7' }] }],
        repeats: [{ transactionId: null, receiverId: 'bob.testnet', sentAt: 0 }],
      },
      /This may pay twice\. .* is not known yet\. A relay carries it out\. Press Cancel and wait\./,
    ));
});

describe('a transaction that removes a device (core 4)', () => {
  const removal: TransactionRequest = {
    receiverId: 'alice.testnet',
    actions: [{ type: 'DeleteKey', publicKey: KEY }],
  };
  const device = {
    deviceNumber: 2,
    registeredAt: new Date(2026, 4, 6).getTime(),
    passkeyName: 'alice.testnet (2)',
  };

  it('names the device and its passkey, and focuses Cancel', () =>
    warnsInEveryShape(
      { transactions: [removal], removes: [{ ...device, isCurrent: false }] },
      /This removes device 2\. Registered: .*2026.*\. It can no longer sign for .?alice\.testnet.?, and your browser may delete its passkey: .?alice\.testnet \(2\)/,
    ));

  it('says so when it is this device', () =>
    warnsInEveryShape(
      { transactions: [removal], removes: [{ ...device, isCurrent: true }] },
      /This removes device 2, the one in front of you\./,
    ));
});

describe('an app key with an end, or paid for by the relay', () => {
  const key = { publicKey: KEY, receiverId: 'game.testnet', expiresAt: new Date(2026, 4, 6, 9, 5).getTime() };

  it('says until when the wallet uses it, and that the chain keeps it longer', () => {
    const permission = { FunctionCall: { receiverId: 'game.testnet', methodNames: [], allowance: null } };
    const action = { type: 'AddKey', publicKey: KEY, accessKey: { permission } } as const;
    return warnsInEveryShape(
      {
        transactions: [{ receiverId: 'alice.testnet', actions: [action] }],
        appKeys: [{ ...key, change: 'added' }],
      },
      /The app key for .?game\.testnet.? works until .*2026.*\. It is removed the next time/,
      'raised',
    );
  });

  it('says that the relay pays into it, and how much', () => {
    const permission = { GasKeyFunctionCall: { numNonces: 4, receiverId: 'game.testnet', methodNames: [] } };
    const action = { type: 'AddKey', publicKey: KEY, accessKey: { permission } } as const;
    const paidByRelay = { amountYocto: '100000000000000000000000', relay: 'relay.example' };
    return warnsInEveryShape(
      {
        transactions: [{ receiverId: 'alice.testnet', actions: [action] }],
        appKeys: [{ publicKey: KEY, receiverId: 'game.testnet', paidByRelay, change: 'added' }],
      },
      /You do not pay in advance for this app: .?relay\.example.?, the relay of this site, then pays 0\.1 NEAR into its key\./,
      'raised',
    );
  });

  it('says why a payment removes it after its end', () =>
    warnsInEveryShape(
      {
        transactions: [
          { receiverId: 'bob.testnet', actions: [{ type: 'Transfer', amount: '7' }] },
          { receiverId: 'alice.testnet', actions: [{ type: 'DeleteKey', publicKey: KEY }] },
        ],
        appKeys: [{ ...key, change: 'removed' }],
      },
      /Your app key for .?game\.testnet.? ended: .*2026.*\. This also removes it from your account\./,
      'raised',
    ));
});

describe('a recovery key', () => {
  it('is named, with who can use it [S75]', () => {
    const action = { type: 'AddKey', publicKey: KEY, accessKey: { permission: 'FullAccess' } } as const;
    return warnsInEveryShape(
      { transactions: [{ receiverId: 'alice.testnet', actions: [action] }], recoveryKey: KEY },
      /This adds your recovery key\. Whoever has its twelve words has .?alice\.testnet/,
    );
  });
});

async function warnsInEveryShape(
  asked: Pick<TransactionsConfirmModel, 'transactions' | 'repeats' | 'removes' | 'appKeys' | 'recoveryKey'>,
  warning: RegExp,
  risk: 'high' | 'raised' = 'high',
): Promise<void> {
  for (const { uiMode, theme, width } of SHAPES) {
    await page.viewport(width, 800);
    ended = new AbortController();
    const model: TransactionsConfirmModel = {
      kind: 'transactions',
      accountId: 'alice.testnet',
      rpId: 'wallet.test',
      networkId: 'testnet',
      digest: '9j30Wo0FabKgZPM9gwLTw9VMbRv3cBKUp1ntODveguQ',
      behavior: 'requireClick',
      autoProceedDelayMs: 0,
      ...asked,
      uiMode,
      theme,
    };
    const decided = createReactConfirmer().show(model, ended.signal);
    const dialog = page.getByRole('dialog');
    await expect.element(dialog.getByText(warning)).toBeVisible();
    const host = document.querySelector('latchkey-confirm') as HTMLElement;
    for (const box of host.shadowRoot?.querySelectorAll('.warning') ?? []) {
      expect(box.scrollWidth).toBeLessThanOrEqual(box.clientWidth);
    }
    if (risk === 'high') {
      await expect.poll(() => host.shadowRoot?.activeElement?.textContent).toBe('Cancel');
      // A long question has its colour once it was read to its end.
      host.shadowRoot?.querySelector('.end')?.scrollIntoView();
      await expect
        .poll(() => [...(host.shadowRoot?.querySelector('.primary')?.classList ?? [])])
        .toContain('danger');
    }

    // Colours are final only after the fade-in.
    await expect.poll(() => getComputedStyle(dialog.element()).opacity).toBe('1');
    await Promise.all(host.shadowRoot?.getAnimations().map(({ finished }) => finished) ?? []);
    const { violations, passes } = await axe.run(host, { runOnly: RULES });
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`)).toEqual([]);
    expect(passes.map(({ id }) => id)).toContain('color-contrast');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await decided).toBe('cancel');
    ended.abort();
    await expect.poll(() => document.querySelector('latchkey-confirm')).toBeNull();
  }
}
