/** What the login menu says under its field to those who are new or have lost their account, in English. */
export const englishWelcome = {
  how: {
    label: 'How it works',
    make: 'Your device makes a passkey. Your face, fingerprint or PIN unlocks it, and never leaves the device.',
    approve: 'The passkey opens your account. You see what you approve before you approve it.',
    keep: 'Add a second device soon, so that a lost phone doesn’t lock you out.',
  },
  ways: {
    label: 'Ways back to your account',
    passkey: 'Passkey on this device',
    passkeyMore: 'Or in your password manager',
    device: 'Another device',
    deviceMore: 'It scans a code that this one shows',
    phrase: 'Recovery phrase',
    phraseMore: 'The twelve words that you wrote down',
  },
};

export type WelcomeTexts = typeof englishWelcome;
