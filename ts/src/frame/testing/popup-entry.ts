/** A window of the wallet whose user always continues, refuses only requests of `mallory`, and never answers `patient`. */
import { runPopup } from '../wallet/popup-page.js';

void runPopup({
  confirmer: {
    show: async ({ accountId }) => {
      if (accountId.startsWith('patient')) await new Promise(() => undefined);
      return accountId.startsWith('mallory') ? 'cancel' : 'confirm';
    },
  },
  paint: (theme) => {
    document.title = theme;
  },
  speak: async (language) => {
    document.documentElement.lang = language;
  },
  continueByClick: async () => 'confirm',
  lost: (text) => {
    document.body.textContent = text;
  },
});
