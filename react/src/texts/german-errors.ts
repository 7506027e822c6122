import type { ErrorValues } from 'latchkey';
import { COMES_BACK_TEXT } from 'latchkey/internal';
import { type Headlines, headlineOf } from './headlines.js';

const SITE_FAULT =
  'Diese Seite ist falsch eingerichtet, darum ist nichts geschehen. Deine Konten sind unberührt. Nur ihr Betreiber kann das beheben.';
const SITE_ASKED_WRONG =
  'Diese Seite verlangt etwas, das die Wallet nicht kann. Es wurde nichts unterschrieben. Nur ihr Betreiber kann das beheben.';
const SITE_NOT_SET_UP = [
  '{origin} ist für diese Wallet nicht eingerichtet. Nur der Betreiber kann das ändern. Deine Konten sind unberührt.',
  'Diese Seite ist für die Wallet nicht eingerichtet. Nur der Betreiber kann das ändern. Deine Konten sind unberührt.',
] as const;
const UNKNOWN_HERE =
  'Dieser Browser kennt das Konto nicht. Das Konto ist sicher. Stelle es mit deinem Passkey, einem verknüpften Gerät oder deiner ' +
  'Wiederherstellungsphrase wieder her.';
const WALLET_STOPPED =
  'Ein Teil der Wallet ist ausgefallen. Deine Schlüssel sind sicher. Lade die Seite neu und versuche es noch einmal.';
const KEYS_NOT_MADE =
  'Die Wallet konnte deine Schlüssel nicht erzeugen. Es ist nichts entstanden. Lade die Seite neu und versuche es noch einmal.';
const PASSKEY_NOT_ASKED =
  'Die Wallet konnte die Frage nach deinem Passkey nicht vorbereiten. Es ist nichts geschehen. Versuche es noch einmal.';
const PASSKEYS_LACK =
  'Den Passkeys dieses Browsers fehlt etwas, das diese Wallet braucht. Aktualisiere ihn, oder nimm einen anderen Browser.';
const SWITCHED_OFF = 'Auf dieser Seite zu deiner Sicherheit abgeschaltet.';
const LAST_KEY =
  'Das ist der letzte Schlüssel deines Kontos. Ohne ihn wärst du ausgesperrt, darum bleibt er. Verknüpfe zuerst ein anderes Gerät.';
const OTHER_NETWORK =
  'Das gilt für ein anderes Netz. Es wurde nichts unterschrieben. Wechsle das Netz in der App und versuche es noch einmal.';
const BUTTON_UNCHECKED =
  'Die Wallet konnte nicht prüfen, was der Knopf zeigt. Es wurde nichts unterschrieben. Lade die Seite neu und versuche es noch einmal.';
const NOT_SAVED =
  'Deine Einstellungen ließen sich nicht speichern. Es hat sich nichts geändert. Versuche es noch einmal.';
const SOMETHING =
  'Etwas ist schiefgegangen. Deine Schlüssel sind sicher. Prüfe deine Verbindung, dann versuche es noch einmal.';

/** The headlines of {@link englishHeadlines} in German. */
export const germanHeadlines: Headlines = {
  // Everywhere
  NO_BROWSER: SITE_FAULT,
  WALLET_FRAME_ONLY: SITE_FAULT,
  MISSING_RELAYER_URL: SITE_FAULT,
  INSECURE_CONTEXT:
    'Passkeys brauchen eine sichere Seite. Es ist nichts geschehen. Öffne diese Seite mit https://.',
  INVALID_CONFIG: SITE_FAULT,
  INVALID_RPC_URL: SITE_FAULT,
  INVALID_ACCOUNT_ID: 'So kann kein Konto heißen. Es ist nichts geschehen. Prüfe die Schreibweise.',
  INVALID_AMOUNT:
    'Mit diesem Betrag kann die Wallet nichts anfangen. Es wurde nichts gesendet. Prüfe die Zahl.',
  CANCELLED: 'Der Vorgang wurde abgebrochen. Versuche es noch einmal, wenn du bereit bist.',
  REGISTRATION_CANCELLED:
    'Die Registrierung wurde abgebrochen. Versuche es noch einmal, wenn du bereit bist.',
  LOGIN_CANCELLED: 'Die Anmeldung wurde abgebrochen. Versuche es noch einmal, wenn du bereit bist.',
  PRF_MISSING: PASSKEYS_LACK,
  WORKER_CLOSED:
    'Die Wallet ging zu, bevor sie fertig war. Deine Schlüssel sind sicher. Sieh in deinen Vorgängen nach, bevor du eine Zahlung ' +
    'wiederholst.',
  UI_DIGEST_VALIDATION_FAILED:
    'Die Wallet konnte nicht prüfen, was sie dir gezeigt hat. Es wurde nichts unterschrieben. Versuche es noch einmal.',
  NEAR_RPC_FAILED:
    'Das Netz hat nicht geantwortet. Deine Schlüssel und dein Geld sind sicher. Versuche es gleich noch einmal.',
  OFFLINE:
    'Dieses Gerät ist offline. Deine Schlüssel und dein Geld sind sicher. Verbinde es, dann versuche es noch einmal.',
  RPC_DISAGREEMENT:
    'Zwei Server des Netzes sind sich über dein Konto uneins, darum ist nichts geschehen. Versuche es später noch einmal.',
  TRANSACTION_FAILED:
    'Das Netz hat diese Transaktion abgelehnt, es floss also kein Geld. Prüfe, was sie verlangt, dann versuche es noch einmal.',
  UNKNOWN: SOMETHING,

  // Arguments and configuration
  INVALID_ACTION: SITE_ASKED_WRONG,
  NO_PAYLOADS: SITE_ASKED_WRONG,
  NO_TRANSACTIONS: SITE_ASKED_WRONG,
  PASSKEYS_UNSUPPORTED:
    'Dieser Browser hat keine Passkeys. Deine Konten sind unberührt. Aktualisiere ihn, oder nimm einen anderen Browser.',
  PASSKEYS_FORBIDDEN_HERE:
    'Diese Seite erlaubt der Wallet keine Passkeys. Deine Konten sind unberührt. Nur ihr Betreiber kann das ändern.',
  PRF_UNSUPPORTED: PASSKEYS_LACK,
  RP_ID_MISMATCH: SITE_FAULT,
  NO_CONFIRMER: SITE_FAULT,
  CLICK_REQUIRED: SITE_FAULT,
  MISSING_PAYLOAD: SITE_ASKED_WRONG,
  UNSUPPORTED_CONFIRMATION: SITE_ASKED_WRONG,

  // Passkeys
  USER_CANCELLED_REGISTRATION:
    'Du hast abgebrochen. Es ist nichts entstanden. Versuche es noch einmal, wenn du bereit bist.',
  PASSKEY_EXISTS: [
    'Du hast schon einen Passkey für {account}. Melde dich damit an.',
    'Du hast schon einen Passkey für dieses Konto. Melde dich damit an.',
  ],
  PAGE_NOT_FOCUSED:
    'Der Browser verlangt zuerst einen Klick. Es ist nichts geschehen. Klicke in die Seite, dann versuche es noch einmal.',
  REQUEST_PENDING:
    'Eine andere Passkey-Abfrage ist noch offen. Beende oder schließe sie, dann versuche es noch einmal.',
  WEBAUTHN_FAILED:
    'Dein Passkey ließ sich nicht benutzen. Es wurde nichts unterschrieben oder gesendet. Versuche es noch einmal.',
  USER_NOT_VERIFIED:
    'Dein Passkey hat nicht geprüft, dass du es bist. Es wurde nichts unterschrieben oder gesendet. Richte für ihn PIN, ' +
    'Fingerabdruck oder Gesicht ein, oder nimm einen anderen Passkey.',
  PASSKEY_DIFFERS:
    'Dein Passkey hat diesmal anders geantwortet, darum ist nichts geschehen. Nimm den Browser und das Gerät, auf dem du ihn ' +
    'angelegt hast, oder ein verknüpftes Gerät. Sende kein Geld an dieses Konto, bis das gelingt.',
  ANOTHER_PASSKEY:
    'Das war der Passkey eines anderen Kontos. Es wurde nichts unterschrieben oder gesendet. Versuche es noch einmal, und wähle den ' +
    'richtigen.',
  INVALID_CREDENTIAL:
    'Die Antwort deines Passkeys war unvollständig, darum ist nichts geschehen. Aktualisiere den Browser, oder nimm einen anderen.',

  // Registration
  REGISTRATION_CHECK_FAILED:
    'Das Konto ließ sich nicht anlegen. Du hast nichts ausgegeben. Versuche es noch einmal, oder wähle einen anderen Namen.',
  REGISTRATION_PENDING: [
    'Wir wissen noch nicht, ob {account} angelegt wurde. Dein Passkey ist sicher. Wir sehen weiter nach; lege es nicht noch einmal an.',
    'Wir wissen noch nicht, ob das Konto angelegt wurde. Dein Passkey ist sicher. Wir sehen weiter nach; lege es nicht noch einmal an.',
  ],
  PASSKEY_UNSTABLE:
    'Der neue Passkey könnte das Konto nicht wieder öffnen, darum ist nichts entstanden. Lösche ihn, aktualisiere Gerät und Browser, ' +
    'oder nimm einen anderen Passkey.',
  PASSKEY_NOT_DISCOVERABLE:
    'Dieses Passkey-Gerät findet seine Passkeys nicht von selbst, darum ließe sich dein Konto damit nicht wiederherstellen. Es ist nichts ' +
    'entstanden. Nimm ein anderes.',
  ACCOUNT_EXISTS: [
    '{account} ist vergeben. Es ist nichts entstanden. Wähle einen anderen Namen.',
    'Dieser Name ist vergeben. Es ist nichts entstanden. Wähle einen anderen.',
  ],
  REGISTRATION_CHECK_UNANSWERED:
    'Das Netz hat nicht geantwortet, darum ist nichts entstanden. Versuche es gleich noch einmal.',
  ATOMIC_REGISTRATION_FAILED:
    'Das Konto ließ sich nicht anlegen. Du hast nichts ausgegeben. Versuche es noch einmal.',
  REGISTRATION_NOT_STORED: [
    '{account} wurde angelegt, aber dieser Browser konnte noch nicht alles speichern. Die Schlüssel sind hier sicher. Öffne die Wallet ' +
      'noch einmal, um fertig zu werden.',
    'Das Konto wurde angelegt, aber dieser Browser konnte noch nicht alles speichern. Die Schlüssel sind hier sicher. Öffne die Wallet ' +
      'noch einmal, um fertig zu werden.',
  ],
  REGISTRATION_MISMATCH: [
    'Benutze {account} nicht: Es hat fremde Schlüssel. Sende nichts dorthin, und wähle einen anderen Namen. Melde es dem Support: {relay}.',
    'Benutze dieses Konto nicht: Es hat fremde Schlüssel. Sende nichts dorthin, wähle einen anderen Namen, und melde es dem Support.',
  ],
  NO_ACCOUNT_HERE:
    'In diesem Browser gibt es noch kein Konto. Lege eines an, oder stelle deines wieder her oder verknüpfe es.',
  VRF_BOOTSTRAP_FAILED: KEYS_NOT_MADE,
  VRF_DERIVATION_FAILED: KEYS_NOT_MADE,
  VRF_ENCRYPT_FAILED: KEYS_NOT_MADE,

  // Login and session
  NOT_LOGGED_IN:
    'Du bist nicht angemeldet, darum ist nichts geschehen. Melde dich an, dann versuche es noch einmal.',
  NO_LOCAL_ACCOUNT: UNKNOWN_HERE,
  NO_USER_DATA: UNKNOWN_HERE,
  NO_PUBLIC_KEY: UNKNOWN_HERE,
  NO_VRF_CREDENTIALS: UNKNOWN_HERE,
  NO_AUTHENTICATORS: UNKNOWN_HERE,
  NO_ENCRYPTED_KEY: UNKNOWN_HERE,
  NO_LOCAL_KEY_MATERIAL:
    'Dieser Browser hat keinen Schlüssel des Kontos. Das Konto ist sicher. Lege es hier zuerst fertig an, oder stelle es wieder her.',
  VRF_UNLOCK_FAILED:
    'Dein Konto ließ sich nicht öffnen. Nichts ist verloren. Versuche es noch einmal, und wähle den Passkey dieses Kontos.',
  ACCOUNT_NOT_ON_CHAIN:
    'Dieses Konto gibt es in diesem Netz nicht; ein Testnetz wurde vielleicht zurückgesetzt. Lege ein neues Konto an.',
  DEVICE_KEY_REMOVED:
    'Dieses Gerät wurde vom Konto entfernt. Das Konto ist sicher. Verknüpfe das Gerät von einem anderen aus noch einmal.',

  // Recovery
  RECOVERY_FAILED:
    'Die Wiederherstellung gelang nicht. Dein Konto ist sicher. Versuche es noch einmal, oder nimm ein verknüpftes Gerät oder deine ' +
    'Wiederherstellungsphrase.',
  NO_RECOVERABLE_ACCOUNTS:
    'Zu diesem Passkey wurde kein Konto gefunden. Deine Konten sind sicher. Nimm einen anderen Passkey, ein verknüpftes Gerät oder deine ' +
    'Wiederherstellungsphrase.',
  NO_PASSKEY_HERE:
    'Dieses Gerät hat keinen Passkey für diese Wallet. Liegt deiner auf einem Handy oder Sicherheitsschlüssel, stelle noch einmal wieder her.',
  AUTHENTICATOR_NOT_FOUND:
    'Dieser Passkey öffnet hier kein Konto. Deine Konten sind sicher. Wähle einen anderen Passkey.',
  PASSKEY_OF_ANOTHER_ACCOUNT: [
    'Dieser Passkey öffnet {other}, nicht {account}. Es hat sich nichts geändert. Wähle den anderen Passkey.',
    'Dieser Passkey öffnet ein anderes Konto. Es hat sich nichts geändert. Wähle den Passkey von diesem.',
  ],
  PASSKEY_NOT_OF_ACCOUNT:
    'Dieser Passkey öffnet das Konto nicht. Das Konto ist sicher. Wähle einen anderen Passkey.',
  REGISTRY_RECORD_MISMATCH:
    'Der Eintrag deines Kontos passt nicht zu diesem Passkey. Es wurde nichts gespeichert. Versuche es später noch einmal.',

  // The server that helps to unlock, and what precedes each passkey prompt
  VRF_CHALLENGE_FAILED: PASSKEY_NOT_ASKED,
  VRF_REFRESH_FAILED: PASSKEY_NOT_ASKED,
  SERVER_LOCK_FAILED:
    'Der Server der Wallet konnte beim Öffnen deines Kontos nicht helfen. Deine Schlüssel sind sicher. Melde dich mit deinem Passkey an.',
  SERVER_LOCK_MISMATCH:
    'Der Server der Wallet ist nicht der, den diese Wallet kennt, darum wurde er nicht benutzt. Deine Schlüssel sind sicher. Melde dich ' +
    'mit deinem Passkey an.',

  // Signing
  INTENT_DIGEST_MISMATCH:
    'Was du gesehen hast, ist nicht, was unterschrieben würde. Es wurde nichts unterschrieben. Sieh dir die Anfrage noch einmal an.',
  VERIFICATION_FAILED:
    'Dein Passkey wurde nicht anerkannt. Es wurde nichts gesendet. Versuche es noch einmal.',
  BATCH_SIGNING_FAILED:
    'Diese Transaktionen ließen sich nicht unterschreiben. Es wurde nichts gesendet. Versuche es noch einmal.',
  SIGNING_FAILED: 'Das ließ sich nicht unterschreiben. Es wurde nichts gesendet. Versuche es noch einmal.',
  NOT_SENT: 'Nicht gesendet, weil eine frühere Transaktion gescheitert ist. Du kannst es noch einmal senden.',
  SEALED_KEY_UNUSABLE:
    'Ein Schlüssel, den dieser Browser aufbewahrt, lässt sich nicht mehr öffnen. Dein Konto ist sicher. Gib der App noch einmal Zugriff.',
  INSUFFICIENT_BALANCE: [
    'Du hast {balance} NEAR; nötig sind bis zu {needed}.{reason} Lade NEAR auf, dann versuche es noch einmal.',
    'Du hast dafür zu wenig NEAR. Es wurde nichts gesendet. Lade NEAR auf, dann versuche es noch einmal.',
  ],

  // Key export
  EXPORT_NEAR_KEYPAIR_DISABLED: SWITCHED_OFF,
  EXPORT_NEAR_KEYPAIR_UI_FAILED:
    'Dein Schlüssel ließ sich nicht zeigen. Er ist sicher. Lade die Seite neu und versuche es noch einmal.',

  // The wallet's servers
  RELAY_UNREACHABLE:
    'Der Server der Wallet ist nicht zu erreichen. Deine Schlüssel und dein Geld sind sicher. Prüfe deine Verbindung, dann versuche es ' +
    'noch einmal.',
  RELAY_REFUSED:
    'Der Server der Wallet hat abgelehnt. Deine Schlüssel und dein Geld sind sicher. Versuche es später noch einmal.',
  CONTRACT_STATE_FAILED:
    'Der Eintrag deines Kontos ließ sich nicht lesen. Es ist nichts geschehen. Versuche es später noch einmal, oder frage den Support.',
  REGISTRY_UNKNOWN: SITE_FAULT,
  REGISTRY_LACKS: SITE_FAULT,

  // Workers and storage
  WORKER_TIMEOUT: WALLET_STOPPED,
  WORKER_FAILED: WALLET_STOPPED,
  VRF_WORKER_UNHEALTHY: WALLET_STOPPED,
  UNKNOWN_WORKER_RESPONSE: WALLET_STOPPED,
  CRYPTO_FAILED: WALLET_STOPPED,
  MODAL_TIMEOUT: 'Die Zeit ist um, darum wurde nichts unterschrieben. Versuche es noch einmal.',
  STORAGE_FAILED:
    'Dieser Browser konnte nicht benutzen, was die Wallet hier aufbewahrt. Dein Konto ist sicher. Lade die Seite neu; hilft das nicht, ' +
    'starte den Browser neu.',
  STORAGE_UNAVAILABLE:
    'Dieses Fenster kann dein Konto nicht behalten. Aktualisiere den Browser, oder nimm ein gewöhnliches Fenster.',
  STORAGE_DENIED:
    'Dieser Browser lässt die Wallet dein Konto hier nicht behalten. Verlasse das private Fenster, oder erlaube die Daten dieser Seite, ' +
    'dann lade sie neu.',
  STORAGE_FULL:
    'Auf diesem Gerät ist kein Platz mehr, darum wurde dieser Schritt nicht gespeichert. Schaffe Platz, dann versuche es noch einmal.',
  STORAGE_NEWER:
    'Hier wurde eine neuere Version der Wallet benutzt. Nichts ist verloren. Lade die Seite neu, um sie zu bekommen.',
  STORAGE_BLOCKED:
    'In einem anderen Tab ist eine ältere Version der Wallet offen. Nichts ist verloren. Schließe die anderen Tabs, dann versuche es noch ' +
    'einmal.',
  STORAGE_INTERRUPTED:
    'Das Speichern wurde unterbrochen; dieser Schritt ist nicht gespeichert. Versuche es noch einmal.',

  // Device linking
  ACCOUNT_NOT_OWNED:
    'Das Konto hat dieses Gerät nicht hereingelassen. Hast du es nicht selbst gewählt, hat ein anderer den Code gelesen. Zeige einen neuen.',
  AUTHORIZATION_TIMEOUT:
    'Das andere Gerät ließ sich nicht verknüpfen. Dein Konto ist sicher. Zeige dort einen neuen Code, dann scanne diesen.',
  REGISTRATION_FAILED:
    'Dieses Gerät ließ sich nicht hinzufügen. Dein Konto ist sicher. Zeige einen neuen Code und versuche es noch einmal.',
  LINKER_NOT_LOGGED_IN:
    'Du bist auf diesem Gerät nicht angemeldet. Es wurde nichts verknüpft. Melde dich an, dann scanne noch einmal.',
  LINKER_HAS_NO_KEY:
    'Dieses Gerät hat keinen Schlüssel deines Kontos, darum kann es kein anderes verknüpfen. Das Konto ist sicher. Stelle es hier zuerst ' +
    'wieder her.',
  ACCOUNT_NOT_FOUND: [
    '{account} gibt es nicht. Es ist nichts geschehen. Prüfe die Schreibweise.',
    'Dieses Konto gibt es nicht. Es ist nichts geschehen. Prüfe die Schreibweise.',
  ],
  INVALID_FUNDING_AMOUNT: SITE_ASKED_WRONG,
  LINK_KEY_KNOWN:
    'Dieser Code wurde schon benutzt. Dein Konto ist sicher. Zeige auf dem anderen Gerät einen neuen Code, dann scanne diesen.',
  LINK_UNDONE:
    'Das andere Gerät kam nicht herein, und sein Schlüssel wurde wieder entfernt. Dein Konto ist sicher. Versuche es noch einmal.',
  LINK_IN_DOUBT:
    'Wir wissen noch nicht, ob das andere Gerät hereinkam. Dein Konto ist sicher: Wenn nicht, wird sein Schlüssel von selbst entfernt. ' +
    'Sieh in einer Minute in der Liste deiner Geräte nach.',
  LINK_KEY_GONE:
    'Die Zeit ist um. Es hat sich nichts geändert. Zeige einen neuen Code und versuche es noch einmal.',
  LINK_PENDING:
    'Die Verknüpfung dieses Geräts ist nicht fertig. Nichts ist verloren. Sie geht weiter, wenn du die Wallet wieder öffnest.',
  LINK_SEALED:
    'Die Verknüpfung dieses Geräts ist nicht fertig. Nichts ist verloren. Benutze deinen Passkey, um weiterzumachen.',
  LINK_CODE_REFUSED:
    'Diese Wallet nimmt von dieser Seite keine Codes. Es wurde nichts verknüpft. Scanne den Code in der Wallet selbst.',
  LINK_NOT_FOUND:
    'Auf diesem Gerät ist nichts mehr abzuschließen. Es hat sich nichts geändert. Zeige einen neuen Code, um es zu verknüpfen.',
  LINK_BUSY:
    'Ein anderer Tab verknüpft dieses Gerät gerade. Beende es dort oder brich es ab, dann versuche es noch einmal.',
  LINK_DEVICE_INIT_FAILED:
    'Die Verknüpfung ließ sich nicht beginnen. Es hat sich nichts geändert. Versuche es noch einmal.',
  PASSKEY_SYNCED:
    'Dieses Gerät hat deinen Passkey schon und braucht keine Verknüpfung. Stelle das Konto mit diesem Passkey wieder her.',

  // Devices and their keys
  AUTHENTICATORS_FAILED:
    'Deine Geräte ließen sich nicht laden. Es hat sich nichts geändert. Versuche es noch einmal.',
  LAST_ACCESS_KEY: LAST_KEY,
  LAST_FULL_ACCESS_KEY: LAST_KEY,
  ACCESS_KEY_NOT_FOUND:
    'Dieser Schlüssel ist nicht mehr an deinem Konto. Es hat sich nichts geändert. Lade die Liste noch einmal.',
  LAST_DEVICE:
    'Das ist dein letztes Gerät, darum bleibt es. Verknüpfe zuerst ein anderes, dann entferne dieses von dort.',
  OWN_DEVICE_KEY:
    'Dieses Gerät benutzt du gerade, darum bleibt es. Entferne es von einem anderen verknüpften Gerät aus.',
  DEVICE_KEY_LEFT:
    'Das Gerät wurde entfernt, aber sein Schlüssel gilt noch. Entferne es noch einmal, um fertig zu werden.',

  // Codes and their scanner
  INVALID_QR_DATA:
    'Das ist kein Code zum Verknüpfen, darum wurde nichts verknüpft. Scanne den Code, den dein anderes Gerät unter ‚Gerät scannen und ' +
    'verknüpfen‘ zeigt.',
  SESSION_EXPIRED:
    'Dieser Code ist abgelaufen. Es wurde nichts verknüpft. Zeige einen neuen, dann scanne diesen.',
  CAMERA_ACCESS_FAILED:
    'Die Kamera lässt sich nicht benutzen. Erlaube sie für diese Seite, oder schließe andere Apps, die sie benutzen, dann versuche es ' +
    'noch einmal.',
  CAMERA_DEVICES_FAILED:
    'Es wurde keine Kamera gefunden. Schließe eine an oder erlaube sie, dann versuche es noch einmal.',
  CAMERA_SCAN_TIMEOUT:
    'Es war kein Code zu sehen. Halte ihn ruhig in den Rahmen, und versuche es noch einmal.',
  CANVAS_UNAVAILABLE:
    'Dieser Browser kann das Bild der Kamera nicht lesen. Aktualisiere ihn, oder nimm einen anderen Browser.',
  QR_NOT_FOUND: 'In diesem Bild ist kein Code. Wähle eines, das ihn ganz zeigt.',
  QR_FILE_UNREADABLE: 'Diese Datei ist kein Bild, das der Browser lesen kann. Wähle eine andere.',
  QR_DECODER_FAILED:
    'Der Leser für Codes ließ sich nicht laden. Prüfe deine Verbindung, dann versuche es noch einmal.',

  // Recovery phrases
  RECOVERY_PHRASE_OFF: SWITCHED_OFF,
  RECOVERY_PHRASE_LENGTH: [
    'Eine Wiederherstellungsphrase hat 12 Wörter, nicht {count}. Gib alle ein, in ihrer Reihenfolge.',
    'Eine Wiederherstellungsphrase hat 12 Wörter. Gib alle ein, in ihrer Reihenfolge.',
  ],
  RECOVERY_PHRASE_WORD: [
    'Wort {position} kommt in Wiederherstellungsphrasen nicht vor. Prüfe, wie es geschrieben ist.',
    'Ein Wort kommt in Wiederherstellungsphrasen nicht vor. Prüfe, wie die Wörter geschrieben sind.',
  ],
  RECOVERY_PHRASE_CHECKSUM:
    'Diese 12 Wörter gehören nicht zusammen. Vergleiche jedes Wort und die Reihenfolge mit dem, was du aufgeschrieben hast.',
  RECOVERY_PHRASE_NOT_OF_ACCOUNT: [
    'Diese Wörter öffnen {account} nicht. Das Konto ist, wie es war. Prüfe den Namen und die Wörter.',
    'Diese Wörter öffnen dieses Konto nicht. Das Konto ist, wie es war. Prüfe den Namen und die Wörter.',
  ],
  RECOVERY_PHRASE_LIMITED:
    'Diese Wörter haben nur begrenzten Zugriff, darum können sie keinen Passkey hereinlassen. Das Konto ist, wie es war. Nimm Wörter mit ' +
    'vollem Zugriff.',
  RECOVERY_PHRASE_NOT_USED:
    'Der neue Passkey kam nicht hinzu. Das Konto ist, wie es war, und die Wörter öffnen es weiterhin. Versuche es noch einmal.',
  RECOVERY_PHRASE_IN_DOUBT:
    'Wir wissen noch nicht, ob der neue Passkey hinzukam. Das Konto ist sicher, und die Wörter öffnen es weiterhin. Versuche es mit ' +
    'denselben Wörtern noch einmal.',
  RECOVERY_KEY_NOT_ADDED:
    'Die Wiederherstellungsphrase kam nicht hinzu. Das Konto ist, wie es war. Die Wörter, die du aufgeschrieben hast, öffnen nichts: ' +
    'Vernichte sie, und lass neue machen.',
  RECOVERY_KEY_IN_DOUBT:
    'Wir wissen noch nicht, ob die Wiederherstellungsphrase hinzukam. Behalte die Wörter. Sie gelten, sobald die Liste deiner Geräte einen ' +
    'Wiederherstellungsschlüssel zeigt; kommt er nie, vernichte sie, und lass neue machen.',

  // Accounts of another wallet
  ADOPTION_REFUSED:
    'Deine andere Wallet hat diese nicht hereingelassen. Dein Konto ist, wie es war. Versuche es noch einmal, und erlaube es dort.',
  ADOPTED_KEY_MISSING:
    'Deine andere Wallet sagt, dass sie diese hereingelassen hat, aber das Konto zeigt es nicht. Dein Konto ist, wie es war. Sieh dort nach, ' +
    'dann versuche es noch einmal.',

  // App access
  APP_KEY_MISSING:
    'Diese App hat auf diesem Gerät keinen Zugriff auf dein Konto. Es wurde nichts gesendet. Gib ihr noch einmal Zugriff.',
  APP_KEY_NOT_FOR_THIS:
    'Der Zugriff, den du dieser App gegeben hast, reicht hierfür nicht. Es wurde nichts gesendet. Bestätige es mit deinem Passkey, oder gib ' +
    'neuen Zugriff.',
  APP_KEY_GONE:
    'Der Zugriff dieser App wurde entfernt. Es wurde nichts gesendet. Gib ihr noch einmal Zugriff.',
  APP_KEY_EXPIRED:
    'Der Zugriff dieser App ist abgelaufen. Es wurde nichts gesendet. Gib ihr noch einmal Zugriff.',
  APP_KEY_ALLOWANCE:
    'Das Budget, das du dieser App gegeben hast, ist aufgebraucht. Es wurde nichts gesendet. Entferne ihren Zugriff, und gib ihn neu.',
  APP_KEY_UNKNOWN:
    'Dein Konto kennt diesen App-Zugriff nicht. Es hat sich nichts geändert. Lade die Liste noch einmal.',

  // Tokens
  TOKEN_UNUSABLE: [
    'Unter {contractId} gibt es keinen Token, mit dem diese Wallet umgehen kann. Prüfe die Adresse des Tokens. Es wurde nichts gesendet.',
    'Mit diesem Token kann die Wallet nicht umgehen. Prüfe die Adresse des Tokens. Es wurde nichts gesendet.',
  ],
  TOKEN_STORAGE_TOO_DEAR: [
    'Dieser Token verlangt {price} NEAR, bevor {receiver} ihn empfangen kann: viel mehr, als ein Token braucht. Es wurde nichts gesendet.',
    'Dieser Token verlangt viel mehr, als ein Token braucht, bevor man ihn empfangen kann. Es wurde nichts gesendet.',
  ],
  TOKEN_INDEXER_FAILED:
    'Hier fehlen vielleicht Token: Der Dienst, der sie findet, antwortet nicht. Sie sind sicher. Versuche es später noch einmal.',

  // The wallet's own page
  ACCOUNT_BUSY:
    'Etwas, das dieses Konto begonnen hat, ist noch nicht fertig, etwa eine Zahlung. Es wurde nichts entfernt. Warte, bis es bekannt ist, ' +
    'dann versuche es noch einmal.',
  HOME_IN_FRAME:
    'Die Wallet öffnet sich nicht in einer anderen Seite. Deine Konten sind unberührt. Öffne sie in einem eigenen Tab.',

  // Other clients
  BYTES_NOT_SIGNED:
    'Diese Seite wollte eine Unterschrift für etwas, das die Wallet dir nicht zeigen kann. Es wurde nichts unterschrieben.',
  ACTION_NOT_CARRIED: SITE_ASKED_WRONG,
  OTHER_ACCOUNT: [
    'Das gilt für {asked}, und du benutzt {account}. Es wurde nichts unterschrieben. Wechsle das Konto, dann versuche es noch einmal.',
    'Das gilt für ein anderes Konto. Es wurde nichts unterschrieben. Wechsle das Konto, dann versuche es noch einmal.',
  ],
  OTHER_KEY:
    'Das verlangt einen Schlüssel, der nicht deiner ist. Es wurde nichts unterschrieben. Melde dich in der App noch einmal an.',
  OTHER_NETWORK,
  OTHER_TRANSACTION:
    'Unterschrieben wurde etwas anderes als verlangt, darum wurde es verworfen. Es wurde nichts gesendet. Versuche es noch einmal.',
  SIGNED_BEFORE:
    'Das wurde schon einmal unterschrieben, und das Netz kennt es nicht. Es wurde nichts noch einmal gesendet. Beginne in der App von vorn.',
  NETWORK_NOT_SERVED: OTHER_NETWORK,
  NOTHING_CONNECTED:
    'Mit dieser App ist kein Konto verbunden, darum ist nichts geschehen. Melde dich zuerst in der App an.',

  // The wallet's frame
  WALLET_FRAME_TIMEOUT:
    'Die Wallet war nicht rechtzeitig bereit. Deine Schlüssel und dein Geld sind sicher. Prüfe deine Verbindung, dann versuche es noch ' +
    'einmal.',
  WALLET_FRAME_UNREACHABLE:
    'Die Wallet ist nicht zu erreichen. Deine Schlüssel und dein Geld sind sicher. Prüfe deine Verbindung, oder ob ein Blocker in diesem ' +
    'Browser sie aufhält, dann versuche es noch einmal.',
  WALLET_FRAME_ISOLATED:
    'Diese Seite kann die Wallet nicht zeigen. Deine Konten sind unberührt. Nur ihr Betreiber kann das ändern.',
  NOT_A_WALLET: SITE_FAULT,
  WALLET_FRAME_MISSING:
    'Die Wallet wurde geschlossen. Deine Schlüssel sind sicher. Lade die Seite neu und versuche es noch einmal.',
  REQUEST_TIMEOUT:
    'Die Wallet hat nicht rechtzeitig geantwortet. Deine Schlüssel sind sicher. Sieh in deinen Vorgängen nach, bevor du eine Zahlung ' +
    'wiederholst.',
  WALLET_FRAME_LOST:
    'Die Wallet ging zu, bevor sie geantwortet hat. Deine Schlüssel sind sicher. Sieh in deinen Vorgängen nach, bevor du eine Zahlung ' +
    'wiederholst.',

  // Refusals of the wallet page
  HOST_NOT_ALLOWED: SITE_NOT_SET_UP,
  OPENER_NOT_ALLOWED: SITE_NOT_SET_UP,
  HOST_NOT_IN_REGISTRY: SITE_NOT_SET_UP,
  HOST_BUSY: [
    '{count} Anfragen dieser Seite warten schon auf dich. Beantworte zuerst eine.',
    'Auf dich warten schon Anfragen dieser Seite. Beantworte zuerst eine.',
  ],
  HOST_PAUSED: [
    'Du hast {origin} mehrmals abgelehnt, darum darf die Seite {seconds} Sekunden lang nicht fragen.',
    'Du hast diese Seite mehrmals abgelehnt, darum darf sie eine Weile nicht fragen.',
  ],
  HOST_STOPPED: [
    'Du hast die Anfragen von {origin} gestoppt. Erlaube sie wieder in den Einstellungen der Wallet, oder warte einen Tag.',
    'Du hast die Anfragen dieser Seite gestoppt. Erlaube sie wieder in den Einstellungen der Wallet, oder warte einen Tag.',
  ],
  CONFIG_NOT_ALLOWED: SITE_FAULT,
  INVALID_MESSAGE: SITE_ASKED_WRONG,

  HOST_ERROR: SOMETHING,
  SET_CONFIRM_BEHAVIOR_FAILED: NOT_SAVED,
  SET_CONFIRMATION_CONFIG_FAILED: NOT_SAVED,

  // Windows
  POPUP_UNAVAILABLE:
    'Die Wallet konnte ihr Fenster nicht öffnen. Es ist nichts geschehen. Erlaube Pop-ups für diese Seite, dann versuche es noch einmal.',
  WEBAUTHN_BRIDGE_TIMEOUT:
    'Die Passkey-Abfrage hat zu lange gedauert. Es wurde nichts unterschrieben. Versuche es noch einmal.',
  WINDOW_BLOCKED:
    'Der Browser hat das Fenster der Wallet blockiert. Es ist nichts geschehen. Erlaube Pop-ups für diese Seite, dann versuche es noch ' +
    'einmal.',
  WINDOW_SILENT:
    'Das Fenster der Wallet ging zu, bevor es geantwortet hat. Deine Schlüssel sind sicher. Sieh in deinen Vorgängen nach, bevor du eine ' +
    'Zahlung wiederholst.',

  // The embedded transaction button
  BUTTON_NO_HANDLER: SITE_FAULT,
  BUTTON_NOT_READY: BUTTON_UNCHECKED,
  BUTTON_FAILED:
    'Der Knopf der Wallet ließ sich nicht zeigen. Es wurde nichts unterschrieben. Lade die Seite neu und versuche es noch einmal.',
  BUTTON_CLICK_REQUIRED:
    'Etwas anderes als dein Klick hat den Knopf gedrückt. Es wurde nichts unterschrieben. Drücke ihn selbst.',
  UI_DIGEST_FAILED: BUTTON_UNCHECKED,
  UI_DIGEST_TIMEOUT: BUTTON_UNCHECKED,
  UI_DIGEST_SUPERSEDED: BUTTON_UNCHECKED,
  UI_DIGEST_MISMATCH:
    'Die Transaktion hat sich geändert, nachdem du sie gesehen hast. Es wurde nichts unterschrieben. Sieh sie noch einmal an, dann bestätige.',
  TRANSACTION_CANCELLED: 'Du hast abgebrochen. Es wurde nichts gesendet.',
  TRANSACTION_DATA_MISSING: SITE_ASKED_WRONG,
  TRANSACTION_NOT_EXECUTED:
    'Die Transaktion kam nicht zustande. Deine Schlüssel sind sicher. Sieh in deinen Vorgängen nach, bevor du sie wiederholst.',

  // Phones
  IN_APP_BROWSER: [
    '{app} kann keine Passkeys benutzen. Nichts ist verloren. Öffne diese Seite in {browser}.',
    'Der Browser dieser App kann keine Passkeys benutzen. Nichts ist verloren. Öffne diese Seite in deinem eigenen Browser.',
  ],
  IOS_OUTDATED: [
    'Unter iOS {version} ließe sich dein Konto nur auf diesem Gerät öffnen. Aktualisiere auf iOS 18.4 oder neuer, bevor du es anlegst.',
    'Unter diesem iOS ließe sich dein Konto nur auf diesem Gerät öffnen. Aktualisiere auf iOS 18.4 oder neuer, bevor du es anlegst.',
  ],
};

const EXECUTED =
  'Die Transaktion wurde ausgeführt und ist gescheitert. Nur ihre Gebühr ist verbraucht. Du kannst es noch einmal versuchen.';
const COMES_BACK = ' Das meiste davon kommt zurück.';

/** The German headline of an error. */
export function germanError(
  code: string | undefined,
  _message: string,
  values: ErrorValues | undefined,
): string {
  if (code === 'TRANSACTION_FAILED' && values?.fate === 'failed') return EXECUTED;
  const comesBack = values?.reason === COMES_BACK_TEXT && { reason: COMES_BACK };
  return headlineOf(germanHeadlines, code, { ...values, ...comesBack });
}
