import type { CheckTexts } from './english.js';

/** The texts of the page on which users try their own authenticators, in German. */
export const germanCheck: CheckTexts = {
  title: 'Prüfe deinen Passkey',
  lead: 'Finde heraus, ob ein Passkey von dir mit dieser Wallet funktioniert.',
  starting: 'Dein Browser wird gefragt, was er kann…',
  what: {
    title: 'Was diese Seite tut',
    makes:
      'Sie legt einen neuen Passkey „{name}“ an und fragt ihn dreimal. Jeder Schritt braucht eine Berührung.',
    safe: 'Sie benutzt kein Konto und kein Geld und lässt deine anderen Passkeys in Ruhe. Der neue Passkey öffnet nichts.',
    ends: 'Am Ende löscht sie diesen Passkey und zeigt einen Bericht. Nichts wird irgendwohin gesendet.',
  },
  nevertheless: 'Du kannst die Schritte trotzdem durchgehen. Der Bericht sagt dann, was dein Passkey tut.',
  steps: 'Schritte',
  progress: (step, all) => `Schritt ${step} von ${all}`,
  states: { done: 'erledigt', failed: 'ohne Antwort', now: 'jetzt', later: 'später' },
  create: {
    title: 'Einen Passkey anlegen',
    now: 'Dein Browser fragt, wo er ihn speichern soll: auf diesem Gerät, in einem Passwort-Manager, auf einem Sicherheitsschlüssel oder auf einem Telefon. Wähle, was du prüfen willst.',
    act: 'Passkey anlegen',
  },
  get: {
    title: 'Ihn fragen',
    now: 'Dein Browser fragt nach dem Passkey, den du gerade angelegt hast.',
    act: 'Passkey fragen',
  },
  'get again': {
    title: 'Ihn noch einmal fragen',
    now: 'Dasselbe noch einmal. Eine Wallet braucht einen Passkey, der jedes Mal gleich antwortet.',
    act: 'Noch einmal fragen',
  },
  'get unnamed': {
    title: 'Ohne seinen Namen fragen',
    now: 'Dein Browser zeigt vielleicht alle deine Passkeys dieser Website. Wähle „{name}“. Die Antwort eines anderen wird verworfen.',
    act: 'Meine Passkeys zeigen',
  },
  forget: { title: 'Ihn löschen' },
  running: 'Dein Browser fragt dich gerade. Antworte ihm dort.',
  cancel: 'Abbrechen',
  unanswered: 'Dieser Schritt endete ohne Antwort. Der Bericht hält das fest.',
  again: 'Noch einmal',
  goOn: 'Ohne ihn weiter',
  stop: 'Hier aufhören',
  verdict: {
    title: 'Ergebnis',
    one: 'Dieser Passkey funktioniert mit einer Abfrage.',
    oneMore: 'Ein neues Konto braucht eine Berührung, jede Unterschrift ebenso.',
    two: 'Dieser Passkey funktioniert mit zwei Abfragen.',
    twoMore: 'Ein neues Konto braucht zwei Berührungen, jede Unterschrift eine.',
    unnamedMore:
      'In jedem Browser braucht die erste Unterschrift zwei, weil dieser Passkey nur dort prüft, dass du es bist, wo er nicht benannt ist.',
    refused: 'Dieser Passkey ist nicht zu gebrauchen: {reason}',
    open: 'Die Prüfung kam nicht weit genug, um zu sagen, ob dieser Passkey funktioniert.',
    reasons: {
      PRF_MISSING: 'Er gibt kein Geheimnis, aus dem eine Wallet deine Schlüssel machen könnte.',
      PASSKEY_UNSTABLE: 'Er gibt jedes Mal andere Geheimnisse. Geld, das an sein Konto ginge, wäre verloren.',
      USER_NOT_VERIFIED: 'Er antwortet, ohne zu prüfen, dass du es bist.',
      PASSKEY_NOT_DISCOVERABLE:
        'Er wird ohne seinen Namen nicht gefunden. Ein Konto ließe sich mit ihm nicht wiederherstellen.',
    },
  },
  forgotten: {
    told: 'Dein Browser soll „{name}“ löschen. Taucht er noch auf, lösche ihn von Hand.',
    'cannot be told': 'In diesem Browser kann keine Seite einen Passkey löschen. Lösche „{name}“ von Hand.',
    none: 'Es wurde kein Passkey angelegt. Taucht „{name}“ trotzdem auf, lösche ihn von Hand.',
    where:
      'Suche {site} in deinem Passwort-Manager. Auf Apple-Geräten ist das die App Passwörter, auf Android und in Chrome der Google ' +
      'Passwortmanager, auf Windows „Hauptschlüssel“ in den Einstellungen unter Konten, und bei einem Sicherheitsschlüssel die App des Herstellers.',
  },
  report: {
    title: 'Bericht',
    lead: 'Füge ihn bitte in ein neues Issue des Latchkey-Repositorys ein, und nenne Modell und Version deines Geräts. So kommen echte Geräte in die Tabelle der Authenticators.',
    safe: 'Lies ihn vorher: Er nennt deinen Browser und deinen Authenticator und enthält kein Geheimnis und nichts, was den Passkey kenntlich macht.',
    copy: 'Bericht kopieren',
    copied: 'Kopiert',
    notCopied: 'Der Browser erlaubt hier kein Kopieren. Markiere den Text und kopiere ihn.',
    restart: 'Einen anderen Passkey prüfen',
  },
};
