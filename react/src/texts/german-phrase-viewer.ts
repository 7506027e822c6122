import type { Texts } from './english.js';

/** The texts of the phrase viewer in German. */
export const germanPhraseViewer: NonNullable<Texts['phraseViewer']> = {
  show: {
    title: 'Wiederherstellungsphrase machen',
    lead: 'Zwölf Wörter, die dein Konto öffnen, wenn dein Passkey verloren ist. Sie werden noch nicht gezeigt.',
    label: 'Bevor du die Wörter siehst',
    warnings: [
      [
        'Nimm Stift und Papier.',
        'Die Wörter werden einmal gezeigt und nirgends gespeichert. Verlierst du sie, dann lass neue machen, solange du deinen Passkey hast.',
      ],
      [
        'Wer die Wörter hat, hat das Konto.',
        'Er braucht weder Passkey noch Gerät und kann alles nehmen, was darin ist.',
      ],
      [
        'Gib sie niemandem.',
        'Nur die Wallet fragt danach, und nur, wenn du das Konto wiederherstellst. Der Support tut das nie.',
      ],
    ],
    account: 'Konto',
    network: 'Netzwerk',
    cancel: 'Abbrechen',
    continue: 'Wörter zeigen',
    again: 'Noch einmal',
    busy: 'Die Wörter entstehen.',
    word: 'Wort {position}',
    wordsTitle: 'Schreib diese Wörter auf',
    wordsLead: 'In dieser Reihenfolge, auf Papier. Danach wirst du nach zweien gefragt.',
    words: 'Deine Wiederherstellungsphrase',
    hidden: 'Die Wörter sind verborgen.',
    show: 'Wieder zeigen',
    written: 'Ich habe sie aufgeschrieben',
    checkTitle: 'Zwei deiner Wörter',
    checkLead: 'Lies sie von deinem Papier ab. Vorher kommt nichts an das Konto.',
    back: 'Zurück',
    done: 'Weiter',
    wrong: 'Wort {position} ist ein anderes. Vergleiche es mit den Wörtern.',
  },
  enter: {
    title: 'Wiederherstellungsphrase benutzen',
    lead: 'Deine zwölf Wörter lassen einen neuen Passkey herein. Nur diese Wallet liest sie.',
    label: 'Deine Wiederherstellungsphrase',
    account: 'Konto',
    network: 'Netzwerk',
    cancel: 'Abbrechen',
    continue: 'Weiter',
    busy: 'Der Schlüssel dieser Wörter wird am Konto gesucht.',
    word: 'Wort {position}',
    paste: 'Du kannst alle zwölf Wörter in das erste Feld einfügen.',
  },
};
