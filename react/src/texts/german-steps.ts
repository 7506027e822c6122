import type { FlowName, FlowPhase } from 'latchkey';
import type { AnyFlowEvent } from '../any-flow-event.js';

/** What a step says while it runs, and when it is done. */
type Words = readonly [progress: string, success: string];
/** The words of every step of a flow; a failure has its error's text. */
type Steps<F extends FlowName> = Readonly<Record<Exclude<FlowPhase<F>, `${string}-error`>, Words>>;

const always = (text: string): Words => [text, text];

const PASSKEY: Words = ['Passkey wird abgefragt', 'Der Passkey hat geantwortet'];
const PREPARATION: Words = ['Wird vorbereitet', 'Vorbereitet'];

const steps: { readonly [F in Exclude<FlowName, 'linking'>]: Steps<F> } = {
  registration: {
    'webauthn-verification': ['Der Kontoname wird geprüft', 'Passkey angelegt'],
    'key-generation': ['Schlüssel werden abgeleitet', 'Schlüssel abgeleitet'],
    'access-key-addition': ['Konto wird angelegt', 'Konto angelegt'],
    'account-verification': ['Konto wird geprüft', 'Konto geprüft'],
    'database-storage': ['Schlüssel werden gespeichert', 'Schlüssel gespeichert'],
    'contract-registration': ['Der Passkey wird registriert', 'Passkey registriert'],
    'registration-complete': always('Registrierung abgeschlossen'),
  },
  login: {
    preparation: ['Das Konto wird auf diesem Gerät gesucht', 'Dieses Gerät kennt das Konto'],
    'webauthn-assertion': PASSKEY,
    'vrf-unlock': ['Sitzung wird geöffnet', 'Sitzung geöffnet'],
    'login-complete': always('Angemeldet'),
  },
  action: {
    preparation: PREPARATION,
    'user-confirmation': ['Warten auf deine Bestätigung', 'Bestätigt'],
    'contract-verification': ['Der Passkey wird geprüft', 'Der Passkey wurde angenommen'],
    'webauthn-authentication': PASSKEY,
    'authentication-complete': always('Der Passkey hat geantwortet'),
    'transaction-signing-progress': always('Wird unterschrieben'),
    'transaction-signing-complete': always('Unterschrieben'),
    broadcasting: ['Wird gesendet', 'Das Netz hat es angenommen'],
    'action-complete': always('Erledigt'),
  },
  recovery: {
    preparation: ['Die Passkeys des Kontos werden gesucht', 'Passkeys gefunden'],
    'webauthn-authentication': PASSKEY,
    'sync-authenticators-onchain': [
      'Der Passkey wird mit dem Konto verglichen',
      'Das Konto hat die Schlüssel dieses Passkeys',
    ],
    'authenticator-saved': ['Schlüssel werden gespeichert', 'Schlüssel gespeichert'],
    'account-recovery-complete': always('Konto wiederhergestellt!'),
  },
  export: {
    preparation: PREPARATION,
    'viewer-opened': always('Der Schlüssel hat sein eigenes Fenster'),
    'webauthn-authentication': PASSKEY,
    'key-delivered': always('Der Schlüssel ist da'),
    'viewer-closed': always('Geschlossen'),
  },
};

/** The device that scans, and the new one, which shows the code. */
const linking: Readonly<Record<1 | 2, Steps<'linking'>>> = {
  1: {
    'qr-code-generated': always('QR-Code ist bereit'),
    scanning: ['QR-Code wird gescannt…', 'Der Code ist gut'],
    authorization: ['Wird erlaubt…', 'Erlaubt!'],
    polling: always('Warten auf das andere Gerät'),
    'addkey-detected': always('Das Konto hat den Schlüssel des Geräts'),
    registration: [
      'Schlüssel des anderen Geräts wird hinzugefügt',
      'Das andere Gerät kann sich jetzt registrieren',
    ],
    'linking-complete': always('Das andere Gerät macht den Rest'),
    'auto-login': ['Du wirst angemeldet', 'Angemeldet!'],
  },
  2: {
    'qr-code-generated': always('QR-Code ist bereit'),
    scanning: ['Das andere Gerät scannt', 'Gescannt'],
    authorization: ['Das andere Gerät erlaubt es', 'Erlaubt!'],
    polling: always('Warten auf dein anderes Gerät'),
    'addkey-detected': always('Dein anderes Gerät hat den Schlüssel dieses Geräts hinzugefügt'),
    registration: ['Gerät wird registriert…', 'Der Passkey ist registriert'],
    'linking-complete': always('Gerät verknüpft!'),
    'auto-login': ['Du wirst angemeldet', 'Angemeldet!'],
  },
};

/** The German text of a step; undefined for a failure. */
export function germanStep({ flow, phase, status, data }: AnyFlowEvent, device: 1 | 2): string | undefined {
  if (status === 'error') return undefined;
  if (data?.waiting === true) return 'Warten auf das Netz';
  const ofFlow: Readonly<Partial<Record<string, Words>>> = flow === 'linking' ? linking[device] : steps[flow];
  return ofFlow[phase]?.[status === 'progress' ? 0 : 1];
}
