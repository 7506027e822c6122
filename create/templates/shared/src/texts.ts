/** The app's own texts. The kit and the wallet bring theirs. */
import { language } from './settings';

const english = {
  notSet: (names: string) =>
    `${names}: not set. Start the app by npm run dev, or copy .env.example to .env.production for a build.`,
  name: 'Name',
  register: 'Register',
  logIn: 'Log in',
  logOut: 'Log out',
  hello: (accountId: string) => `Hello, ${accountId}`,
  receiver: 'Receiver',
  send: 'Send 0.001 NEAR',
  sending: 'Sending…',
  sent: (transactionId: string) => `Sent in ${transactionId}`,
  failed: 'It did not work, and the wallet does not say why.',
  tryAgain: 'Try again',
};

const german: typeof english = {
  notSet: (names) =>
    `${names}: nicht gesetzt. Starte die App mit npm run dev, oder kopiere .env.example nach .env.production für einen Build.`,
  name: 'Name',
  register: 'Registrieren',
  logIn: 'Anmelden',
  logOut: 'Abmelden',
  hello: (accountId) => `Hallo, ${accountId}`,
  receiver: 'Empfänger',
  send: '0,001 NEAR senden',
  sending: 'Wird gesendet…',
  sent: (transactionId) => `Gesendet in ${transactionId}`,
  failed: 'Es hat nicht geklappt, und die Wallet nennt keinen Grund.',
  tryAgain: 'Noch einmal',
};

export const texts = { en: english, de: german }[language];
