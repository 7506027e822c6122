import type { Refusal } from '../api/app';
import { language } from './settings';

interface SessionTexts {
  readonly title: string;
  readonly begin: string;
  readonly begun: string;
  readonly read: string;
  readonly end: string;
  readonly ended: string;
  readonly refusals: Readonly<Record<Refusal | 'SERVER_UNREACHABLE', string>>;
}

const english: SessionTexts = {
  title: 'Session',
  begin: 'Start a session',
  begun: 'The session has started.',
  read: 'Read what is protected',
  end: 'End the session',
  ended: 'The session has ended.',
  refusals: {
    OTHER_PAGE: 'The server takes calls of its own page alone. Open the app at its own address.',
    ASK_AGAIN: 'This login was used already, or it took too long. Start a session again.',
    NOT_VERIFIED: 'The server could not verify the signature. Start a session again.',
    CHAIN_UNREACHABLE: 'The server cannot reach the chain. Try again in a moment.',
    NO_SESSION: 'Start a session first: the server does not know who you are.',
    SERVER_UNREACHABLE: 'The server does not answer. Try again in a moment.',
  },
};

const german: SessionTexts = {
  title: 'Sitzung',
  begin: 'Sitzung beginnen',
  begun: 'Die Sitzung hat begonnen.',
  read: 'Geschütztes lesen',
  end: 'Sitzung beenden',
  ended: 'Die Sitzung ist beendet.',
  refusals: {
    OTHER_PAGE: 'Der Server antwortet nur seiner eigenen Seite. Öffne die App unter ihrer eigenen Adresse.',
    ASK_AGAIN: 'Diese Anmeldung ist schon verbraucht oder zu alt. Beginne die Sitzung noch einmal.',
    NOT_VERIFIED: 'Der Server konnte die Unterschrift nicht prüfen. Beginne die Sitzung noch einmal.',
    CHAIN_UNREACHABLE: 'Der Server erreicht die Chain nicht. Versuche es gleich noch einmal.',
    NO_SESSION: 'Beginne zuerst eine Sitzung: Der Server weiß nicht, wer du bist.',
    SERVER_UNREACHABLE: 'Der Server antwortet nicht. Versuche es gleich noch einmal.',
  },
};

export const sessionTexts = { en: english, de: german }[language];
