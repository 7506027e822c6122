/** A window of the wallet whose person always goes on, and refuses only what is asked of `mallory`. */
import { runPopup } from '../wallet/popup-page.js';

void runPopup({
  confirmer: { show: async ({ accountId }) => (accountId.startsWith('mallory') ? 'cancel' : 'confirm') },
  paint: () => undefined,
  continueByClick: async () => 'confirm',
  lost: (text) => {
    document.body.textContent = text;
  },
});
