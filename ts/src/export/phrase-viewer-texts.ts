/** The texts of the phrase viewer. They cross to its document as data, so none is a function; names in braces are filled there. */

interface PhraseViewerTexts {
  /** The title at the start, also of its frame. */
  readonly title: string;
  readonly lead: string;
  readonly account: string;
  readonly network: string;
  readonly cancel: string;
  readonly continue: string;
  readonly busy: string;
  /** Names each word's field or place: `{position}`. */
  readonly word: string;
}

/** Where it shows a new phrase. */
export interface ShowPhraseTexts extends PhraseViewerTexts {
  /** Names the part that the user reads first. */
  readonly label: string;
  /** Each in two parts: the beginning is bold. */
  readonly warnings: readonly (readonly string[])[];
  readonly again: string;
  readonly wordsTitle: string;
  readonly wordsLead: string;
  readonly words: string;
  readonly hidden: string;
  readonly show: string;
  readonly written: string;
  readonly checkTitle: string;
  readonly checkLead: string;
  readonly back: string;
  readonly done: string;
  /** `{position}`. */
  readonly wrong: string;
}

/** Where it takes a phrase that the user has. */
export interface EnterPhraseTexts extends PhraseViewerTexts {
  readonly label: string;
  readonly paste: string;
}

export const englishShowPhrase: ShowPhraseTexts = {
  title: 'Make a recovery phrase',
  lead: 'Twelve words that open your account when your passkey is lost. They are not shown yet.',
  label: 'Before you see the words',
  warnings: [
    [
      'Take pen and paper.',
      'The words are shown once and stored nowhere. If you lose them, make new ones while you have your passkey.',
    ],
    [
      'Whoever has the words has the account.',
      'They need no passkey and no device, and can take everything in it.',
    ],
    [
      'Give them to nobody.',
      'Only the wallet asks for them, and only when you restore the account. Support never does.',
    ],
  ],
  account: 'Account',
  network: 'Network',
  cancel: 'Cancel',
  continue: 'Show the words',
  again: 'Try again',
  busy: 'Making the words.',
  word: 'Word {position}',
  wordsTitle: 'Write down these words',
  wordsLead: 'In this order, on paper. Then you are asked for two of them.',
  words: 'Your recovery phrase',
  hidden: 'The words are hidden.',
  show: 'Show again',
  written: 'I wrote them down',
  checkTitle: 'Two of your words',
  checkLead: 'Read them from your paper. Nothing is on the account before this.',
  back: 'Back',
  done: 'Continue',
  wrong: 'Word {position} is another one. Compare it with the words.',
};

export const englishEnterPhrase: EnterPhraseTexts = {
  title: 'Use a recovery phrase',
  lead: 'Your twelve words let a new passkey in. Only this wallet reads them.',
  label: 'Your recovery phrase',
  account: 'Account',
  network: 'Network',
  cancel: 'Cancel',
  continue: 'Continue',
  busy: 'Looking for the key of these words on the account.',
  word: 'Word {position}',
  paste: 'You can paste all twelve words into the first field.',
};
