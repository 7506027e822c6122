import type { Texts } from './english.js';

export const german: Texts = {
  shell: {
    skip: 'Zum Inhalt',
    brand: 'Latchkey, Startseite',
    navigation: 'Hauptmenü',
    home: 'Start',
    demos: 'Demos',
    docs: 'Doku',
    explorer: 'Explorer',
  },
  status: {
    label: 'Wallet',
    offline: 'offline',
    waiting: 'wartet auf READY',
    connecting: 'verbindet …',
    connected: 'verbunden',
    accounts: (count) => `verbunden · ${count} ${count === 1 ? 'Konto' : 'Konten'}`,
  },
  notices: {
    offline: 'Dieses Gerät ist offline. Deine Schlüssel und dein Geld sind sicher.',
    notStarted: 'Die Wallet konnte nicht starten',
  },
  greeting: {
    title: 'Gruß auf der Blockchain',
    refresh: 'Gruß neu lesen',
    current: 'Aktueller Gruß',
    reading: 'Wird gelesen …',
    unread: 'Konnte nicht gelesen werden.',
    none: 'Noch nichts.',
    field: 'Neuer Gruß',
    placeholder: 'Grüße alle',
    set: 'Gruß setzen',
    sending: 'Wird gesendet …',
    tooLong: (bytes) => `${bytes} ${bytes === 1 ? 'Byte' : 'Bytes'} zu lang.`,
  },
  button: {
    title: 'Zwei Zahlungen, ein Knopf',
    lead: (receiver) => `Zeige auf den Knopf oder tippe ihn an: Er zeigt, was er an ${receiver} sendet.`,
    send: 'Beides senden',
  },
  latest: {
    title: 'Letzte Transaktion',
    none: 'Noch nichts gesendet. Setze den Gruß, dann erscheint hier seine Transaktion.',
  },
  outcome: {
    each: 'Was daraus wurde',
    to: (recipient) => `an ${recipient}`,
    final: 'Endgültig',
    success: 'Erfolg',
    successWithoutId: 'Erfolg, ohne Transaktions-ID in der Antwort',
    failed: (error) => `Fehlgeschlagen: ${error}`,
    unknownError: 'Unbekannter Fehler',
  },
  home: {
    title: 'Dein Gerät ist der Schlüssel.',
    lead: 'Lege mit Gesicht, Fingerabdruck oder Geräte-PIN ein Konto an, zahle damit und öffne es auf einem zweiten Gerät. Alles geschieht auf dieser Seite.',
    testNetwork: 'Das ist ein Testnetz: Sein Geld ist nicht echt.',
    loggedIn: 'Angemeldet',
    steps: 'Drei Schritte',
    done: 'Erledigt:',
    needsAccount: 'Lege zuerst ein Konto an, in Schritt 1.',
    account: {
      title: 'Konto anlegen',
      lead: 'Wähle einen Namen und nutze deinen Passkey. Es gibt kein Passwort und nichts zu notieren.',
      open: (account) => `${account} ist auf diesem Gerät offen.`,
    },
    payment: {
      title: 'Zahlen',
      lead: 'Die Wallet sagt, was geschehen wird, bevor du zustimmst. Genau das signiert dein Passkey.',
      pay: (near) => `${near} NEAR zahlen`,
      paying: 'Wird gezahlt …',
      to: (receiver) => `An ${receiver}`,
    },
    device: {
      title: 'Zweites Gerät hinzufügen',
      lead: 'Ein Handy, ein Tablet oder ein anderer Browser bekommt einen eigenen Passkey. Damit öffnet es das Konto, wenn dieses Gerät verloren geht.',
      how: (address, link) =>
        `Öffne auf dem zweiten Gerät ${address} und wähle „${link}“. Scanne dann den Code, den es zeigt.`,
      scan: 'Code scannen',
      linked: 'Das zweite Gerät hat das Konto jetzt auch.',
      registering:
        'Ein Konto ohne Namen braucht zuerst einen Eintrag für seinen Passkey. Das Konto bezahlt dafür ein wenig.',
      register: 'Diesen Passkey eintragen',
      registered: 'Das Register hat diesen Passkey.',
    },
    code: {
      ofStep: 'Code und Sicherheit',
      label: (file) => `Code von ${file}`,
      copy: 'Kopieren',
      copied: 'Kopiert',
      notCopied: 'Nicht kopiert',
    },
    safety: {
      title: 'Warum ist das sicher?',
      tests: 'Die Tests einer Aussage tragen ihre Nummer.',
      page: 'Alle Aussagen, und was nicht gilt',
      keyHere:
        'Dein Passkey erzeugt den Schlüssel, auf diesem Gerät. Die Skripte dieser Seite bekommen ihn nie.',
      encrypted:
        'Was dieses Gerät vom Schlüssel behält, ist verschlüsselt. Ohne deinen Passkey öffnet es nichts.',
      noOtherKey:
        'Der Server der Wallet bezahlt das Konto. Er kann keinen Schlüssel unterschieben: Die Wallet vergleicht.',
      onlySeen: 'Die Signatur gilt für das, was du gesehen hast, und für nichts anderes.',
      checked: 'Nichts wird gesendet, bevor der Eintrag deines Kontos im Netz deinen Passkey angenommen hat.',
      noPress:
        'Keine Seite kann für dich drücken: Ein Druck zählt erst, wenn die Bestätigung eine halbe Sekunde lang ruhig zu sehen war.',
      scanned: 'Die Wallet scannt den Code selbst. Diese Seite sieht ihn nie.',
      compared:
        'Beide Geräte zeigen dieselben 16 Zeichen, aus dem neuen Schlüssel gebildet. Ein anderer Schlüssel zeigt andere.',
      noLoss: 'Ein neues Gerät ersetzt keinen Passkey: Der, den du hast, gilt weiter.',
    },
    more: {
      title: 'Mehr mit diesem Konto',
      lead: 'Ein Text, den alle lesen können, zwei Zahlungen hinter einem Knopf, und was aus ihnen wurde.',
    },
    next: {
      title: 'In deiner eigenen App',
      lead: 'Der Code neben jedem Schritt ist der Code, der ihn ausführt.',
      create: 'App anlegen',
      demos: 'Weitere Demos',
      docs: 'Dokumentation lesen',
    },
  },
};
