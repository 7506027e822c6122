// Draws the figures of `npm run just -- bench relays` as two plots next to each other, light and dark.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The figures as they were measured. */
export const MEASURED = fileURLToPath(new URL('../measured/relays.json', import.meta.url));
const PICTURES = fileURLToPath(new URL('../../../docs/pictures', import.meta.url));

/** The colours of the site's two themes. */
export const THEMES = {
  light: { text: '#1d1a15', muted: '#5f574a', line: '#ded6c7', series: ['#7a5200', '#1d6541', '#2b4f8f'] },
  dark: { text: '#f3eee5', muted: '#aba294', line: '#35312a', series: ['#e9bd62', '#85d6aa', '#9dbdf5'] },
};

const PANEL = { width: 340, height: 300, left: 44, right: 16, top: 52, bottom: 44 };
const INNER = {
  width: PANEL.width - PANEL.left - PANEL.right,
  height: PANEL.height - PANEL.top - PANEL.bottom,
};
/** The shapes tell the series apart without their colours. */
const SHAPES = [
  (x, y) => `<circle cx="${x}" cy="${y}" r="4.5"/>`,
  (x, y) => `<rect x="${x - 4}" y="${y - 4}" width="8" height="8"/>`,
  (x, y) => `<path d="M${x} ${y - 5.5}l5.5 9.5h-11z"/>`,
];

/** The plot as an SVG document: registrations over the keys, and unlocks over the connections. */
export function plotOf({ registrations, unlocks }, theme) {
  const width = 2 * PANEL.width;
  const panels = [
    panelOf(
      registrations.rows,
      { title: 'registrations a second', along: 'keys', under: 'keys of the relayer' },
      theme,
    ),
    panelOf(
      unlocks.rows,
      { title: 'unlocks a second', along: 'connections', under: 'connections to each relay' },
      theme,
    ),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${PANEL.height}" viewBox="0 0 ${width} ${PANEL.height}"`,
    ` font-family="system-ui, sans-serif" font-size="12" fill="${theme.text}">`,
    '<title>Registrations and unlocks a second, by the number of relays</title>',
    ...panels.map((panel, index) => `<g transform="translate(${index * PANEL.width} 0)">${panel}</g>`),
    '</svg>\n',
  ].join('\n');
}

const nameOf = ({ relays, share }) =>
  `${relays} ${relays === 1 ? 'relay' : 'relays'}${share === 'Redis' ? ', Redis' : ''}`;

/** One line for each set of relays, over a count whose steps are even. */
function panelOf(rows, { title, along, under }, theme) {
  const counts = [...new Set(rows.map((row) => row[along]))];
  const names = [...new Set(rows.map(nameOf))];
  const scale = scaleOf(rows);
  const xOf = (count) => PANEL.left + (counts.indexOf(count) / Math.max(1, counts.length - 1)) * INNER.width;
  const lines = names.map((name, series) => {
    const points = rows
      .filter((row) => nameOf(row) === name)
      .map((row) => [round(xOf(row[along])), round(scale.yOf(row.perSecond))]);
    const marks = points.map(([x, y]) => SHAPES[series % SHAPES.length](x, y)).join('');
    const path = `<polyline points="${points.join(' ')}" fill="none" stroke-width="2"/>`;
    const colour = theme.series[series % theme.series.length];
    return `<g stroke="${colour}" fill="${colour}">${path}${marks}</g>`;
  });
  const legend = names.map((name, series) => {
    const x = PANEL.left + series * 88;
    const mark = `<g fill="${theme.series[series % theme.series.length]}">${SHAPES[series % SHAPES.length](x + 5, 38)}</g>`;
    return `${mark}<text x="${x + 15}" y="42">${name}</text>`;
  });
  const ticks = counts.map((count) => tick(xOf(count), count, theme)).join('');
  return [frame(title, under, scale, theme), ticks, ...lines, ...legend].join('');
}

/** Title, axes and lines of a panel. */
function frame(title, along, scale, theme) {
  const right = PANEL.left + INNER.width;
  const lines = scale.marks.map((mark) => {
    const y = round(scale.yOf(mark));
    return (
      `<line x1="${PANEL.left}" y1="${y}" x2="${right}" y2="${y}" stroke="${theme.line}"/>` +
      `<text x="${PANEL.left - 8}" y="${y + 4}" text-anchor="end" fill="${theme.muted}">${mark}</text>`
    );
  });
  const name = `<text x="${PANEL.left}" y="18" font-weight="600">${title}</text>`;
  const x = PANEL.left + INNER.width / 2;
  const axis = `<text x="${x}" y="${PANEL.height - 6}" text-anchor="middle" fill="${theme.muted}">${along}</text>`;
  return name + axis + lines.join('');
}

const tick = (x, label, theme) =>
  `<text x="${round(x)}" y="${PANEL.height - 26}" text-anchor="middle" fill="${theme.muted}">${label}</text>`;

/** A scale from zero with four to six even marks. */
function scaleOf(rows) {
  const most = Math.max(...rows.map(({ perSecond }) => perSecond)) * 1.08;
  const rough = most / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const marks = Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => Math.round(index * step));
  const top = marks.at(-1);
  return { marks, yOf: (value) => PANEL.top + INNER.height * (1 - value / top) };
}

const round = (number) => Math.round(number * 10) / 10;

/** Draws the stored figures into the documentation's pictures. */
export async function writePlots() {
  const figures = JSON.parse(await readFile(MEASURED, 'utf8'));
  for (const [name, theme] of Object.entries(THEMES))
    await writeFile(`${PICTURES}/relays.${name}.svg`, plotOf(figures, theme));
}
