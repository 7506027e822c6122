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

/** One declaration: its doc, and its members or its text. */
export function section(declaration, level = '##') {
  const { name, doc, kind, members, text } = declaration;
  const body =
    kind === 'interface' && members.length > 0
      ? [heritage(text), membersTable(declaration)].filter(Boolean).join('\n\n')
      : kind === 'class' && members.some(isDocumented)
        ? membersTable({ members: members.filter(isDocumented) })
        : `\`\`\`ts\n${signature(text, kind)}\n\`\`\``;
  return [`${level} \`${name}\``, prose(doc), body].filter(Boolean).join('\n\n');
}

function heritage(text) {
  const [, parents] =
    /^export interface \w+(?:<[^{]*>)? extends ([^{]+)\{/.exec(text.replaceAll('\n', ' ')) ?? [];
  return parents ? `With the fields of ${code(parents.trim())}.` : '';
}

/** A declaration without its body. */
function signature(text, kind) {
  const head = text.replace(/^export (?:declare )?(?:async )?/, '');
  if (kind === 'function') return head.replace(/\s*\{$/, ';');
  if (kind === 'const') return head.replace(/ = [\s\S]*$/, ';');
  if (kind === 'class') return `${head.split('\n')[0]} … }`;
  return head;
}

/** The page, with a note of where it comes from. */
export const page = (title, ...parts) =>
  `{/* Written by scripts/api-pages.mjs. Change the source that it names, then run it. */}\n# ${title}\n\n${parts.join('\n\n')}\n`;
