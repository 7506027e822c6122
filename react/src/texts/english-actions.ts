/** The texts that describe an action, in English. The transaction button's frame loads these alone. */
export const englishActions = {
  call: 'Call',
  deposit: 'Deposit',
  gasLimit: 'Gas limit',
  arguments: 'Arguments',
  none: 'None',
  unreadableWarning:
    'The arguments are bytes that cannot be read here. Only the app knows what they ask the contract to do.',
  transfer: 'Transfer',
  amount: 'Amount',
  createAccount: 'Create this account',
  stake: 'Stake',
  validatorKey: 'Validator key',
  deploy: 'Deploy a contract',
  code: 'Code',
  bytes: '{count} bytes',
  deployWarning: 'New code replaces whatever runs on this account and can do anything with it.',
  deployGlobal: 'Publish a contract for every account',
  namedBy: 'Named by',
  CodeHash: 'The hash of its code, which never changes',
  AccountId: 'This account, which can change it later',
  burnt: 'Burnt for storage',
  deployGlobalWarning: 'The amount is gone for good. Every account may run this code.',
  useGlobal: 'Run a published contract',
  codeHash: 'Hash of its code',
  codeOf: 'Published by',
  useGlobalWarning:
    'The code of that account replaces whatever runs on this one and can do anything with it. Its publisher can change it at ' +
    'any time.',
  initState: 'Create an account from its state',
  state: 'State',
  removeKey: 'Remove an access key',
  key: 'Key',
  removeKeyWarning: 'Whoever uses this key loses access. Removing your last key locks you out for good.',
  deleteAccount: 'Delete this account',
  balanceTo: 'Balance goes to',
  deleteAccountWarning: 'The account and everything stored on it are gone for good. This cannot be undone.',
  addFullKey: 'Add a full-access key',
  addFullKeyWarning:
    'Whoever holds this key controls the account completely: its funds, its keys, its deletion.',
  addCallKey: 'Add a function-call key',
  mayCall: 'May call',
  methods: 'Methods',
  everyMethod: 'Every method',
  allowance: 'Gas allowance',
  unlimited: 'Unlimited',
  looseMethods:
    'The app that holds this key may call every method of that contract. It asks you nothing until you remove the key.',
  looseGas:
    'The app that holds this key may spend all of your NEAR on gas. It asks you nothing until you remove the key.',
  looseBoth:
    'The app that holds this key may call every method of that contract, and may spend all of your NEAR on gas. It asks you ' +
    'nothing until you remove the key.',
  ownCallKeyWarning:
    'This key calls the account that it is on. A contract there obeys such calls as the account’s own: whoever holds the key may ' +
    'take everything. Apps call their own contracts, and need no such key.',
  exact: 'Exact',
  hideExact: 'Hide exact',
};

export type ActionTexts = typeof englishActions;
