import type { TokenTexts } from './english-tokens.js';

/** The texts of the list of tokens and of the form that sends, in German. */
export const germanTokens: TokenTexts = {
  list: {
    label: 'Token',
    reading: 'Wird gelesen…',
    none: 'Noch keine Token',
    noneMore: 'Fehlt ein Token, den du hast, füge ihn mit seiner Adresse hinzu.',
    symbol: '„{symbol}“',
    at: 'Adresse des Tokens: {token}',
    isNotNear: 'Nicht NEAR',
    isNotNearMore: 'Sein Name liest sich wie NEAR, aber er ist etwas anderes.',
    looksLike: 'Kopierter Name',
    looksLikeMore:
      'Er heißt wie der Token unter {token}. Jeder kann einen Namen kopieren; vergleiche die Adressen.',
    unread: 'Dieser Token konnte nicht gelesen werden.',
    send: 'Senden',
    sendOf: (symbol) => `„${symbol}“ senden`,
    hide: 'Ausblenden',
    hideOf: (token) => `${token} ausblenden`,
    add: 'Token hinzufügen',
    address: 'Adresse des Tokens',
    addressHint:
      'Das Konto, das den Token führt, zum Beispiel {example}. Frage, wer den Token herausgibt; der Name allein genügt nicht.',
    addDo: 'Hinzufügen',
    adding: 'Wird gesucht…',
    noAddress: 'Gib die Adresse des Tokens ein.',
    notAnAddress:
      'So kann keine Adresse eines Tokens heißen. Sie ist der Name eines Kontos, ohne Leerzeichen und große Buchstaben.',
  },
  send: {
    what: 'Was',
    near: (amount) => `NEAR: ${amount}`,
    token: (symbol, amount, token) => `„${symbol}“: ${amount} (${token})`,
    careful: 'Sei vorsichtig.',
    receiver: 'Empfänger',
    receiverHint: (example) => `Der Name eines Kontos, zum Beispiel ${example}`,
    amount: (symbol) => `Betrag in ${symbol}`,
    spendable: 'Du kannst {amount} ausgeben.',
    have: 'Du hast {amount}.',
    most: 'Alles bis auf 0.01 NEAR für Gebühren',
    all: 'Alles',
    send: 'Senden',
    sending: 'Wird gesendet…',
    noReceiver: 'Gib das Konto ein, das es bekommt.',
    notAnAccount:
      'So kann kein Konto heißen. Ein Name hat 2 bis 64 Zeichen: a bis z, 0 bis 9 und dazwischen . - _.',
    isYourself: 'Das ist das Konto, von dem du sendest.',
    isTheToken: 'Das ist die Adresse des Tokens selbst. Was dorthin gesendet wird, ist verloren.',
    isNowhere: (account, network) =>
      `In ${network} gibt es kein Konto ${account}. Frage den Empfänger nach dem genauen Namen.`,
    unread: (reason) => `Ob es das Konto gibt, konnte nicht gelesen werden: ${reason}`,
    noAmount: 'Gib ein, wie viel, zum Beispiel 1.5.',
    notAnAmount: (decimals) =>
      `Schreibe den Betrag in Ziffern mit einem Punkt, zum Beispiel 1.5: ohne Komma, ohne Vorzeichen und mit höchstens ${decimals} ` +
      'Stellen dahinter.',
    isZero: 'Der Betrag muss größer als 0 sein.',
    isTooMuch: 'Das ist mehr, als du ausgeben kannst.',
    cancelled: 'Du hast nicht zugestimmt. Es wurde nichts gesendet.',
    storage: 'Du hast auch {amount} bezahlt, damit {receiver} diesen Token halten kann.',
  },
};
