/** What a request does, as the title of its confirmation says it, and the verb of its button, in English. */
export const englishActs = {
  transfer: { title: 'Send {amount}', verb: 'Send' },
  payments: { title: (count: number) => `Send {amount} in ${count} payments`, verb: 'Send' },
  unreadTransfer: { title: 'Send NEAR', verb: 'Send' },
  stakes: { title: 'Stake {amount}', verb: 'Stake' },
  call: { title: 'Call {method}', verb: 'Call' },
  callWith: { title: 'Call {method} with {amount}', verb: 'Call' },
  callUnnamed: { title: 'Call a contract', verb: 'Call' },
  callUnnamedWith: { title: 'Call a contract with {amount}', verb: 'Call' },
  removeDevice: { title: (number: number) => `Remove device ${number}`, verb: 'Remove' },
  recoveryKey: { title: 'Add your recovery key', verb: 'Add key' },
  steps: { title: (count: number) => `Confirm ${count} steps`, verb: 'Confirm all' },
  sendInSteps: { title: (count: number) => `Send {amount} in ${count} steps`, verb: 'Confirm all' },
  nothing: { title: 'Confirm a transaction', verb: 'Confirm' },
  /** The same of the calls that move tokens. */
  moves: {
    send: { title: 'Send tokens', verb: 'Send' },
    approve: { title: 'Let others take tokens', verb: 'Allow' },
    withdraw: { title: 'Withdraw tokens', verb: 'Withdraw' },
    unwrap: { title: 'Unwrap NEAR', verb: 'Unwrap' },
    'take-storage': { title: 'Take back a storage deposit', verb: 'Take back' },
    'close-storage': { title: 'Close your storage', verb: 'Close storage' },
    stake: { title: 'Stake NEAR', verb: 'Stake' },
    unstake: { title: 'Unstake NEAR', verb: 'Unstake' },
    destroy: { title: 'Destroy tokens', verb: 'Destroy' },
  },
  /** The buttons of the other actions, whose titles are in `english-actions.ts`. */
  verbs: {
    CreateAccount: 'Create account',
    DeployContract: 'Deploy',
    DeployGlobalContract: 'Publish',
    UseGlobalContract: 'Use contract',
    DeterministicStateInit: 'Create account',
    AddKey: 'Add key',
    DeleteKey: 'Remove key',
    DeleteAccount: 'Delete account',
  },
};

export type ActTexts = typeof englishActs;
