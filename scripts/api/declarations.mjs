// Reads the exported declarations of a TypeScript source, with their doc comments, by Vite's parser. TypeDoc takes no TypeScript 7,
// and the pages have an order and tables of their own.
import { parseSync } from 'vite';

/** @typedef {{ name: string, optional: boolean, type: string, doc: string }} Member */
/**
 * A signature has neither `export` nor a body.
 * @typedef {{ kind: string, name: string, doc: string, signature: string, parents: string, members: Member[] }} Declaration
 */

const KINDS = {
  TSInterfaceDeclaration: 'interface',
  TSTypeAliasDeclaration: 'type',
  ClassDeclaration: 'class',
  FunctionDeclaration: 'function',
  TSDeclareFunction: 'function',
  VariableDeclaration: 'const',
};

/** The statements of a module, and the doc comment in front of each node. */
export function parsed(source) {
  const { program, comments } = parseSync('source.ts', source);
  const docOf = ({ start }) => {
    const comment = comments.findLast(({ end }) => end <= start);
    const isDoc = comment?.value.startsWith('*') && source.slice(comment.end, start).trim() === '';
    return isDoc ? oneLineAParagraph(comment.value) : '';
  };
  return { statements: program.body, docOf };
}

/** @returns {Declaration[]} in the order of the source */
export function declarationsOf(source) {
  const { statements, docOf } = parsed(source);
  return statements.flatMap((statement) => {
    const node = statement.declaration;
    const kind = KINDS[node?.type];
    if (!kind) return [];
    const { name } = (node.declarations?.[0] ?? node).id;
    return {
      kind,
      name,
      doc: docOf(statement),
      signature: signatureOf(node, kind, source),
      parents: kind === 'interface' ? node.extends.map((each) => textOf(each, source)).join(', ') : '',
      members: membersOf(node, source, docOf),
    };
  });
}

const textOf = ({ start, end }, source) => source.slice(start, end);

function signatureOf(node, kind, source) {
  const until = (end, start = node.start) => source.slice(start, end).trimEnd();
  if (kind === 'class') return `${until(node.body.start)} { … }`;
  if (kind === 'function' && node.body) {
    const pattern = node.params.find(({ type }) => type === 'ObjectPattern');
    const head = pattern
      ? `${source.slice(node.start, pattern.start)}options${until(node.body.start, pattern.typeAnnotation.start)}`
      : until(node.body.start);
    return `${head.replace(/^async /, '')};`;
  }
  if (kind === 'const') return `${until(node.declarations[0].id.end)};`;
  return textOf(node, source);
}

/** The public members that have a name and a type. */
function membersOf({ body }, source, docOf) {
  const members = Array.isArray(body?.body) ? body.body : [];
  return members
    .filter(({ key, accessibility, kind, ...member }) => {
      const isCall = member.type === 'TSMethodSignature' || member.type === 'MethodDefinition';
      const isPublic = accessibility !== 'private' && !member.static && kind !== 'get' && kind !== 'set';
      return key?.type === 'Identifier' && isPublic && (isCall || member.typeAnnotation);
    })
    .map((member) => {
      const end = member.value?.body?.start ?? member.typeAnnotation?.end ?? member.end;
      const type = source.slice(member.key.end, end).replace(/^\?/, '');
      return { name: member.key.name, optional: member.optional, type: tidy(type), doc: docOf(member) };
    });
}

/** The text of a doc comment, in one line for each paragraph. */
function oneLineAParagraph(comment) {
  return comment
    .replaceAll(/^\s*\* ?(.*)$/gm, (_, line) => line.trim())
    .trim()
    .replaceAll(/([^\n])\n(?=[^\n-])/g, '$1 ');
}

/** The type of a member, in one line and without what only a source needs. */
function tidy(type) {
  return type
    .replaceAll(/\/\*\*[\s\S]*?\*\//g, '')
    .replaceAll(/\breadonly (?=\w+\??:)/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('( ', '(')
    .replaceAll(', )', ')')
    .replace(/^: (?:\| )?/, '')
    .replace(/;$/, '')
    .trim();
}
