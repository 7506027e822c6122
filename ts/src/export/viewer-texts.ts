import type { EnterPhraseTexts, ShowPhraseTexts } from './phrase-viewer-texts.js';

/** The texts of the key viewer. They cross to its document as data, so none is a function; `{seconds}` is filled there. */
export interface ViewerTexts {
  /** The title while it warns, also of its frame. */
  readonly title: string;
  readonly lead: string;
  /** Names the part that the user reads first. */
  readonly label: string;
  /** Each in two parts: the beginning is bold. */
  readonly warnings: readonly (readonly string[])[];
  readonly account: string;
  readonly network: string;
  readonly publicKey: string;
  readonly cancel: string;
  readonly continue: string;
  readonly again: string;
  readonly busy: string;
  /** The title once the key is here. */
  readonly keyTitle: string;
  readonly keyLead: string;
  readonly keyHere: string;
  readonly privateKey: string;
  readonly hidden: string;
  readonly show: string;
  readonly hide: string;
  readonly copy: string;
  readonly done: string;
  readonly copied: string;
  readonly notCopied: string;
  readonly cleared: string;
  readonly notCleared: string;
}

/** How the key viewer speaks and looks. */
export interface ViewerLook {
  /** The language of the texts, as in HTML's `lang`. */
  readonly language: string;
  /** Where its lines begin: `ltr`, the default, or `rtl`. */
  readonly direction?: string | undefined;
  readonly texts: ViewerTexts;
  /** CSS over the design tokens: an operator's brand. Of its pictures only `data:` ones load. */
  readonly css?: string;
  /** The texts of the phrase viewer. Default: in English. */
  readonly phrase?: { readonly show: ShowPhraseTexts; readonly enter: EnterPhraseTexts };
}

export const englishViewer: ViewerTexts = {
  title: 'Export your private key',
  lead: 'Read this first. The key is not shown yet.',
  label: 'What you are about to see',
  warnings: [
    [
      'It is the account.',
      'Anyone with this key can take everything in it, forever and without your passkey.',
    ],
    [
      'Give it to nobody.',
      'No website, app or support ever needs it. Anyone who asks for it wants to steal from you.',
    ],
    ['Look around.', 'Nobody may see your screen, and nothing may record it.'],
  ],
  account: 'Account',
  network: 'Network',
  publicKey: 'Public key',
  cancel: 'Cancel',
  continue: 'Continue with passkey',
  again: 'Try again',
  busy: 'Follow your browser’s passkey prompt.',
  keyTitle: 'Your private key',
  keyLead: 'It stays hidden until you press Show. This closes by itself after 3 minutes.',
  keyHere: 'The key is here, hidden.',
  privateKey: 'Private key',
  hidden: 'Private key, hidden',
  show: 'Show',
  hide: 'Hide',
  copy: 'Copy',
  done: 'Done',
  copied: 'Copied. The clipboard is cleared in {seconds} seconds.',
  notCopied: 'Your browser did not let us copy. Press Show and copy it by hand.',
  cleared: 'The clipboard is cleared.',
  notCleared: 'Your browser did not let us clear the clipboard. Copy something else over the key.',
};
