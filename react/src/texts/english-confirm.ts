import { englishViewer, IN_MEMORY_TEXT } from 'latchkey/internal';
import { englishActions } from './english-actions.js';
import { englishActs } from './english-acts.js';
import { englishButton } from './english-button.js';

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** The texts of the confirmation and the wallet page in English. A name in braces is filled by what it names. */
export const englishConfirm = {
  cancel: 'Cancel',
  careful: 'Careful.',
  note: 'Note.',
  question: 'What you are asked for',
  again: 'Try again',
  proceed: 'Continue',
  moment: 'One moment…',
  busy: 'Follow your browser’s passkey prompt. This closes by itself.',
  seenAll: 'You have seen everything.',
  details: 'Details',
  tooSoon: 'That press came too soon and does not count. Press again in a moment.',
  stop: 'Stop requests from this site',
  digest: 'Intent digest',
  joining: {
    title: 'Link this device',
    lead: 'It gets its own passkey for an account that you already have.',
    confirm: 'Create passkey',
  },
  adopting: {
    title: 'Bring your account',
    lead: 'Your device makes a passkey for it. Your other wallet then lets that passkey in.',
    confirm: 'Create passkey',
    isYours:
      'Go on only if {account} is your account and you hold all of its keys. Whoever holds a key that it has now keeps full access ' +
      'to it and to everything that you put there.',
  },
  registration: {
    title: 'Create your passkey',
    lead: 'Your device makes a passkey. It becomes your key to this account.',
    confirm: 'Create passkey',
  },
  message: {
    title: 'Sign a message',
    signIn: 'Sign in to {recipient}',
    lead: 'Proves that you hold {account}. Moves nothing and costs nothing.',
    leadMoves: 'Lets a contract move what it keeps for {account}. Read what it moves.',
    confirm: 'Sign message',
    confirmSignIn: 'Sign in',
    label: 'Message',
    text: 'Message text',
    for: 'For',
    answerTo: 'Answer goes to',
    state: 'State (not signed)',
    nonce: 'Nonce',
    order: 'This message is an order to {recipient}. Anybody who gets it can have it carried out.',
    forAnother: '{site} wants a signature meant for {recipient}. With it, {site} can act as you there.',
    thisPage: 'This page',
  },
  linking: {
    title: 'Link a new device',
    lead: 'Compare the code, then approve it with your passkey.',
    confirm: 'Link device',
    device: 'The new device',
    compare:
      'Is exactly this code on the new device? It shows there when you press ‘It was scanned’. If not, press Cancel. Compare all ' +
      'four groups.',
    timeLeft: 'Time left: {time}',
    access: 'This gives the new device full access to {account}.',
    consequence:
      'It can spend everything, and add or remove keys. Go on only if that device is yours and in front of you: nobody else has ' +
      'a reason to send you such a code.',
    account: 'The account',
    isYours: 'Go on only if {account} is your account, and your other device showed this same code.',
  },
  /** Where the page scanned the code, not the wallet: it must look unlike the dialog after the wallet's own scan. */
  linkingByPage: {
    title: 'A page wants to let a device in',
    lead: 'Your wallet has not seen the device. Compare the code first.',
    confirm: 'Give full access',
    scannedBy:
      '{page} scanned this code, not your wallet. The page can put the code of another device in its place: if you were scanning ' +
      'in your wallet just now, press Cancel.',
  },
  transactions: {
    one: 'Transaction',
    position: (number: number, count: number) => `Transaction ${number} of ${count}`,
    receiver: 'Receiver',
    lookClosely: 'Look closely.',
    amongOthers: (titles: string) => `Among other things: ${titles}`,
  },
  acts: englishActs,
  facts: {
    account: 'Account',
    from: 'From {account} · {network}',
    as: 'As {account}',
    askedBy: 'Asked by {site}',
    network: 'Network',
    testNetwork: 'Test network, no real money',
    wallet: 'Wallet',
    send: 'You send',
    toAccount: 'To',
    contract: 'Contract',
    fee: 'Network fee',
    feeLine: 'Fee about {usual}, at most {most}',
    feeBound: 'Fee at most {most}',
    about: 'about {usual}, at most {most}',
    total: 'Total',
    withFee: 'With the fee',
    atMost: 'at most {most}',
    balance: 'Balance',
    shortOf: 'You have {balance}. This may not be enough.',
    sentBy: 'Sent by',
    anyone: 'Whoever this page gives it to',
    relay: 'The relay {relay}',
    fees: 'Fees, deposits',
    feesPaid: 'Paid by whoever sends it, not by you',
    goodFor: 'Good for',
    blocks: (count: number) => `${plural(count, 'block', 'blocks')}, once`,
    untilBlock: (height: string) => `until block ${height}`,
  },
  actions: englishActions,
  glance: {
    label: 'What it does',
    stake: 'Stakes',
    calls: 'Calls',
    also: 'Also',
    at: '{what} on {account}',
    atWith: '{what} on {account}, with {amount}',
    on: 'On {account}: {action}',
    with: '{action}, with {amount}',
    deletes: '{action}. Its balance goes to {account}',
    send: 'Sends',
    approve: 'Lets take',
    withdraw: 'Withdraws',
    wrap: 'Wraps',
    unwrap: 'Unwraps',
    'pay-storage': 'For storage',
    'take-storage': 'Back from storage',
    'close-storage': 'Storage',
    unstake: 'Unstakes',
    destroy: 'Destroys',
    closed: 'Is closed, and its deposit comes back',
    everything: 'Everything',
    whole: 'the whole balance at {token}',
    destroys: 'This destroys what {token} keeps for you. Nobody can bring it back.',
    unreadable: 'Tokens',
    to: '{what} to {account}',
    for: '{what} for {account}',
    hasMessage: 'The receiver gets a message and may act on it.',
    unlisted: 'Moves tokens by {method} in a way we can’t show. Cancel unless you trust this site.',
    token: 'token {token}',
    tokens: (amount: string) => `${amount} × token {token}`,
    units: (amount: string) => `${amount} units of {token}`,
    ownWords: (amount: string, decimals: number) =>
      `${amount} units of {token}, which in its own words is called “{symbol}” and has ${decimals} decimals.`,
    noWorth: 'The contract did not say what one unit is worth.',
    keptBy: 'Kept by {token}',
    looksLike: 'Looks like another',
    firstTime: 'First time',
    lookalike:
      '{account} looks like {other}, but is another account, which you have not paid from this device. Compare every character.',
  },
  repeated: {
    title: 'This may pay twice.',
    sent: (time: string) =>
      `The same payment to {receiver} was sent at ${time}. Whether it arrived is not known yet.`,
    sentOneOf: (time: string, count: number) =>
      `The same payment to {receiver} was sent at ${time} (one of ${count} open payments that equal these). Whether it arrived ` +
      'is not known yet.',
    byRelay: 'A relay carries it out. Press Cancel and wait.',
    lookUp: 'Press Cancel and wait, or look it up first: {transaction}',
  },
  removed: {
    device: (number: number) => `This removes device ${number}.`,
    thisDevice: (number: number) => `This removes device ${number}, the one in front of you.`,
    registered: (date: string) =>
      `Registered: ${date}. It can no longer sign for {account}, and your browser may delete its passkey: {passkey}`,
  },
  appKeys: {
    added: (end: string) =>
      `The app key for {contract} works until ${end}. It is removed the next time you approve something after that.`,
    removed: (end: string) =>
      `Your app key for {contract} ended: ${end}. This also removes it from your account.`,
  },
  recoveryKey:
    'This adds your recovery key. Whoever has its twelve words has {account}, without your passkey. Continue only if the words are on paper, and yours alone.',
  reading: {
    scroll: (confirm: string) => `Scroll to the end, then press ${confirm}.`,
    unfold: (confirm: string) => `Scroll to the end and open what is folded, then press ${confirm}.`,
    more: 'Show more',
  },
  waiting: {
    title: 'Waiting for the network',
    lead: 'The wallet asks NEAR ({network}) before it can go on.',
    label: 'What this waits for',
    text: 'No transaction was signed or sent. This goes on by itself when the answer comes.',
    status: 'No answer yet…',
  },
  button: englishButton,
  keyViewer: englishViewer,
  together: {
    title: 'Sign a message and a transaction',
    lead: 'One confirmation for both. Check all of it, and confirm with your passkey.',
    confirm: 'Sign both',
  },
  connect: {
    title: 'Connect an account',
    askedBy: '{site} asks for an account of yours. It sees the one that you choose, and no other.',
    thisPage: 'This page asks for an account of yours. It sees the one that you choose.',
    besides: 'It also asks for this. You see it in full, and confirm it, in the next step:',
    message: 'a signed message',
    key: 'a key that calls {contract} without asking you',
    legend: 'Which account?',
    newAccount: 'A new account',
    recover: 'An account that is not listed, by its passkey',
    name: 'Name of the new account',
    nameNeeded: 'Type a name first.',
    confirm: 'Connect',
  },
  openedBy: {
    title: 'Your wallet',
    waits: 'Waiting for the page that opened this window…',
    works: '{site} opened this window. It closes by itself when the request is done.',
    unlockTitle: 'Open your account',
    unlock: '{site} asks you to sign with {account}. Your passkey opens the account first.',
    noOpenerTitle: 'No page asks for anything here',
    noOpener:
      'A page opens this address to ask for your account. This window has lost that page, or was opened by hand. Close it, and ' +
      'press the button there again.',
    noOpenerFix:
      'If it is your page: it must not send {bad}. Send {good} in its place, so that the window can answer.',
    notServedTitle: 'This page cannot be answered',
    notServed:
      'The page that opened this window has no address of its own that an answer could go to (its origin is “{origin}”). Nothing was ' +
      'shown to it.',
    refusedTitle: 'This page may not ask this wallet',
    refused:
      'The operator of this wallet did not list {origin} among the pages that may connect. It has seen nothing of yours.',
  },
  walletPage: {
    linkLead: 'Let this device into one of your accounts.',
    linkLabel: 'Linking code',
    createPasskey: 'Create a passkey',
    signsFor: '{account} signs for {host}',
    whatSigned: 'What this signs',
    send: (amount: string) => `Send ${amount}`,
    windowTitle: 'The wallet needs its own window',
    windowNeeded: 'This browser lets the wallet ask you only in its own window. The window closes by itself.',
    windowBlocked: 'The browser blocked the window. Allow pop-ups for this site, then try again.',
    windowOpen: 'The window is open. Continue there: it closes by itself, and so does this.',
    openWindow: 'Open the window',
    tryAgain: 'Try again',
    showWindow: 'Show the window',
    create: 'Create your passkey',
    use: 'Use your passkey',
    prompt: 'Your browser will ask for a passkey of {site}, for your request in the app.',
    continue: 'Continue with passkey',
    notAllowedTitle: 'This app may not use this wallet',
    notAllowedFix:
      "If it is your app: ask the wallet's operator to add exactly this origin to the wallet's allowedHosts, or to the registry's " +
      'allowed hosts.',
    inMemory: IN_MEMORY_TEXT,
    lostTitle: 'There is nothing to do here',
    lost: 'This window lost the page that opened it. Close it, go back, and press the button again.',
    failedTitle: 'This wallet could not start',
  },
};

export type ConfirmTexts = typeof englishConfirm;
