// Draws the sequence diagrams of the pages, which GitHub draws by Mermaid: participants, messages and notes. Mermaid itself needs a
// browser to measure text, and the site is built without one.
import type { Element, ElementContent } from 'hast';
import { h, s } from 'hastscript';

const COLUMN = 240;
const MARGIN = 90;
const HEAD = 56;
const LINE = 17;
const GAP = 18;
/** The characters that fit on a line between two participants. */
const LINE_LENGTH = 32;

interface Step {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly isNote: boolean;
}

/** The diagram of a block of Mermaid; undefined for another kind of diagram, or a line that this does not know. */
export function sequenceDiagram(source: string): Element | undefined {
  const [kind, ...lines] = source
    .trim()
    .split('\n')
    .map((line) => line.trim());
  if (kind !== 'sequenceDiagram') return undefined;
  const names: string[] = [];
  const labels: string[] = [];
  const steps: Step[] = [];
  for (const line of lines) {
    const [, name, label = name] = /^participant (\w+)(?: as (.+))?$/.exec(line) ?? [];
    const [, from, to, message] = /^(\w+)->>(\w+): (.+)$/.exec(line) ?? [];
    const [, over, note] = /^Note over (\w+): (.+)$/.exec(line) ?? [];
    if (name !== undefined) {
      names.push(name);
      labels.push(label ?? name);
    } else if (message !== undefined) {
      steps.push({
        from: names.indexOf(from ?? ''),
        to: names.indexOf(to ?? ''),
        text: message,
        isNote: false,
      });
    } else if (note !== undefined) {
      const at = names.indexOf(over ?? '');
      steps.push({ from: at, to: at, text: note, isNote: true });
    } else return undefined;
  }
  return figure(labels, steps);
}

const xOf = (participant: number): number => MARGIN + participant * COLUMN;

function figure(labels: readonly string[], steps: readonly Step[]): Element {
  let y = HEAD;
  const drawn = steps.flatMap((step) => {
    const lines = wrapped(step.text);
    y += GAP + lines.length * LINE;
    return drawStep(step, lines, y);
  });
  const height = y + GAP;
  const width = xOf(labels.length - 1) + COLUMN;
  const columns = labels.flatMap((label, at) => [
    s('line', { class: 'lifeline', x1: xOf(at), y1: HEAD - 14, x2: xOf(at), y2: height }),
    s('text', { class: 'participant', x: xOf(at), y: 24 }, label),
  ]);
  const described = steps
    .map(({ from, to, text, isNote }) =>
      isNote || from === to ? `${labels[from]}: ${text}` : `${labels[from]} to ${labels[to]}: ${text}`,
    )
    .join('. ');
  return h('figure', { class: 'scroll', role: 'region', ariaLabel: 'Diagram', tabIndex: 0 }, [
    s(
      'svg',
      {
        class: 'sequence',
        role: 'img',
        ariaLabel: described,
        viewBox: `0 0 ${width} ${height}`,
        width,
        height,
      },
      [...columns, ...drawn],
    ),
  ]);
}

/** The texts end above the step's line, at `y`. */
function drawStep({ from, to, isNote }: Step, lines: readonly string[], y: number): ElementContent[] {
  const isOwn = from === to;
  const x = isOwn ? xOf(from) + 12 : (xOf(from) + xOf(to)) / 2;
  const texts = lines.map((line, at) =>
    s(
      'text',
      { class: isNote ? 'note' : isOwn ? 'own' : 'message', x, y: y - 6 - (lines.length - 1 - at) * LINE },
      line,
    ),
  );
  if (isOwn) return texts;
  const way = Math.sign(to - from);
  const end = xOf(to) - way * 2;
  return [
    ...texts,
    s('line', { class: 'arrow', x1: xOf(from), y1: y, x2: end, y2: y }),
    s('path', { class: 'head', d: `M ${end} ${y} l ${-way * 8} -4 v 8 z` }),
  ];
}

/** The text in lines that fit between two participants. */
function wrapped(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + word.length >= LINE_LENGTH) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}
