// Pieces of MDX that the pages of the API are made of.

/** A doc comment as MDX: links become code, and no character starts an expression or a tag. */
export function prose(doc) {
  return doc
    .replaceAll(/\{@link (?:\w+\.)?(\w+)\}/g, '`$1`')
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll(/[{}<]/g, '\\$&')))
    .join('');
}

export const code = (text) => `\`${text}\``;

export function row(cells) {
  return `| ${cells.map((cell) => cell.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`;
}

export function table(heads, rows) {
  return [row(heads), `|${heads.map(() => '---|').join('')}`, ...rows.map(row)].join('\n');
}

/** The members of a declaration: name, type, doc. */
export function membersTable({ members }) {
  return table(
    ['field', 'type', ''],
    members.map(({ name, optional, type, doc }) => [
      code(`${name}${optional ? '?' : ''}`),
      code(type),
      prose(doc),
    ]),
  );
}

const isDocumented = ({ doc }) => doc !== '';

/** One declaration: its doc, and its members or its signature. */
export function section({ name, doc, kind, members, signature, parents }, level = '##') {
  const shown = kind === 'class' ? members.filter(isDocumented) : members;
  const body =
    shown.length > 0
      ? [parents && `With the fields of ${code(parents)}.`, membersTable({ members: shown })]
      : [`\`\`\`ts\n${signature}\n\`\`\``];
  return [`${level} \`${name}\``, prose(doc), ...body].filter(Boolean).join('\n\n');
}

/** The page, with a note of where it comes from. */
export const page = (title, ...parts) =>
  `{/* Written by scripts/api-pages.mjs. Change the source that it names, then run it. */}\n# ${title}\n\n${parts.join('\n\n')}\n`;
