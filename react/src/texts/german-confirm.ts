import type { ConfirmTexts } from './english-confirm.js';
import { germanActs } from './german-acts.js';

/** The texts of the confirmation and the wallet page in German. */
export const germanConfirm: ConfirmTexts = {
  cancel: 'Abbrechen',
  careful: 'Vorsicht.',
  note: 'Hinweis.',
  question: 'Worum du gebeten wirst',
  again: 'Noch einmal',
  proceed: 'Weiter',
  moment: 'Einen Moment…',
  busy: 'Folge der Passkey-Abfrage deines Browsers. Dies schließt sich von selbst.',
  seenAll: 'Du hast alles gesehen.',
  details: 'Einzelheiten',
  tooSoon: 'Das kam zu früh und zählt nicht. Drücke gleich noch einmal.',
  stop: 'Anfragen dieser Seite stoppen',
  digest: 'Prüfsumme der Anfrage',
  joining: {
    title: 'Dieses Gerät verknüpfen',
    lead: 'Es bekommt einen eigenen Passkey für ein Konto, das du schon hast.',
    confirm: 'Passkey anlegen',
  },
  adopting: {
    title: 'Dein Konto mitbringen',
    lead: 'Dein Gerät legt einen Passkey dafür an. Deine andere Wallet lässt ihn dann zu.',
    confirm: 'Passkey anlegen',
    isYours:
      'Fahre nur fort, wenn {account} dein Konto ist und du alle seine Schlüssel hast. Wer einen Schlüssel hat, den es jetzt hat, ' +
      'behält vollen Zugriff darauf und auf alles, was du dort hinlegst.',
  },
  registration: {
    title: 'Deinen Passkey anlegen',
    lead: 'Dein Gerät legt einen Passkey an. Er wird dein Schlüssel zu diesem Konto.',
    confirm: 'Passkey anlegen',
  },
  message: {
    title: 'Nachricht unterschreiben',
    signIn: 'Bei {recipient} anmelden',
    lead: 'Beweist, dass {account} dein Konto ist. Bewegt nichts und kostet nichts.',
    leadMoves: 'Lässt einen Vertrag bewegen, was er für {account} verwahrt. Lies, was er bewegt.',
    confirm: 'Unterschreiben',
    confirmSignIn: 'Anmelden',
    label: 'Nachricht',
    text: 'Text der Nachricht',
    for: 'Für',
    answerTo: 'Antwort geht an',
    state: 'Zustand (nicht unterschrieben)',
    nonce: 'Einmalzahl',
    order:
      'Diese Nachricht ist ein Auftrag an {recipient}. Jeder, der sie bekommt, kann ihn ausführen lassen.',
    forAnother:
      '{site} will eine Unterschrift, die für {recipient} gedacht ist. Damit kann {site} dort als du auftreten.',
    thisPage: 'Diese Seite',
  },
  linking: {
    title: 'Neues Gerät verknüpfen',
    lead: 'Vergleiche den Code, dann stimme mit deinem Passkey zu.',
    confirm: 'Gerät verknüpfen',
    device: 'Das neue Gerät',
    compare:
      'Steht genau dieser Code auf dem neuen Gerät? Dort erscheint er, wenn du ‚Er ist gescannt‘ drückst. Wenn nicht, drücke ' +
      'Abbrechen. Vergleiche alle vier Gruppen.',
    timeLeft: 'Noch Zeit: {time}',
    access: 'Damit bekommt das neue Gerät vollen Zugriff auf {account}.',
    consequence:
      'Es kann alles ausgeben und Schlüssel anlegen oder entfernen. Fahre nur fort, wenn das Gerät dir gehört und vor dir liegt: ' +
      'Niemand sonst hat einen Grund, dir so einen Code zu schicken.',
    account: 'Das Konto',
    isYours:
      'Fahre nur fort, wenn {account} dein Konto ist und dein anderes Gerät denselben Code gezeigt hat.',
  },
  linkingByPage: {
    title: 'Eine Seite will ein Gerät hereinlassen',
    lead: 'Die Wallet hat das Gerät nicht gesehen. Vergleiche zuerst den Code.',
    confirm: 'Vollen Zugriff geben',
    scannedBy:
      '{page} hat diesen Code gescannt, nicht die Wallet. Die Seite kann den Code eines anderen Geräts an seine Stelle setzen: ' +
      'Wenn du gerade in der Wallet gescannt hast, drücke Abbrechen.',
  },
  transactions: {
    one: 'Transaktion',
    position: (number, count) => `Transaktion ${number} von ${count}`,
    receiver: 'Empfänger',
    lookClosely: 'Sieh genau hin.',
    amongOthers: (titles) => `Unter anderem: ${titles}`,
  },
  acts: germanActs,
  facts: {
    account: 'Konto',
    from: 'Von {account} · {network}',
    as: 'Als {account}',
    askedBy: 'Gefragt von {site}',
    network: 'Netz',
    testNetwork: 'Testnetz, kein echtes Geld',
    wallet: 'Wallet',
    send: 'Du sendest',
    toAccount: 'An',
    contract: 'Vertrag',
    fee: 'Netzgebühr',
    feeLine: 'Gebühr etwa {usual}, höchstens {most}',
    feeBound: 'Gebühr höchstens {most}',
    about: 'etwa {usual}, höchstens {most}',
    total: 'Summe',
    withFee: 'Mit der Gebühr',
    atMost: 'höchstens {most}',
    balance: 'Guthaben',
    shortOf: 'Du hast {balance}. Das reicht vielleicht nicht.',
    sentBy: 'Gesendet von',
    anyone: 'Allen, denen diese Seite es gibt',
    relay: 'Dem Relay {relay}',
    fees: 'Gebühren, Einlagen',
    feesPaid: 'Bezahlt, wer es sendet, nicht du',
    goodFor: 'Gültig für',
    blocks: (count) => `${count} ${count === 1 ? 'Block' : 'Blöcke'}, einmal`,
    untilBlock: (height) => `bis Block ${height}`,
  },
  actions: {
    call: 'Aufruf',
    deposit: 'Einlage',
    gasLimit: 'Gas-Grenze',
    arguments: 'Argumente',
    none: 'Keine',
    unreadableWarning:
      'Die Argumente sind Bytes, die hier niemand lesen kann. Nur die App weiß, was sie vom Vertrag verlangen.',
    transfer: 'Überweisung',
    amount: 'Betrag',
    createAccount: 'Dieses Konto anlegen',
    stake: 'Staken',
    validatorKey: 'Schlüssel des Validators',
    deploy: 'Einen Vertrag aufspielen',
    code: 'Programm',
    bytes: '{count} Byte',
    deployWarning: 'Ein neues Programm ersetzt, was auf diesem Konto läuft, und kann alles damit tun.',
    deployGlobal: 'Einen Vertrag für jedes Konto veröffentlichen',
    namedBy: 'Benannt nach',
    CodeHash: 'Dem Hash seines Programms, das sich nie ändert',
    AccountId: 'Diesem Konto, das es später ändern kann',
    burnt: 'Für Speicher verbrannt',
    deployGlobalWarning: 'Der Betrag ist endgültig weg. Jedes Konto darf dieses Programm benutzen.',
    useGlobal: 'Einen veröffentlichten Vertrag benutzen',
    codeHash: 'Hash seines Programms',
    codeOf: 'Veröffentlicht von',
    useGlobalWarning:
      'Das Programm jenes Kontos ersetzt, was auf diesem läuft, und kann alles damit tun. Wer es veröffentlicht hat, kann es ' +
      'jederzeit ändern.',
    initState: 'Ein Konto aus seinem Zustand anlegen',
    state: 'Zustand',
    removeKey: 'Einen Zugriffsschlüssel entfernen',
    key: 'Schlüssel',
    removeKeyWarning:
      'Wer diesen Schlüssel benutzt, verliert den Zugriff. Entfernst du deinen letzten Schlüssel, sperrst du dich für immer aus.',
    deleteAccount: 'Dieses Konto löschen',
    balanceTo: 'Guthaben geht an',
    deleteAccountWarning:
      'Das Konto und alles, was darauf gespeichert ist, sind für immer weg. Das lässt sich nicht rückgängig machen.',
    addFullKey: 'Einen Schlüssel mit vollem Zugriff anlegen',
    addFullKeyWarning:
      'Wer diesen Schlüssel hat, bestimmt ganz über das Konto: über sein Geld, seine Schlüssel, seine Löschung.',
    addCallKey: 'Einen Schlüssel für Aufrufe anlegen',
    mayCall: 'Darf aufrufen',
    methods: 'Methoden',
    everyMethod: 'Jede Methode',
    allowance: 'Gas-Guthaben',
    unlimited: 'Unbegrenzt',
    looseMethods:
      'Die App mit diesem Schlüssel darf jede Methode dieses Vertrags aufrufen. Sie fragt dich nichts, bis du den Schlüssel ' +
      'entfernst.',
    looseGas:
      'Die App mit diesem Schlüssel darf dein ganzes NEAR für Gas ausgeben. Sie fragt dich nichts, bis du den Schlüssel entfernst.',
    looseBoth:
      'Die App mit diesem Schlüssel darf jede Methode dieses Vertrags aufrufen und dein ganzes NEAR für Gas ausgeben. Sie fragt ' +
      'dich nichts, bis du den Schlüssel entfernst.',
    ownCallKeyWarning:
      'Dieser Schlüssel ruft das Konto auf, auf dem er liegt. Ein Vertrag dort gehorcht solchen Aufrufen wie denen des Kontos selbst: ' +
      'Wer den Schlüssel hat, kann vielleicht alles nehmen. Apps rufen ihre eigenen Verträge auf und brauchen so einen Schlüssel nicht.',
    exact: 'Genau',
    hideExact: 'Weniger genau',
  },
  glance: {
    label: 'Was es tut',
    stake: 'Stakt',
    calls: 'Ruft auf',
    also: 'Außerdem',
    at: '{what} auf {account}',
    atWith: '{what} auf {account}, mit {amount}',
    on: 'Auf {account}: {action}',
    with: '{action}, mit {amount}',
    deletes: '{action}. Sein Guthaben geht an {account}',
    send: 'Sendet',
    approve: 'Lässt nehmen',
    withdraw: 'Hebt ab',
    wrap: 'Verpackt',
    unwrap: 'Packt aus',
    'pay-storage': 'Für Speicher',
    'take-storage': 'Zurück vom Speicher',
    'close-storage': 'Speicher',
    unstake: 'Löst Stake',
    destroy: 'Vernichtet',
    closed: 'Wird geschlossen, seine Einlage kommt zurück',
    everything: 'Alles',
    whole: 'das ganze Guthaben bei {token}',
    destroys: 'Dies vernichtet, was {token} für dich verwahrt. Niemand kann es zurückbringen.',
    unreadable: 'Token',
    to: '{what} an {account}',
    for: '{what} für {account}',
    hasMessage: 'Der Empfänger bekommt eine Nachricht und kann danach handeln.',
    unlisted:
      'Bewegt Token durch {method}, auf eine Art, die wir nicht zeigen können. Brich ab, wenn du der Seite nicht vertraust.',
    token: 'das Token {token}',
    tokens: (amount) => `${amount} × das Token {token}`,
    units: (amount) => `${amount} Einheiten von {token}`,
    ownWords: (amount, decimals) =>
      `${amount} Einheiten von {token}, das nach eigenen Worten „{symbol}“ heißt und ${decimals} Dezimalstellen hat.`,
    noWorth: 'Der Vertrag hat nicht gesagt, was eine Einheit wert ist.',
    keptBy: 'Verwahrt von {token}',
    looksLike: 'Sieht aus wie ein anderes',
    firstTime: 'Zum ersten Mal',
    lookalike:
      '{account} sieht aus wie {other}, ist aber ein anderes Konto, das du von diesem Gerät nie bezahlt hast. Vergleiche jedes ' +
      'Zeichen.',
  },
  repeated: {
    title: 'Damit zahlst du vielleicht doppelt.',
    sent: (time) =>
      `Dieselbe Zahlung an {receiver} wurde um ${time} gesendet. Ob sie ankam, ist noch nicht bekannt.`,
    sentOneOf: (time, count) =>
      `Dieselbe Zahlung an {receiver} wurde um ${time} gesendet (eine von ${count} offenen, die diesen gleichen). Ob sie ankam, ` +
      'ist noch nicht bekannt.',
    byRelay: 'Ein Relay führt sie aus. Drücke Abbrechen und warte.',
    lookUp: 'Drücke Abbrechen und warte, oder sieh erst nach: {transaction}',
  },
  removed: {
    device: (number) => `Dies entfernt Gerät ${number}.`,
    thisDevice: (number) => `Dies entfernt Gerät ${number}, das vor dir liegt.`,
    registered: (date) =>
      `Registriert: ${date}. Es kann dann nicht mehr für {account} unterschreiben, und dein Browser darf seinen Passkey löschen: {passkey}`,
  },
  appKeys: {
    added: (end) =>
      `Der App-Schlüssel für {contract} gilt bis ${end}. Er wird entfernt, wenn du danach das nächste Mal etwas bestätigst.`,
    removed: (end) =>
      `Dein App-Schlüssel für {contract} ist abgelaufen: ${end}. Dies entfernt ihn auch aus deinem Konto.`,
  },
  recoveryKey:
    'Das fügt deinen Wiederherstellungsschlüssel hinzu. Wer seine zwölf Wörter hat, hat {account}, auch ohne deinen Passkey. Fahre nur fort, wenn die Wörter auf Papier stehen und nur du sie hast.',
  reading: {
    scroll: (confirm) => `Scrolle ans Ende, dann drücke ${confirm}.`,
    unfold: (confirm) => `Scrolle ans Ende und öffne, was zugeklappt ist, dann drücke ${confirm}.`,
    more: 'Mehr zeigen',
  },
  waiting: {
    title: 'Warten auf das Netz',
    lead: 'Die Wallet fragt NEAR ({network}), bevor es weitergehen kann.',
    label: 'Worauf das wartet',
    text: 'Nichts wurde unterschrieben oder gesendet. Mit der Antwort geht es von selbst weiter.',
    status: 'Noch keine Antwort…',
  },
  button: {
    send: 'Transaktion senden',
    whatSigned: 'Was das unterschreibt',
    details: 'Einzelheiten der Transaktion',
    sum: 'Du sendest {amount}',
    oneTransaction: '1 Transaktion',
    transactions: '{count} Transaktionen',
    signedBy: 'unterschrieben von {account}',
    bothSignedBy: '{what}, unterschrieben von {account}',
    byPress: 'Drücke den Knopf, um zu bestätigen.',
    byHold: 'Klicke den Knopf, um zu bestätigen, oder halte ihn und lass ihn los.',
    scroll: 'Scrolle ans Ende, um zu bestätigen.',
    to: 'An {account}',
    careful: 'Vorsicht.',
    note: 'Hinweis.',
    wholeText: 'Alle {count} Zeichen zeigen',
  },
  keyViewer: {
    title: 'Privaten Schlüssel exportieren',
    lead: 'Lies zuerst das hier. Der Schlüssel wird noch nicht gezeigt.',
    label: 'Was du gleich siehst',
    warnings: [
      [
        'Er ist das Konto.',
        'Wer diesen Schlüssel hat, kann alles darin nehmen, für immer und ohne deinen Passkey.',
      ],
      [
        'Gib ihn niemandem.',
        'Keine Website, App oder Hilfestelle braucht ihn jemals. Wer danach fragt, will dich bestehlen.',
      ],
      ['Sieh dich um.', 'Niemand darf deinen Bildschirm sehen, und nichts darf ihn aufzeichnen.'],
    ],
    account: 'Konto',
    network: 'Netzwerk',
    publicKey: 'Öffentlicher Schlüssel',
    cancel: 'Abbrechen',
    continue: 'Weiter mit Passkey',
    again: 'Noch einmal',
    busy: 'Folge der Passkey-Abfrage deines Browsers.',
    keyTitle: 'Dein privater Schlüssel',
    keyLead:
      'Er bleibt verborgen, bis du „Zeigen“ drückst. Diese Ansicht schließt sich nach 3 Minuten von selbst.',
    keyHere: 'Der Schlüssel ist da, verborgen.',
    privateKey: 'Privater Schlüssel',
    hidden: 'Privater Schlüssel, verborgen',
    show: 'Zeigen',
    hide: 'Verbergen',
    copy: 'Kopieren',
    done: 'Fertig',
    copied: 'Kopiert. Die Zwischenablage wird in {seconds} Sekunden geleert.',
    notCopied: 'Dein Browser lässt uns nicht kopieren. Drücke „Zeigen“ und kopiere ihn von Hand.',
    cleared: 'Die Zwischenablage ist geleert.',
    notCleared:
      'Dein Browser lässt uns die Zwischenablage nicht leeren. Kopiere etwas anderes über den Schlüssel.',
  },
  together: {
    title: 'Nachricht und Transaktion unterschreiben',
    lead: 'Eine Bestätigung für beides. Prüfe alles und bestätige mit deinem Passkey.',
    confirm: 'Beides bestätigen',
  },
  connect: {
    title: 'Konto verbinden',
    askedBy: '{site} fragt nach einem deiner Konten. Die Seite sieht das, das du wählst, und kein anderes.',
    thisPage: 'Diese Seite fragt nach einem deiner Konten. Sie sieht das, das du wählst.',
    besides: 'Sie bittet außerdem darum. Im nächsten Schritt siehst du alles davon und bestätigst es:',
    message: 'eine unterschriebene Nachricht',
    key: 'einen Schlüssel, der {contract} ohne Rückfrage aufruft',
    legend: 'Welches Konto?',
    newAccount: 'Ein neues Konto',
    recover: 'Ein Konto, das hier fehlt, mit seinem Passkey',
    name: 'Name des neuen Kontos',
    nameNeeded: 'Gib zuerst einen Namen ein.',
    confirm: 'Verbinden',
  },
  openedBy: {
    title: 'Deine Wallet',
    waits: 'Wartet auf die Seite, die dieses Fenster geöffnet hat…',
    works: '{site} hat dieses Fenster geöffnet. Es schließt sich von selbst, wenn die Anfrage erledigt ist.',
    unlockTitle: 'Konto öffnen',
    unlock: '{site} bittet um eine Unterschrift von {account}. Zuerst öffnet dein Passkey das Konto.',
    noOpenerTitle: 'Hier fragt keine Seite nach etwas',
    noOpener:
      'Eine Seite öffnet diese Adresse, um nach deinem Konto zu fragen. Dieses Fenster hat sie verloren oder wurde von Hand geöffnet. ' +
      'Schließ es und drücke dort noch einmal auf den Knopf.',
    noOpenerFix:
      'Ist es deine Seite? Sie darf {bad} nicht senden. Sende stattdessen {good}, damit das Fenster antworten kann.',
    notServedTitle: 'Dieser Seite kann nicht geantwortet werden',
    notServed:
      'Die Seite, die dieses Fenster geöffnet hat, hat keine eigene Adresse für eine Antwort (ihr Ursprung ist „{origin}“). Ihr wurde ' +
      'nichts gezeigt.',
    refusedTitle: 'Diese Seite darf diese Wallet nicht fragen',
    refused:
      'Der Betreiber dieser Wallet führt {origin} nicht unter den Seiten, die sich verbinden dürfen. Die Seite hat nichts von dir gesehen.',
  },
  walletPage: {
    linkLead: 'Lass dieses Gerät in eines deiner Konten.',
    linkLabel: 'Code zum Verknüpfen',
    createPasskey: 'Passkey anlegen',
    signsFor: '{account} unterschreibt für {host}',
    whatSigned: 'Was unterschrieben wird',
    send: (amount) => `${amount} senden`,
    windowTitle: 'Die Wallet braucht ein eigenes Fenster',
    windowNeeded:
      'In diesem Browser kann dich die Wallet nur im eigenen Fenster fragen. Das Fenster schließt sich von selbst.',
    windowBlocked:
      'Der Browser hat das Fenster blockiert. Erlaube Pop-ups für diese Seite, dann versuche es noch einmal.',
    windowOpen: 'Das Fenster ist offen. Mach dort weiter: Es schließt sich von selbst, und dies auch.',
    openWindow: 'Fenster öffnen',
    tryAgain: 'Noch einmal',
    showWindow: 'Fenster zeigen',
    create: 'Deinen Passkey anlegen',
    use: 'Deinen Passkey benutzen',
    prompt: 'Dein Browser fragt nach einem Passkey für {site}, für deine Anfrage in der App.',
    continue: 'Weiter mit Passkey',
    notAllowedTitle: 'Diese App darf diese Wallet nicht benutzen',
    notAllowedFix:
      'Ist es deine App: Bitte den Betreiber der Wallet, genau diese Herkunft in allowedHosts der Wallet oder in die Liste der ' +
      'Registry aufzunehmen.',
    inMemory: 'Dieser Browser behält dein Konto in dieser Seite nicht. Du benutzt jedes Mal deinen Passkey.',
    lostTitle: 'Hier gibt es nichts zu tun',
    lost: 'Dieses Fenster hat die Seite verloren, die es geöffnet hat. Schließe es, geh zurück, und drücke den Knopf noch einmal.',
    failedTitle: 'Diese Wallet konnte nicht starten',
  },
};
