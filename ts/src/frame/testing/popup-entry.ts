/** A window of the wallet whose user always continues, and refuses only requests of `mallory`. */
import { runPopup } from '../wallet/popup-page.js';

void runPopup({
  confirmer: { show: async ({ accountId }) => (accountId.startsWith('mallory') ? 'cancel' : 'confirm') },
  paint: () => undefined,
  continueByClick: async () => 'confirm',
  lost: (text) => {
    document.body.textContent = text;
  },
});
