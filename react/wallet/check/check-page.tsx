import { filled } from 'latchkey/internal';
import {
  type Failure,
  type Forgotten,
  PASSKEY_NAME,
  type PasskeyCheck,
  STEPS,
  type Step,
  type Verdict,
} from 'latchkey/internal/wallet';
import { useEffect, useRef, useState } from 'react';
import { AlertIcon, CheckIcon, KeyIcon, Mark } from '../../src/surface/icons.js';
import { Inline } from '../../src/surface/inline.js';
import { adviceOf, errorText } from '../../src/texts/error-text.js';
import { Filled } from '../../src/texts/filled.js';
import { useTheme } from '../../src/theme.js';
import { Problem } from '../home/parts.js';
import { useHomeTexts } from '../home/texts/index.js';
import { checkCss } from './styles.js';
import type { CheckTexts } from './texts/english.js';

interface Props {
  readonly words: CheckTexts;
  /** Asks the browser what it can do, and shows nothing. */
  readonly start: () => Promise<PasskeyCheck>;
}

export function CheckPage(props: Props) {
  const { theme } = useTheme();
  const { name, welcome } = useHomeTexts();
  // What the browser itself draws, such as its scroll bars, follows.
  useEffect(() => {
    document.documentElement.dataset.latchkeyTheme = theme;
    document.title = props.words.title;
  }, [theme, props.words]);
  return (
    <Inline theme={theme} css={checkCss}>
      <div className="home">
        <header className="bar">
          <span className="brand">
            <Mark />
            <span>{name}</span>
          </span>
        </header>
        <main className="trial">
          <div className="heading">
            <h1>{props.words.title}</h1>
            <p className="lead">{props.words.lead}</p>
          </div>
          <Checks {...props} />
        </main>
        <footer className="safety">
          <p>
            <Filled text={welcome.safety} origin={<b translate="no">{location.origin}</b>} />
          </p>
        </footer>
      </div>
    </Inline>
  );
}

/** One check after another. */
function Checks({ words, start }: Props) {
  const [check, setCheck] = useState<PasskeyCheck>();
  const [round, setRound] = useState(1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round is a new check
  useEffect(() => {
    let isCurrent = true;
    setCheck(undefined);
    start().then(
      (started) => isCurrent && setCheck(started),
      // Drawn as the page's failure.
      (error: unknown) =>
        setCheck(() => {
          throw error;
        }),
    );
    return () => {
      isCurrent = false;
    };
  }, [start, round]);
  if (check) {
    const restart = (): void => setRound(round + 1);
    return <Check words={words} check={check} isFirst={round === 1} onRestart={restart} />;
  }
  return (
    <p className="status" role="status">
      <span className="spinner" aria-hidden="true" />
      {words.starting}
    </p>
  );
}

type State = keyof CheckTexts['states'];

function Check({
  words,
  check,
  isFirst,
  onRestart,
}: {
  words: CheckTexts;
  check: PasskeyCheck;
  /** Whether it begins with the page, whose focus then stays where it is. */
  isFirst: boolean;
  onRestart: () => void;
}) {
  const { device } = check.browser;
  // Where there is no API at all, there is nothing to ask.
  const canTry = device.isSecureContext && device.hasWebAuthn;
  const [at, setAt] = useState(canTry ? 0 : STEPS.length);
  const [states, setStates] = useState<Partial<Record<Step, State>>>({});
  const [running, setRunning] = useState<AbortController>();
  const [failure, setFailure] = useState<Failure>();
  const [forgotten, setForgotten] = useState<Forgotten>();
  const step = STEPS[at];
  const heading = useRef<HTMLHeadingElement>(null);
  const isOpening = useRef(isFirst);
  // The focus follows the steps; a screen reader then reads the next one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each step and at the end
  useEffect(() => {
    if (!isOpening.current) heading.current?.focus();
    isOpening.current = false;
  }, [at]);

  const finish = async (): Promise<void> => {
    setForgotten(await check.finish());
    setAt(STEPS.length);
  };
  const goOn = async (state: State): Promise<void> => {
    setFailure(undefined);
    if (step) setStates((before) => ({ ...before, [step]: state }));
    if (at + 1 < STEPS.length) setAt(at + 1);
    else await finish();
  };
  const ask = async (asked: Step): Promise<void> => {
    const controller = new AbortController();
    // In the click itself: Safari shows no prompt after a wait.
    const asking = check.run(asked, controller.signal);
    setRunning(controller);
    setFailure(undefined);
    const failed = await asking;
    setRunning(undefined);
    setFailure(failed);
    if (failed) setStates((before) => ({ ...before, [asked]: 'failed' }));
    else await goOn('done');
  };

  return (
    <>
      {at === 0 && <What words={words.what} />}
      <Known words={words} check={check} />
      {step ? (
        <section className="card">
          <div>
            <span className="eyebrow">{filled(words.progress, { step: at + 1, all: STEPS.length + 1 })}</span>
            <h2 ref={heading} tabIndex={-1}>
              {words[step].title}
            </h2>
          </div>
          <p className="hint">
            <Filled text={words[step].now} name={PASSKEY_NAME} />
          </p>
          <Problem of={failure && !running ? problemOf(words, failure) : undefined} />
          <p className="status" role="status">
            {running && (
              <>
                <span className="spinner" aria-hidden="true" />
                {words.running}
              </>
            )}
          </p>
          <div className="actions">
            {/* Stays in its place: the second press of a double click must not cancel the prompt. */}
            <button
              type="button"
              className="button primary"
              aria-disabled={running !== undefined}
              onClick={() => !running && void ask(step)}
            >
              {failure ? words.again : words[step].act}
            </button>
            {running && (
              <button type="button" className="button" onClick={() => running.abort()}>
                {words.cancel}
              </button>
            )}
            {failure && !running && check.hasPasskey && (
              <button type="button" className="button" onClick={() => void goOn('failed')}>
                {words.goOn}
              </button>
            )}
            {!running && (failure || check.hasPasskey) && (
              <button type="button" className="button" onClick={() => void finish()}>
                {words.stop}
              </button>
            )}
          </div>
        </section>
      ) : (
        <section className="card verdict" aria-labelledby="verdict">
          <VerdictText words={words} verdict={check.verdict()} heading={heading} />
          {canTry && forgotten && <Forgetting words={words.forgotten} forgotten={forgotten} />}
        </section>
      )}
      {step ? (
        <Steps words={words} states={states} at={at} />
      ) : (
        <Report words={words.report} report={check.report()} onRestart={onRestart} />
      )}
    </>
  );
}

function What({ words }: { words: CheckTexts['what'] }) {
  return (
    <section className="card">
      <h2>{words.title}</h2>
      <ul>
        <li>
          <Filled text={words.makes} name={PASSKEY_NAME} />
        </li>
        <li>{words.safe}</li>
        <li>{words.ends}</li>
      </ul>
    </section>
  );
}

/** What the wallet says of this browser before any step. */
function Known({ words, check }: { words: CheckTexts; check: PasskeyCheck }) {
  const { device } = check.browser;
  const { error } = device;
  const advice = adviceOf(device);
  if (!advice) return null;
  return (
    <div className="warning">
      <AlertIcon />
      <span>
        {errorText(advice)}
        {error !== undefined && device.hasWebAuthn && device.isSecureContext && ` ${words.nevertheless}`}
      </span>
    </div>
  );
}

/** How far the check is. */
function Steps({
  words,
  states,
  at,
}: {
  words: CheckTexts;
  states: Partial<Record<Step, State>>;
  at: number;
}) {
  const rows = [
    ...STEPS.map((step, index) => {
      const state: State = index === at ? 'now' : (states[step] ?? 'later');
      return [words[step].title, state] as const;
    }),
    [words.forget.title, 'later'] as const,
  ];
  return (
    <section className="card">
      <ol className="trial-steps" aria-label={words.steps}>
        {rows.map(([title, state], index) => (
          <li key={title} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
            <span className="number" aria-hidden="true">
              {state === 'done' ? <CheckIcon /> : state === 'failed' ? <AlertIcon /> : index + 1}
            </span>
            <span>
              {title}
              <span className="sr-only">{`: ${words.states[state]}`}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function VerdictText({
  words,
  verdict,
  heading,
}: {
  words: CheckTexts;
  verdict: Verdict;
  heading: React.RefObject<HTMLHeadingElement | null>;
}) {
  const { verdict: texts } = words;
  const tone = verdict.kind === 'works' ? 'good' : verdict.kind === 'refused' ? 'bad' : undefined;
  return (
    <>
      <span className="badge" data-tone={tone}>
        {tone === 'good' ? <CheckIcon /> : tone === 'bad' ? <AlertIcon /> : <KeyIcon />}
      </span>
      <span className="eyebrow">{texts.title}</span>
      <h2 id="verdict" ref={heading} tabIndex={-1}>
        {verdict.kind === 'works' && (verdict.prompts === 1 ? texts.one : texts.two)}
        {verdict.kind === 'refused' && <Filled text={texts.refused} reason={reasonOf(words, verdict)} />}
        {verdict.kind === 'open' && texts.open}
      </h2>
      {verdict.kind === 'works' && (
        <p className="hint">
          {verdict.prompts === 1 ? texts.oneMore : texts.twoMore}
          {verdict.verifiesUnnamed && ` ${texts.unnamedMore}`}
        </p>
      )}
    </>
  );
}

/** In the page's own words for a passkey that was tried; else in those of the error. */
const reasonOf = (
  { verdict: { reasons } }: CheckTexts,
  { code, message = code, values }: Verdict & { readonly kind: 'refused' },
): string => (reasons as Readonly<Record<string, string>>)[code] ?? errorText({ code, message, values });

const problemOf = (words: CheckTexts, failure: Failure): Failure | string =>
  failure.code === 'CANCELLED' ? words.unanswered : failure;

function Forgetting({ words, forgotten }: { words: CheckTexts['forgotten']; forgotten: Forgotten }) {
  return (
    <>
      <p className="hint">
        <Filled text={words[forgotten]} name={PASSKEY_NAME} />
      </p>
      <p className="faint small">
        <Filled text={words.where} site={<b translate="no">{location.hostname}</b>} />
      </p>
    </>
  );
}

function Report({
  words,
  report,
  onRestart,
}: {
  words: CheckTexts['report'];
  report: string;
  onRestart: () => void;
}) {
  const [end, setEnd] = useState<'copied' | 'notCopied'>();
  const copy = (): void => {
    // A fence keeps the lines apart where an issue reads Markdown.
    Promise.resolve()
      .then(() => navigator.clipboard.writeText(`\`\`\`text\n${report}\n\`\`\`\n`))
      .then(
        () => setEnd('copied'),
        () => setEnd('notCopied'),
      );
  };
  return (
    <section className="card" aria-labelledby="report">
      <h2 id="report">{words.title}</h2>
      <p className="hint">{words.lead}</p>
      <p className="hint">{words.safe}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable text needs the keyboard */}
      <pre className="report" tabIndex={0} translate="no">
        {report}
      </pre>
      <p className="status" role="status">
        {end && words[end]}
      </p>
      <div className="actions">
        <button type="button" className="button primary" onClick={copy}>
          {words.copy}
        </button>
        <button type="button" className="button" onClick={onRestart}>
          {words.restart}
        </button>
      </div>
    </section>
  );
}
