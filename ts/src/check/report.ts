/** The report of a check as plain text, a fact a line. */
import { authenticatorName } from './authenticator-names.js';
import type { BrowserFacts } from './browser.js';
import type { Ceremony, Form, Read } from './ceremony.js';
import type { Forgotten } from './passkey-check.js';
import type { Verdict } from './verdict.js';

export interface Findings {
  readonly version: string;
  readonly startedAt: Date;
  readonly browser: BrowserFacts;
  readonly ceremonies: readonly Ceremony[];
  /** Undefined before the end. */
  readonly forgotten: Forgotten | undefined;
  readonly verdict: Verdict;
}

type Line = readonly [name: string, value: string | undefined];

export function reportText({
  version,
  startedAt,
  browser,
  ceremonies,
  forgotten,
  verdict,
}: Findings): string {
  const { device, capabilities } = browser;
  const named = (wanted: boolean): string =>
    Object.entries(capabilities ?? {})
      .flatMap(([name, is]) => (is === wanted ? [name] : []))
      .join(', ') || 'none';
  const head: readonly Line[] = [
    ['verdict', verdictText(verdict)],
    ['date', startedAt.toISOString()],
    ['latchkey', version],
    ['user agent', browser.userAgent],
    ['userAgentData', browser.brands ?? 'none'],
    ['capabilities', capabilities ? named(true) : 'no getClientCapabilities'],
    ['not capable of', capabilities && named(false)],
    ['navigator.credentials.create', browser.isCreateNative ? 'the browser’s own' : 'replaced by a script'],
    ['device check', device.errorCode ?? device.warningCode ?? device.canUsePasskeys],
  ];
  const parts = ceremonies.map((ceremony, at) => [
    `${at + 1}. ${ceremony.step}`,
    ...lines([...ceremonyLines(ceremony)], '   '),
  ]);
  const end: Line = [
    'browser told to forget the passkey',
    toldText(ceremonies.length === 0 ? 'none' : forgotten),
  ];
  return [['Passkey check', ...lines(head)], ...parts, lines([end])]
    .map((part) => part.join('\n'))
    .join('\n\n');
}

const lines = (facts: readonly Line[], indent = ''): string[] =>
  facts.flatMap(([name, value]) => (value === undefined ? [] : [`${indent}${name}: ${value}`]));

function* ceremonyLines({ ms, form, read, failure }: Ceremony): Generator<Line> {
  yield ['time', `${ms} ms`];
  if (failure) {
    yield ['error', failure.thrown ?? 'none of the browser'];
    yield ['wallet', `${failure.code}: ${failure.message}`];
  }
  if (form) yield* formLines(form);
  if (read) yield* readLines(read);
}

function* formLines({ object, toJSON, attachment, transports, prf, outputs }: Form): Generator<Line> {
  yield ['credential', `${object}; toJSON: ${toJSON}`];
  yield ['attachment', attachment];
  yield ['transports', transports];
  yield ['prf', outputs === undefined ? prf : `${prf} (${outputs})`];
}

function* readLines(read: Read): Generator<Line> {
  const { aaguid, isDiscoverable, isOfPlatform, flags, isOther, hasUserHandle, reason } = read;
  yield ['outputs', reason === undefined ? 'both' : `refused: ${reason}`];
  yield ['aaguid', aaguid && `${aaguid} (${authenticatorName(aaguid)})`];
  // A get() says nothing of both.
  if (isOfPlatform !== undefined) {
    yield ['credProps.rk', String(isDiscoverable ?? 'not said')];
    yield ['known platform provider', isOfPlatform ? 'yes' : 'no'];
  }
  yield [
    'flags',
    flags
      ? Object.entries(flags)
          .map(([name, is]) => `${name} ${is ? 1 : 0}`)
          .join(', ')
      : 'not found',
  ];
  if (isOther !== undefined) yield ['passkey', isOther ? 'another one, discarded' : 'the new one'];
  if (hasUserHandle !== undefined) yield ['user handle', hasUserHandle ? 'given' : 'none'];
  for (const { with: step, first, second } of read.compared ?? [])
    yield [`compared with ${step}`, `first ${first}, second ${second}`];
}

function verdictText(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'works':
      return `works with ${verdict.prompts === 1 ? 'one prompt' : 'two prompts'}${
        verdict.verifiesUnnamed ? '; verifies its user only where no passkey is named' : ''
      }`;
    case 'refused':
      return `refused: ${verdict.code}`;
    case 'open':
      return 'not known: the check did not get that far';
  }
}

function toldText(forgotten: Forgotten | undefined): string {
  switch (forgotten) {
    case 'told':
      return 'yes';
    case 'cannot be told':
      return 'no, it has no Signal API';
    case 'none':
      return 'no passkey was made';
    case undefined:
      return 'not yet';
  }
}
