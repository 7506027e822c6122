import { useId, useState } from 'react';
import { asError } from '../../../src/as-error.js';
import { usePasskeyContext } from '../../../src/context.js';
import { useKeyExport } from '../../../src/profile/use-key-export.js';
import { useRecoveryPhrase } from '../../../src/recovery-phrase/use-recovery-phrase.js';
import { TransactionSettings } from '../../../src/settings/transaction-settings.js';
import { thrownText } from '../../../src/texts/error-text.js';
import { Filled } from '../../../src/texts/filled.js';
import { LanguageChoice } from '../../language-choice.js';
import { Problem, Screen } from '../parts.js';
import { useHomeTexts } from '../texts/index.js';
import { useSay, useToaster } from '../toaster.js';

/** Confirmations, appearance, the private key, and the lock. */
export function Settings({ accountId }: { accountId: string }) {
  const words = useHomeTexts().settings;
  const { theme, setTheme, logout } = usePasskeyContext();
  const toaster = useToaster();
  const say = useSay();
  const keyExport = useKeyExport(accountId);
  const phrase = useRecoveryPhrase();
  const [isOpen, setOpen] = useState(false);
  const makePhrase = async (): Promise<void> => {
    if (await phrase.make(accountId)) say(words.phraseMade);
  };
  const id = useId();
  const fail = (error: Error): unknown =>
    toaster.error(thrownText(error), { id: 'settings', duration: 6000 });
  return (
    <Screen
      title={words.title}
      lead={<Filled text={words.lead} account={<b className="break">{accountId}</b>} />}
    >
      <Problem of={keyExport.failure ?? phrase.failure} />
      <div className="card lines">
        <div className="line">
          <div>
            <strong>{words.confirmations}</strong>
            <p className="faint small">{words.confirmationsMore}</p>
          </div>
          <button type="button" className="button" onClick={() => setOpen(true)}>
            {words.change}
          </button>
        </div>
        <fieldset className="line">
          <legend className="sr-only">{words.theme}</legend>
          <div>
            <strong>{words.theme}</strong>
            <p className="faint small">{words.themeMore}</p>
          </div>
          <div className="switch">
            {(['light', 'dark'] as const).map((each) => (
              <label key={each}>
                <input
                  type="radio"
                  name={id}
                  value={each}
                  checked={theme === each}
                  onChange={() => setTheme(each)}
                />
                <span>{words[each]}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <div className="line">
          <div>
            <label htmlFor={`${id}-language`}>
              <strong>{words.language}</strong>
            </label>
            <p className="faint small">{words.languageMore}</p>
          </div>
          <LanguageChoice id={`${id}-language`} auto={words.languageAuto} onError={fail} />
        </div>
        <div className="line">
          <div>
            <strong>{words.phrase}</strong>
            <p className="faint small">{words.phraseMore}</p>
          </div>
          <button
            type="button"
            className="button"
            aria-disabled={phrase.isOpen}
            onClick={() => void makePhrase()}
          >
            {words.phraseDo}
          </button>
        </div>
        <div className="line">
          <div>
            <strong>{words.export}</strong>
            <p className="faint small">{words.exportMore}</p>
          </div>
          <button
            type="button"
            className="button"
            aria-disabled={keyExport.isOpen}
            onClick={() => void keyExport.exportKeys()}
          >
            {words.exportDo}
          </button>
        </div>
        <div className="line">
          <div>
            <strong>{words.lock}</strong>
            <p className="faint small">{words.lockMore}</p>
          </div>
          <button
            type="button"
            className="button"
            onClick={() => void logout().catch((error: unknown) => fail(asError(error)))}
          >
            {words.lockDo}
          </button>
        </div>
      </div>
      <TransactionSettings isOpen={isOpen} onClose={() => setOpen(false)} onError={fail} />
    </Screen>
  );
}
