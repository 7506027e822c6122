import type { ConfirmationConfig } from 'latchkey';
import { filled } from 'latchkey/internal';
import type { AppOfUser } from 'latchkey/internal/wallet';
import { useCallback, useState } from 'react';
import { dateOf } from '../../../src/format/date.js';
import { type Failure, thrownFailure } from '../../../src/texts/error-text.js';
import { Filled } from '../../../src/texts/filled.js';
import { useRead } from '../../../src/use-read.js';
import { useHome } from '../context.js';
import { AppsIcon } from '../icons.js';
import { Empty, Failed, Loading, Problem, Screen } from '../parts.js';
import { Question } from '../question.js';
import { type HomeTexts, useHomeTexts } from '../texts/index.js';
import { useSay } from '../toaster.js';

/** The apps that this browser's wallet knows: what each sees, how it asks, and whether it may. */
export function Apps() {
  const words = useHomeTexts().apps;
  const { apps } = useHome();
  const say = useSay();
  const list = useRead(useCallback(() => apps.list(), [apps]));
  const [forgetting, setForgetting] = useState<string>();
  const [failure, setFailure] = useState<Failure>();

  async function change(work: () => Promise<void> | void): Promise<void> {
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure(thrownFailure(error));
    }
    await list.reload();
  }
  function forget(origin: string): void {
    setForgetting(undefined);
    void change(async () => {
      await apps.forget(origin);
      say(filled(words.forgotten, { app: origin }));
    });
  }

  return (
    <Screen title={words.title} lead={words.lead}>
      <Problem of={failure} />
      {list.error && list.value === undefined && (
        <Failed title={words.unread} error={list.error} onAgain={() => void list.reload()} />
      )}
      {list.isLoading && list.value === undefined && <Loading />}
      {list.value?.length === 0 && <Empty icon={<AppsIcon />} title={words.none} more={words.noneMore} />}
      {list.value?.map((app) => (
        <AppCard
          key={app.origin}
          app={app}
          onAllow={() => void change(() => apps.allow(app.origin))}
          onStop={() => void change(() => apps.stop(app.origin))}
          onReset={() => void change(() => apps.resetChoices(app.origin))}
          onForget={() => setForgetting(app.origin)}
        />
      ))}
      <p className="faint small">{words.partition}</p>
      <Question
        open={forgetting !== undefined}
        name="latchkey-home-forget"
        title={words.forgetTitle}
        confirm={words.forgetConfirm}
        onConfirm={() => forgetting !== undefined && forget(forgetting)}
        onClose={() => setForgetting(undefined)}
      >
        <p>
          <Filled text={words.forgetText} app={<strong translate="no">{forgetting}</strong>} />
        </p>
      </Question>
    </Screen>
  );
}

interface AppCardProps {
  app: AppOfUser;
  onAllow: () => void;
  onStop: () => void;
  onReset: () => void;
  onForget: () => void;
}

function AppCard({ app, onAllow, onStop, onReset, onForget }: AppCardProps) {
  const texts = useHomeTexts();
  const words = texts.apps;
  const { origin, accounts, isStopped, silentUntil } = app;
  const hasChoices = accounts.some(({ chosen }) => Object.keys(chosen).length > 0);
  return (
    <section className="card group" aria-label={origin}>
      <h2 className="break" translate="no">
        {origin}
      </h2>
      <dl className="facts">
        <dt>{words.sees}</dt>
        <dd>
          {accounts.length === 0
            ? words.seesNothing
            : accounts.map(({ accountId }) => (
                <span key={accountId} className="break fact-line">
                  {accountId}
                </span>
              ))}
        </dd>
        {accounts.length > 0 && (
          <>
            <dt>{words.asks}</dt>
            <dd>
              {accounts.map(({ accountId, chosen }) => (
                <span key={accountId} className="break fact-line">
                  {accounts.length === 1 ? (
                    howItAsks(chosen, texts)
                  ) : (
                    <Filled text={words.for} account={accountId} how={howItAsks(chosen, texts)} />
                  )}
                </span>
              ))}
            </dd>
          </>
        )}
      </dl>
      <p
        className={silentUntil === undefined ? 'small state-line' : 'small state-line stopped'}
        role="status"
      >
        {silentUntil === undefined
          ? words.mayAsk
          : filledTime(isStopped ? words.stopped : words.silent, silentUntil)}
      </p>
      <div className="actions">
        {silentUntil === undefined ? (
          <button
            type="button"
            className="button"
            aria-label={filled(words.stopOf, { app: origin })}
            onClick={onStop}
          >
            {words.stop}
          </button>
        ) : (
          <button
            type="button"
            className="button"
            aria-label={filled(words.allowOf, { app: origin })}
            onClick={onAllow}
          >
            {words.allow}
          </button>
        )}
        {hasChoices && (
          <button
            type="button"
            className="button"
            aria-label={filled(words.resetOf, { app: origin })}
            onClick={onReset}
          >
            {words.reset}
          </button>
        )}
        <button
          type="button"
          className="button danger-quiet"
          aria-label={filled(words.forgetOf, { app: origin })}
          onClick={onForget}
        >
          {words.forget}
        </button>
      </div>
    </section>
  );
}

const filledTime = (text: string, ms: number) => <Filled text={text} time={<b>{dateOf(ms)}</b>} />;

/** What the user chose for an app's requests, in words. */
function howItAsks({ uiMode, behavior }: Partial<ConfirmationConfig>, { apps: words }: HomeTexts): string {
  if (uiMode === 'skip') return words.skips;
  if (behavior === 'requireClick') return words.click;
  return behavior === 'autoProceed' ? words.proceeds : words.asAsked;
}
