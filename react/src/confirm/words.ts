/** The title, the lead and the button of a confirmation. */
import type { ConfirmModel } from 'latchkey';
import { movesOfMessage } from 'latchkey/confirm-moves';
import type { ConfirmTexts } from '../texts/english-confirm.js';

interface Words {
  title: string;
  lead: string;
  confirm: string;
}

export function wordsOf(model: ConfirmModel, texts: ConfirmTexts): Words {
  switch (model.kind) {
    case 'registration':
      if (!model.joining) return texts.registration;
      return model.joining.checkCode === undefined ? texts.adopting : texts.joining;
    case 'nep413': {
      const { title, lead, leadMoves, confirm } = texts.message;
      return { title, lead: movesOfMessage(model.message, model.recipient) ? leadMoves : lead, confirm };
    }
    case 'transactions': {
      if (model.device) return model.device.scannedBy === undefined ? texts.linking : texts.linkingByPage;
      if (model.withMessage) return texts.together;
      const { title, lead, confirm } = texts.transactions;
      return { title: title(model.transactions.length), lead, confirm };
    }
  }
}
