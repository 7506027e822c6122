import {
  COMES_BACK_TEXT,
  type ErrorValues,
  filled,
  type LatchkeyErrorCode,
  QR_TEXTS,
  RECOVERY_PROMPT_TEXTS,
} from 'latchkey/internal';

/**
 * The errors that a user meets, in German. A name in braces is filled as in English. What only a developer meets, and any
 * message that came from a relay or a contract, stays as it is.
 */
export const germanErrors: Partial<Record<LatchkeyErrorCode, string>> = {
  // Allgemein
  CANCELLED: 'Der Vorgang wurde abgebrochen. Versuche es noch einmal, wenn du bereit bist.',
  UNKNOWN:
    'Es ist etwas Unbekanntes schiefgegangen ({operation}). Prüfe deine Verbindung und versuche es noch einmal.',
  OFFLINE:
    'Dieses Gerät ist offline. Deine Schlüssel und dein Geld sind sicher. Verbinde es, dann versuche es noch einmal.',
  INVALID_ACCOUNT_ID: 'Ungültige Konto-ID: {reason}',
  NEAR_RPC_FAILED: 'Die Anfrage an die Chain ist gescheitert: {reason}',
  VRF_REFRESH_FAILED: 'Der Stand der Chain ließ sich nicht erneuern',
  RPC_DISAGREEMENT:
    'Zwei Knoten der Chain haben verschieden geantwortet, und davon hängen deine Schlüssel ab: {first} und {second}. Einer ' +
    'irrt sich, darum wurde auf ihr Wort hin nichts getan. Versuche es später noch einmal, oder wähle andere Knoten.',
  TRANSACTION_FAILED: 'Die Chain hat die Transaktion abgelehnt: {reason}',
  WORKER_CLOSED: 'Die Wallet wurde beendet, bevor sie geantwortet hat',
  WORKER_TIMEOUT: 'Die Wallet hat nach {ms} ms noch nicht geantwortet',
  WORKER_FAILED: 'Ein Teil der Wallet ist gescheitert: {reason}',
  MODAL_TIMEOUT: 'Nach {seconds} s abgelaufen. Versuche es noch einmal',
  RELAY_UNREACHABLE: 'Der Relay-Server ist nicht zu erreichen: {reason}',
  CLICK_REQUIRED: 'Das braucht einen Klick in der Wallet selbst.',

  // Passkeys
  INSECURE_CONTEXT:
    'Passkeys brauchen eine sichere Seite (HTTPS oder localhost). {page} muss über HTTPS oder auf localhost geöffnet werden.',
  PASSKEYS_UNSUPPORTED:
    'Dieser Browser hat keine Passkeys (WebAuthn). Aktualisiere ihn, oder nimm einen anderen Browser.',
  IOS_OUTDATED:
    'Unter iOS {version} öffnet ein Passkey sein Konto nur auf diesem Gerät: Ein anderes, das seinen Code scannt, erhält ' +
    'andere Schlüssel. Aktualisiere auf iOS 18.4 oder neuer, bevor du ein Konto anlegst.',
  IN_APP_BROWSER:
    '{app} zeigt diese Seite in einem eigenen Browser, der einer Wallet keine Passkeys gibt. ' +
    'Öffne die Seite in {browser}. Hier ist nichts entstanden, und nichts ist verloren.',
  PRF_UNSUPPORTED:
    'Dieser Browser kann die PRF-Ergebnisse eines Passkeys nicht weitergeben, aus denen die Schlüssel entstehen. ' +
    'Aktualisiere ihn, oder nimm einen anderen Browser. Unter Windows: Aktualisiere auch Windows.',
  PRF_MISSING:
    '{operation} ist gescheitert, weil der Browser die nötigen PRF-Ergebnisse des Passkeys nicht geliefert hat. Manche ' +
    'mobilen Browser liefern sie nicht, wenn ein Passkey entsteht. Aktualisiere den Browser, oder nimm einen am Rechner.',
  PASSKEY_EXISTS: 'Für „{account}“ gibt es schon einen Passkey. Melde dich stattdessen an.',
  PAGE_NOT_FOCUSED: 'Die Seite hat nicht den Fokus. Klicke in die Seite und versuche es noch einmal.',
  REQUEST_PENDING:
    'Eine andere Passkey-Anfrage ist noch offen. Beende sie oder brich sie ab, dann versuche es noch einmal.',
  WEBAUTHN_FAILED: 'Die Passkey-Anfrage ist gescheitert: {reason}',
  USER_NOT_VERIFIED:
    'Dein Passkey hat geantwortet, ohne zu prüfen, dass du es bist. Es wurde nichts unterschrieben oder gesendet. ' +
    'Richte für deine Passkeys PIN, Fingerabdruck oder Gesicht ein, oder nimm einen anderen Passkey.',
  PASSKEY_UNSTABLE:
    'Der neue Passkey von {account} gibt bei jeder Abfrage andere Schlüssel und könnte das Konto nie wieder öffnen. Es ' +
    'wurde nichts registriert, und du kannst diesen Passkey löschen. Aktualisiere dein Gerät (ein iPhone auf iOS 18.4 ' +
    'oder neuer) und deinen Browser, oder nimm einen anderen Passkey.',
  PASSKEY_DIFFERS:
    'Diesmal hat der Passkey von {account} anders geantwortet als sonst und deinen Schlüssel nicht geöffnet. Es wurde ' +
    'nichts unterschrieben, gesendet oder geändert. Versuche es noch einmal in dem Browser und ' +
    'auf dem Gerät, mit denen du den Passkey angelegt hast (ein iPhone braucht iOS 18.4 oder neuer), oder nimm ein ' +
    'anderes Gerät dieses Kontos. Schicke kein Geld dorthin, solange es so bleibt.',
  PASSKEY_NOT_DISCOVERABLE:
    'Dieser Authenticator findet seine Passkeys nicht von selbst, also ließe sich dein Konto damit nicht wiederherstellen. ' +
    'Es wurde nichts registriert. Nimm einen anderen.',
  ANOTHER_PASSKEY:
    'Geantwortet hat ein anderer Passkey als der dieses Kontos. Es wurde nichts unterschrieben oder gesendet. Versuche es ' +
    'noch einmal, und wähle den richtigen.',
  INVALID_CREDENTIAL: 'Der Browser hat unvollständige Angaben zum Passkey geliefert: {reason}',
  POPUP_UNAVAILABLE:
    'Die Wallet konnte kein eigenes Fenster öffnen. Erlaube Pop-ups für diese Seite, dann versuche es noch einmal. Ging ein ' +
    'Fenster auf, so trennt diese Seite es ab: Sie muss den Header Cross-Origin-Opener-Policy: same-origin-allow-popups ' +
    'statt same-origin senden.',

  // Registrieren
  REGISTRATION_CANCELLED:
    'Die Registrierung wurde abgebrochen. Versuche es noch einmal, wenn du bereit bist.',
  USER_CANCELLED_REGISTRATION: 'Du hast die Registrierung abgebrochen',
  ACCOUNT_EXISTS: 'Das Konto {account} gibt es schon. Wähle einen anderen Namen.',
  REGISTRATION_CHECK_UNANSWERED: 'Die Prüfung der Registrierung ist gescheitert: {reason}',
  REGISTRATION_CHECK_FAILED: 'Das Verzeichnis hat die Registrierung nicht angenommen: {reason}',
  ATOMIC_REGISTRATION_FAILED: 'Die Registrierung ist gescheitert: {reason}',
  REGISTRATION_PENDING:
    'Was aus der Registrierung von {account} wurde, ist noch nicht bekannt. Nichts ist verloren: Es wird von selbst ' +
    'wieder nachgesehen, und vorher entsteht kein zweiter Passkey für dieses Konto.',
  REGISTRATION_NOT_STORED:
    'Das Konto {account} wurde angelegt, aber seine Daten konnten auf diesem Gerät noch nicht gespeichert werden. Seine ' +
    'Schlüssel sind hier aufbewahrt, und der Rest wird beim nächsten Start oder Versuch gespeichert. {reason}',
  REGISTRATION_MISMATCH:
    'Das Konto {account} wurde mit anderen Schlüsseln angelegt als denen dieses Geräts. Benutze es nicht, und melde das ' +
    'Relay {relay}.',

  // Anmelden
  LOGIN_CANCELLED: 'Die Anmeldung wurde abgebrochen. Versuche es noch einmal, wenn du bereit bist.',
  NOT_LOGGED_IN: 'Du bist nicht angemeldet. Melde dich zuerst an.',
  NO_LOCAL_ACCOUNT: 'Auf diesem Gerät gibt es keine Daten zu {account}. Registriere ein Konto.',
  NO_USER_DATA: 'Keine Daten zu {account} gefunden',
  NO_PUBLIC_KEY: 'Kein öffentlicher Schlüssel zu {account} gefunden. Registriere ein Konto.',
  NO_VRF_CREDENTIALS: 'Keine VRF-Daten zu {account} gefunden. Registriere ein Konto.',
  NO_AUTHENTICATORS: 'Kein Passkey zu {account} gefunden. Registriere dich.',
  NO_ACCOUNT_HERE:
    'Auf diesem Gerät ist noch kein Konto bekannt. Registriere eines, oder stelle hier zuerst eines wieder her oder verknüpfe es.',
  NO_ENCRYPTED_KEY: 'Kein verschlüsselter Schlüssel zu {account} gefunden',
  VRF_UNLOCK_FAILED: 'Die Sitzung ließ sich nicht öffnen',
  ACCOUNT_NOT_ON_CHAIN:
    'Das Konto {account} gibt es auf dieser Chain nicht (sie wurde vielleicht zurückgesetzt). Registriere ein neues Konto.',
  DEVICE_KEY_REMOVED:
    'Der Schlüssel dieses Geräts wurde aus {account} entfernt. Das Konto ist sicher. Verknüpfe dieses Gerät von einem anderen aus neu.',

  // Wiederherstellen
  RECOVERY_FAILED: 'Wiederherstellung gescheitert: {reason}',
  NO_RECOVERABLE_ACCOUNTS: 'Keine Konten zum Wiederherstellen gefunden',
  NO_PASSKEY_HERE:
    'Dieses Gerät hat keinen Passkey für diese Wallet. Liegt deiner auf einem Handy oder Sicherheitsschlüssel, stelle noch einmal wieder her.',
  AUTHENTICATOR_NOT_FOUND: 'Zu diesem Passkey ist nichts verzeichnet',
  PASSKEY_OF_ANOTHER_ACCOUNT: 'Der gewählte Passkey gehört zu {other}, nicht zu {account}',
  PASSKEY_NOT_OF_ACCOUNT: 'Das Konto {account} wurde nicht mit diesem Passkey angelegt',

  // Unterschreiben
  INTENT_DIGEST_MISMATCH:
    'Was gezeigt wurde, ist nicht, was unterschrieben würde. Es wurde nichts unterschrieben.',
  UI_DIGEST_VALIDATION_FAILED:
    'Der Fingerabdruck dessen, was gezeigt wird, ließ sich nicht berechnen. Es wurde nichts unterschrieben.',
  UI_DIGEST_MISMATCH:
    'Die Transaktion hat sich geändert, nachdem der Knopf sie gezeigt hat. Es wurde nichts unterschrieben. Sieh sie noch ' +
    'einmal an, dann bestätige.',
  BUTTON_CLICK_REQUIRED:
    'Der Transaktionsknopf hat eine Bestätigung ohne deinen Klick gemeldet. Es wurde nichts unterschrieben.',
  BUTTON_FAILED: 'Der Transaktionsknopf ließ sich nicht zeigen: {reason}',
  TRANSACTION_CANCELLED: 'Du hast die Transaktion abgebrochen',
  TRANSACTION_NOT_EXECUTED: 'Die Transaktion wurde nicht ausgeführt',
  VERIFICATION_FAILED: 'Das Verzeichnis hat diesen Passkey nicht anerkannt. Es wurde nichts gesendet.',
  BATCH_SIGNING_FAILED: 'Die Transaktionen ließen sich nicht unterschreiben',
  INSUFFICIENT_BALANCE:
    '{account} hat {balance} NEAR frei, und hierfür sind {needed} NEAR für Gas und Einlage nötig.{reason} Sende dem ' +
    'Konto etwas NEAR, dann versuche es noch einmal.',
  NOT_SENT: 'Nicht gesendet, weil eine frühere Transaktion des Stapels gescheitert ist.',
  APP_KEY_GONE:
    'Der App-Schlüssel von {account} für {receiver} ist nicht mehr im Konto: Er wurde entzogen. Mache einen neuen.',
  APP_KEY_ALLOWANCE:
    'Das Budget des App-Schlüssels {publicKey} reicht für diesen Aufruf nicht. Entziehe ihn und mache einen neuen.',

  // Schlüssel zeigen
  NO_LOCAL_KEY_MATERIAL:
    'Auf diesem Gerät gibt es keine Schlüssel für dieses Konto. Schließe hier zuerst die Registrierung oder ' +
    'Wiederherstellung ab.',
  RECOVERY_PHRASE_LENGTH:
    'Eine Wiederherstellungsphrase hat 12 Wörter, und das sind {count}. Gib alle ein, in ihrer Reihenfolge.',
  RECOVERY_PHRASE_WORD:
    'Wort {position} kommt in Wiederherstellungsphrasen nicht vor. Prüfe, wie es geschrieben ist.',
  RECOVERY_PHRASE_CHECKSUM:
    'Diese 12 Wörter gehören nicht zusammen: Eines ist ein anderes Wort, oder die Reihenfolge stimmt nicht. Vergleiche sie mit ' +
    'dem, was du aufgeschrieben hast.',
  RECOVERY_PHRASE_NOT_OF_ACCOUNT:
    'Diese Wörter öffnen {account} nicht: Das Konto hat ihren Schlüssel nicht. Prüfe den Namen und die Wörter. Das Konto ist, ' +
    'wie es war.',
  RECOVERY_PHRASE_LIMITED:
    'Der Schlüssel dieser Wörter gehört zu {account}, aber ohne vollen Zugriff. Darum kann er keinen Passkey hereinlassen. Das ' +
    'Konto ist, wie es war. Nimm die Wörter eines Schlüssels mit vollem Zugriff.',
  RECOVERY_PHRASE_NOT_USED:
    'Der neue Passkey kam nicht an {account}: {reason}. Das Konto ist, wie es war, die Wörter öffnen es weiterhin, und der ' +
    'Passkey, der dafür entstand, wurde verworfen. Versuche es noch einmal.',
  RECOVERY_PHRASE_IN_DOUBT:
    'Es ist noch nicht bekannt, ob {account} den Schlüssel des neuen Passkeys hat. Das Konto ist sicher, und die Wörter öffnen es ' +
    'weiterhin. Versuche es mit denselben Wörtern noch einmal: Ein zweiter Passkey ist nicht nötig.',
  RECOVERY_KEY_NOT_ADDED:
    'Der Wiederherstellungsschlüssel kam nicht an {account}: {reason}. Das Konto ist, wie es war. Die Wörter, die du ' +
    'aufgeschrieben hast, öffnen nichts: Vernichte sie, und lass neue machen.',
  RECOVERY_KEY_IN_DOUBT:
    'Es ist noch nicht bekannt, ob {account} den Wiederherstellungsschlüssel hat: {reason}. Behalte die Wörter. Sie öffnen das ' +
    'Konto, sobald die Liste der Geräte den Wiederherstellungsschlüssel {key} zeigt. Kommt er nie, dann vernichte sie, und lass ' +
    'neue machen.',
  EXPORT_NEAR_KEYPAIR_UI_FAILED:
    'Die Schlüsselansicht ließ sich nicht benutzen: {reason}. Lade die Seite neu und versuche es noch einmal.',
  SEALED_KEY_UNUSABLE:
    'Der Schlüssel {publicKey}, der auf diesem Gerät liegt, lässt sich nicht öffnen: Er wurde verändert, oder der Browser ' +
    'hat verloren, was ihn schützt. Mache einen neuen.',

  // Geräte verknüpfen
  SESSION_EXPIRED: 'Die Verknüpfung ist abgelaufen',
  AUTHORIZATION_TIMEOUT: 'Das Gerät ließ sich nicht scannen und verknüpfen: {reason}',
  LINKER_NOT_LOGGED_IN: 'Das erste Gerät muss angemeldet sein, um ein weiteres zu verknüpfen',
  ACCOUNT_NOT_FOUND: 'Das Konto {account} gibt es auf der Chain nicht',
  LINK_KEY_KNOWN:
    'Dieser Code wurde schon benutzt: Sein Schlüssel ist im Konto {account} oder wird gerade hinzugefügt. Zeige auf dem ' +
    'anderen Gerät einen neuen Code, dann scanne diesen.',
  LINK_UNDONE:
    'Das andere Gerät wurde nicht hereingelassen, und sein Schlüssel wurde dem Konto wieder genommen. Versuche es noch ' +
    'einmal. ({reason})',
  LINK_IN_DOUBT:
    'Es ist noch nicht bekannt, ob das andere Gerät hereingelassen wurde. Wenn nicht, wird sein Schlüssel dem Konto wieder ' +
    'genommen, sobald die Chain antwortet; bis dahin steht er in der Liste der verknüpften Geräte. ({reason})',
  LINK_KEY_GONE:
    'Der Schlüssel dieses Geräts ist nicht mehr in {account}: Das andere Gerät nimmt einen unbenutzten Schlüssel {seconds} Sekunden ' +
    'nach dem Scannen zurück. Hier wurde nichts geändert. Zeige einen neuen Code.',
  LINK_PENDING:
    'Die Verknüpfung dieses Geräts mit {account} ist nicht fertig ({reason}). Nichts ist verloren: Sie geht beim nächsten ' +
    'Start weiter.',
  LINK_SEALED: 'Die Verknüpfung dieses Geräts mit {account} geht mit seinem Passkey weiter.',
  LINK_NOT_FOUND: 'Auf diesem Gerät ist keine Verknüpfung mit {account} offen.',
  LINK_BUSY:
    'Ein anderer Tab dieser Seite verknüpft dieses Gerät gerade. Beende es dort oder brich es ab, dann versuche es noch einmal.',
  LINK_CODE_REFUSED:
    'Diese Wallet nimmt von {page} keinen Code eines neuen Geräts: Sie scannt selbst (scanAndLinkDevice), außer wenn ihr Betreiber ' +
    'die Seite in linkCodeHosts aufführt.',
  PASSKEY_SYNCED:
    'Ein Passkey von {account} ist schon auf diesem Gerät, von einem anderen synchronisiert. Stelle das Konto damit wieder ' +
    'her: Verknüpfen ist nicht nötig.',
  LINK_DEVICE_INIT_FAILED: 'Die Verknüpfung dieses Geräts ließ sich nicht beginnen. Versuche es noch einmal.',
  AUTHENTICATORS_FAILED: 'Die verknüpften Geräte ließen sich nicht laden',
  LAST_ACCESS_KEY: 'Der letzte Schlüssel eines Kontos lässt sich nicht entfernen',
  LAST_FULL_ACCESS_KEY: 'Der letzte Schlüssel mit vollem Zugriff lässt sich nicht entfernen',
  ACCESS_KEY_NOT_FOUND: 'Der Schlüssel {key} ist nicht im Konto {account}',
  LAST_DEVICE:
    'Das letzte registrierte Gerät eines Kontos lässt sich nicht entfernen. Verknüpfe zuerst ein anderes, dann entferne dieses von dort.',
  OWN_DEVICE_KEY:
    'Das ist der Schlüssel des Geräts, das du gerade benutzt. Entferne ihn von einem anderen Gerät aus, das mit dem Konto verknüpft ist.',
  DEVICE_KEY_LEFT:
    'Die Registrierung des Geräts ist entfernt, aber sein Schlüssel ließ sich nicht löschen und kann weiter unterschreiben. ' +
    'Entferne es noch einmal, um fertig zu werden. ({reason})',

  // Kamera
  CAMERA_ACCESS_FAILED: 'Kein Zugriff auf die Kamera: {reason}',
  CAMERA_DEVICES_FAILED: 'Die Kameras ließen sich nicht finden',
  CAMERA_SCAN_TIMEOUT: 'In {ms} ms wurde kein QR-Code gefunden',
  QR_NOT_FOUND:
    'In diesem Bild ist kein QR-Code zu finden. Wähle eines, das den ganzen Code zeigt, oder nimm es aus der Nähe auf.',
  QR_FILE_UNREADABLE: 'Diese Datei ist kein Bild, das der Browser lesen kann. Wähle eine andere.',
  QR_DECODER_FAILED:
    'Der QR-Leser ließ sich nicht laden: {reason}. Prüfe deine Verbindung, dann versuche es noch einmal.',

  // Speicher
  STORAGE_FAILED:
    'Die lokale Datenbank ließ sich nicht benutzen ({reason}). Lade die Seite neu; hilft das nicht, starte den Browser neu.',
  STORAGE_UNAVAILABLE:
    'Dieser Browser oder dieses Fenster hat kein IndexedDB, wo die verschlüsselten Schlüssel liegen. Aktualisiere den ' +
    'Browser, oder öffne die Seite in einem gewöhnlichen Fenster.',
  STORAGE_DENIED:
    'Der Browser lässt diese Seite keine Daten behalten. Verlasse das private Fenster, oder erlaube Cookies und Websitedaten ' +
    'für diese Seite, dann lade sie neu.',
  STORAGE_FULL:
    'Für die Daten dieser Seite ist kein Platz mehr, und von diesem Schritt wurde nichts gespeichert. Mache Speicher frei, ' +
    'oder lösche die Daten anderer Seiten, dann versuche es noch einmal.',
  STORAGE_NEWER: 'Hier wurde eine neuere Version der Wallet benutzt. Lade die Seite neu, um sie zu bekommen.',
  STORAGE_BLOCKED:
    'Ein anderer Tab hält eine ältere Version der Wallet offen. Schließe die anderen Tabs dieser Seite, dann versuche es hier ' +
    'noch einmal: Nichts ist verloren.',
  STORAGE_INTERRUPTED:
    'Der Browser hat die lokale Datenbank unterbrochen, und von diesem Schritt wurde nichts gespeichert. Versuche es noch einmal.',

  // Der Rahmen der Wallet
  WALLET_FRAME_TIMEOUT: 'Die Wallet war nicht rechtzeitig bereit',
  WALLET_FRAME_UNREACHABLE:
    'Die Wallet unter {origin} ist nicht zu erreichen. Deine Schlüssel und dein Geld sind sicher. Prüfe deine Verbindung, ' +
    'oder ob ein Blocker in diesem Browser sie aufhält, dann versuche es noch einmal.',
  WALLET_FRAME_LOST:
    'Die Seite der Wallet wurde geschlossen oder neu geladen, bevor sie geantwortet hat. Versuche es noch einmal.',
  REQUEST_TIMEOUT: 'Die Wallet hat nicht rechtzeitig geantwortet ({type})',
  HOST_NOT_ALLOWED:
    'Die Seite {origin} darf diese Wallet nicht benutzen. Ihr Betreiber kann die Adresse auf die Liste der Seiten setzen.',
  HOST_BUSY: '{count} Anfragen dieser Seite warten schon auf dich. Beantworte zuerst eine.',
  HOST_PAUSED:
    'Du hast mehrere Anfragen von {origin} hintereinander abgelehnt, darum fragt die Wallet jetzt nicht für sie. Versuche es ' +
    'in {seconds} Sekunden noch einmal.',
  HOST_STOPPED:
    'Du hast die Anfragen von {origin} gestoppt. In den Einstellungen der Wallet kannst du sie wieder erlauben; sonst fragt ' +
    'die Wallet nach einem Tag wieder.',
  HOST_ERROR: 'Fehler der Wallet',
};

const germanQr: Record<keyof typeof QR_TEXTS, string> = {
  notJson: 'Der QR-Code hat nicht die Form eines Verknüpfungscodes',
  url: 'Der QR-Code enthält eine Adresse und keinen Verknüpfungscode',
  nearKey: 'Der QR-Code enthält einen NEAR-Schlüssel und keinen Verknüpfungscode',
  noKey: 'Im Code fehlt der öffentliche Schlüssel des Geräts',
  badKey: 'Der öffentliche Schlüssel des Geräts hat nicht die richtige Form',
  noTimestamp: 'Im Code fehlt die Zeit',
  badTimestamp: 'Die Zeit im Code ist ungültig: Sie muss in Millisekunden seit 1970 stehen',
  future: 'Der QR-Code ist aus der Zukunft. Prüfe die Uhren beider Geräte, dann zeige einen neuen Code',
  expired: 'Der QR-Code ist abgelaufen',
  missed:
    'Dieses Gerät hat so lange geruht oder war so lange offline, dass es nicht weiß, ob der Code gescannt wurde. Zeige ' +
    'einen neuen Code.',
  badVersion: 'Diese Version des QR-Codes ist unbekannt. Aktualisiere die Wallet auf beiden Geräten',
};

const germanPrompts: Record<keyof typeof RECOVERY_PROMPT_TEXTS, string> = {
  notAllowed: 'Der Passkey wurde abgebrochen oder lief ab.',
  aborted: 'Die Anmeldung mit dem Passkey wurde abgebrochen.',
  timedOut: 'Der Passkey lief ab. Versuche es noch einmal.',
  security: 'Sicherheitsfehler. Öffne eine sichere Seite (HTTPS).',
  noMatch: 'Kein passender Passkey für dieses Konto gefunden.',
};

/** The German text of an error; undefined where there is none. `values` are absent where the message is not the code's text. */
export function germanError(
  code: string | undefined,
  message: string,
  values: ErrorValues | undefined,
): string | undefined {
  const wasExecuted = code === 'TRANSACTION_FAILED' && values?.fate === 'failed';
  const text = wasExecuted ? GERMAN_EXECUTED : germanErrors[code as LatchkeyErrorCode];
  if (!values || text === undefined) return sentence(message);
  const { reason = '', ...others } = values;
  return filled(text, { ...others, reason: sentence(String(reason)) ?? reason });
}

/** Of a whole sentence that stands in several errors. */
function sentence(english: string): string | undefined {
  return SENTENCES.get(english);
}

const GERMAN_EXECUTED = 'Die Chain hat die Transaktion ausgeführt, und sie ist gescheitert: {reason}';

const SENTENCES: ReadonlyMap<string, string> = new Map([
  [COMES_BACK_TEXT, ' Das meiste davon kommt zurück.'],
  ...pairs(QR_TEXTS, germanQr),
  ...pairs(RECOVERY_PROMPT_TEXTS, germanPrompts),
]);

function pairs<Name extends string>(
  english: Readonly<Record<Name, string>>,
  translated: Readonly<Record<Name, string>>,
): [string, string][] {
  return (Object.keys(english) as Name[]).map((name) => [english[name], translated[name]]);
}
