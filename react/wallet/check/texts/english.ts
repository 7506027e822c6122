/** The texts of the page on which users try their own authenticators. */
export const englishCheck = {
  title: 'Check your passkey',
  lead: 'Find out whether a passkey of yours works with this wallet.',
  starting: 'Your browser is asked what it can do…',
  what: {
    title: 'What this page does',
    makes: 'It makes a new passkey, “{name}”, and asks it three times. Each step takes one touch.',
    safe: 'It uses no account and no money, and leaves your other passkeys alone. The new passkey opens nothing.',
    ends: 'At the end it deletes that passkey and shows a report. Nothing is sent anywhere.',
  },
  nevertheless: 'You can go through the steps all the same. The report then says what your passkey does.',
  steps: 'Steps',
  progress: (step: number, all: number) => `Step ${step} of ${all}`,
  states: { done: 'done', failed: 'without an answer', now: 'now', later: 'later' },
  create: {
    title: 'Make a passkey',
    now: 'Your browser asks where to keep it: on this device, in a password manager, on a security key or on a phone. Choose the one that you want to check.',
    act: 'Make the passkey',
  },
  get: {
    title: 'Ask it',
    now: 'Your browser asks for the passkey that you just made.',
    act: 'Ask the passkey',
  },
  'get again': {
    title: 'Ask it again',
    now: 'The same once more. A wallet needs a passkey that answers the same each time.',
    act: 'Ask again',
  },
  'get unnamed': {
    title: 'Ask without naming it',
    now: 'Your browser may show all your passkeys of this site. Choose “{name}”. If you choose another one, its answer is thrown away.',
    act: 'Show my passkeys',
  },
  forget: { title: 'Delete it' },
  running: 'Your browser is asking you now. Answer it there.',
  cancel: 'Cancel',
  unanswered: 'This step ended without an answer. The report notes it.',
  again: 'Try again',
  goOn: 'Go on without it',
  stop: 'Stop here',
  verdict: {
    title: 'Result',
    one: 'This passkey works with one prompt.',
    oneMore: 'A new account takes one touch, and so does each signature.',
    two: 'This passkey works with two prompts.',
    twoMore: 'A new account takes two touches, each signature one.',
    unnamedMore:
      'In each browser the first signature takes two, because this passkey checks that it is you only where it is not named.',
    refused: 'This passkey cannot be used: {reason}',
    open: 'The check did not get far enough to say whether this passkey works.',
    reasons: {
      PRF_MISSING: 'it gives no secret from which a wallet could make your keys.',
      PASSKEY_UNSTABLE: 'it gives other secrets each time, so money sent to its account would be lost.',
      USER_NOT_VERIFIED: 'it answers without checking that it is you.',
      PASSKEY_NOT_DISCOVERABLE:
        'it is not found without its name, so an account could not be recovered with it.',
    } as Readonly<Record<string, string>>,
  },
  forgotten: {
    told: 'Your browser was told to delete “{name}”. If it still shows up, delete it by hand.',
    'cannot be told': 'This browser lets no page delete a passkey. Delete “{name}” by hand.',
    none: 'No passkey was made. If “{name}” shows up all the same, delete it by hand.',
    where:
      'Look for {site} in your password manager. On Apple devices that is the Passwords app, on Android and in Chrome Google Password ' +
      'Manager, on Windows “Passkeys” in the settings under Accounts, and for a security key the app of its maker.',
  },
  report: {
    title: 'Report',
    lead: 'Please paste it into a new issue of the Latchkey repository, and add the model and version of your device. That is how real devices get into the table of authenticators.',
    safe: 'Read it first: it names your browser and your authenticator, and holds no secret and nothing that identifies the passkey.',
    copy: 'Copy the report',
    copied: 'Copied',
    notCopied: 'Your browser allows no copying here. Select the text and copy it.',
    restart: 'Check another passkey',
  },
};

export type CheckTexts = typeof englishCheck;
