import { type Outcome, PasskeyManager, parseNear } from 'latchkey';
import { appName, language, missing, paintDocument, walletConfig } from './settings';
import './style.css';
import { texts } from './texts';

const account = find<HTMLFormElement>('#account');
const payment = find<HTMLFormElement>('#payment');
const status = find<HTMLElement>('[role=status]');
const failure = find<HTMLElement>('[role=alert]');
let nearAccountId = '';

document.title = appName;
find('#app-name').textContent = appName;
document.documentElement.lang = language;
paintDocument();
for (const element of document.querySelectorAll<HTMLElement>('[data-text]')) {
  const text = texts[element.dataset.text as keyof typeof texts];
  if (typeof text === 'string') element.textContent = text;
}
if (missing.length > 0) {
  account.hidden = true;
  failure.textContent = texts.notSet(missing.join(', '));
} else start(new PasskeyManager(walletConfig));

function start(wallet: PasskeyManager): void {
  account.addEventListener('submit', async (event) => {
    event.preventDefault();
    const id = `${field(account, 'username')}.${walletConfig.contractId}`;
    const isNew = event.submitter?.getAttribute('value') === 'register';
    say('');
    const result = isNew ? await wallet.registerPasskey(id) : await wallet.loginPasskey(id);
    if (result.success) show(id);
    else await sayFailure(result);
  });

  payment.addEventListener('submit', async (event) => {
    event.preventDefault();
    say(texts.sending);
    const result = await wallet.executeAction({
      nearAccountId,
      receiverId: field(payment, 'receiver'),
      actionArgs: { type: 'Transfer', amount: parseNear('0.001') },
    });
    if (result.success) say(texts.sent(result.transactionId ?? ''));
    else await sayFailure(result);
  });

  find('#logout').addEventListener('click', async () => {
    await wallet.logoutAndClearVrfSession();
    say('');
    show('');
  });
}

function find<E extends Element>(selector: string): E {
  const found = document.querySelector<E>(selector);
  if (!found) throw new Error(`index.html has no element ${selector}`);
  return found;
}

const field = (form: HTMLFormElement, name: string) => String(new FormData(form).get(name));

/** Shows the payments of this account, or the login for none. */
function show(id: string): void {
  nearAccountId = id;
  account.hidden = id !== '';
  payment.hidden = id === '';
  find('h1').textContent = texts.hello(id);
}

function say(text: string): void {
  status.textContent = text;
  failure.textContent = '';
}

/** Says why a call failed, in the app's language. The sentences load with the first failure. */
async function sayFailure({ error = texts.failed, errorCode, errorValues }: Outcome): Promise<void> {
  say('');
  const [{ englishHeadlines, headlineOf }, german] = await Promise.all([
    import('latchkey-react/errors'),
    language === 'de' ? import('latchkey-react/german') : null,
  ]);
  const headlines = german?.german.errors ?? englishHeadlines;
  failure.textContent = headlineOf(headlines, errorCode, errorValues) ?? error;
}
