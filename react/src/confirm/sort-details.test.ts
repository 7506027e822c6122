import type { Action } from 'latchkey';
import { describe, expect, it } from 'vitest';
import { call } from '../testing/actions.js';
import { englishActions } from '../texts/english-actions.js';
import { describeAction } from './describe-action.js';
import { sortDetails } from './sort-details.js';

const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
const sorted = (action: Action) => {
  const { details } = describeAction(action, englishActions, 'token.testnet');
  const { open, closed } = sortDetails('token.testnet', action, details);
  return { open: open.map(({ label }) => label), closed: closed.map(({ label }) => label) };
};
const key = (permission: object | string): Action =>
  ({ type: 'AddKey', publicKey: KEY, accessKey: { permission } }) as Action;
const tokens = { receiver_id: 'bob.testnet', amount: '5' };

describe('the details of an action', () => {
  it('close gas, and the arguments that the lines of moves say in full [S90]', () => {
    expect(sorted(call('ft_transfer', tokens))).toEqual({ open: [], closed: ['Gas limit', 'Arguments'] });
  });

  it.each<[string, Action]>([
    ['an unknown method', call('vote', { for: 'a' })],
    ['a text next to what is known', call('ft_transfer', { ...tokens, memo: 'hello' })],
    ['a message to the receiver', call('ft_transfer_call', { ...tokens, msg: '{}' })],
    ['an amount named twice', call('ft_transfer', '{"receiver_id":"a.near","amount":"1","amount":"9"}')],
    ['what is no JSON', call('ft_transfer', 'amount')],
    [
      'bytes',
      { type: 'FunctionCall', methodName: 'ft_transfer', args: Uint8Array.of(1), gas: '1', deposit: '0' },
    ],
  ])('keep other arguments open: %s [S90]', (_, action) => {
    expect(sorted(action)).toEqual({ open: ['Arguments'], closed: ['Gas limit'] });
  });

  it('have no line for arguments that are not there, nor for what the line of the action says', () => {
    expect(sorted(call('vote', {}))).toEqual({ open: [], closed: ['Gas limit'] });
    expect(sorted({ type: 'Transfer', amount: '1' })).toEqual({ open: [], closed: [] });
    expect(sorted({ type: 'DeleteAccount', beneficiaryId: 'eve.testnet' })).toEqual({ open: [], closed: [] });
  });

  it.each<[Action, string[]]>([
    [key('FullAccess'), ['Key']],
    [
      key({ FunctionCall: { allowance: '1', receiverId: 'app.testnet', methodNames: ['vote'] } }),
      ['Key', 'May call', 'Methods', 'Gas allowance'],
    ],
    [{ type: 'DeleteKey', publicKey: KEY }, ['Key']],
    [{ type: 'Stake', stake: '1', publicKey: KEY }, ['Validator key']],
    [{ type: 'DeployContract', code: new Uint8Array(9) }, ['Code']],
    [
      { type: 'DeployGlobalContract', code: new Uint8Array(9), deployMode: 'AccountId' },
      ['Code', 'Named by', 'Burnt for storage'],
    ],
    [{ type: 'UseGlobalContract', contractIdentifier: { AccountId: 'code.testnet' } }, ['Published by']],
    [
      {
        type: 'DeterministicStateInit',
        stateInit: { V1: { code: { AccountId: 'code.testnet' }, data: [] } },
        deposit: '5',
      },
      ['Deposit', 'Published by', 'State'],
    ],
  ])('close nothing of what grants a permission, destroys or pays [S90]', (action, open) => {
    expect(sorted(action)).toEqual({ open, closed: [] });
  });
});
