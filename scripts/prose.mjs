// Checks the English of pages, comments and test titles against scripts/prose/style.mjs, with textlint.
// Usage: node scripts/prose.mjs [PATH]...   lists the findings, by default of the whole repository; exits 1 on any
//        node scripts/prose.mjs --count     prints the number of findings of each folder of the repository; exits 0
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import { commentsPlugin } from './prose/comments.mjs';
import { EXCEPTIONS } from './prose/config.mjs';
import { RULES } from './prose/style.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const kernel = new TextlintKernel();
const OPTIONS = {
  plugins: [
    { pluginId: 'markdown', plugin: markdown.default ?? markdown, options: { extensions: ['.mdx'] } },
    { pluginId: 'comments', plugin: commentsPlugin },
  ],
  rules: Object.entries(RULES).map(([ruleId, rule]) => ({ ruleId, rule })),
};

/** The findings in one text: `{ file, line, column, rule, message }`. */
export async function findingsIn(text, file) {
  const { messages } = await kernel.lintText(text, { ...OPTIONS, filePath: file, ext: extname(file) });
  const lines = text.split('\n');
  return messages
    .filter(({ line }) => !isExcepted(file, lines.slice(line - 1, line + 1).join('\n')))
    .map(({ line, column, ruleId, message }) => ({ file, line, column, rule: ruleId, message }));
}

function isExcepted(file, text) {
  return EXCEPTIONS.some(
    (exception) => file.startsWith(exception.in) && (exception.text === '*' || text.includes(exception.text)),
  );
}

function filesUnder(paths) {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--'];
  const listed = execFileSync('git', [...args, ...paths], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return [...new Set(listed.split('\n'))].filter(
    (file) => /\.(?:mdx?|tsx?|m?js|rs|sh)$/.test(file) && existsSync(`${ROOT}${file}`),
  );
}

async function findingsUnder(paths) {
  const all = await Promise.all(
    filesUnder(paths).map((file) => findingsIn(readFileSync(`${ROOT}${file}`, 'utf8'), file)),
  );
  return all.flat();
}

/** A file's folder, two levels deep below ts/src and crates, one elsewhere. */
function folderOf(file) {
  const parts = file.split('/');
  const depth = parts[0] === 'ts' ? 3 : parts[0] === 'docs' ? 1 : 2;
  return parts.length === 1 ? '.' : parts.slice(0, Math.min(depth, parts.length - 1)).join('/');
}

async function count() {
  const counts = new Map(filesUnder(['.']).map((file) => [folderOf(file), 0]));
  const findings = await findingsUnder(['.']);
  for (const { file } of findings) counts.set(folderOf(file), counts.get(folderOf(file)) + 1);
  for (const [folder, findingsThere] of [...counts].toSorted(([a], [b]) => a.localeCompare(b))) {
    console.log(`${String(findingsThere).padStart(5)}  ${folder}`);
  }
  console.log(`${String(findings.length).padStart(5)}  in all`);
}

async function lint(paths) {
  const findings = await findingsUnder(paths);
  for (const { file, line, column, rule, message } of findings) {
    console.log(`${file}:${line}:${column}  ${message}  (${rule})`);
  }
  if (findings.length > 0) {
    console.error(`${findings.length} ${findings.length === 1 ? 'finding' : 'findings'} in the prose.`);
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const args = process.argv.slice(2);
  if (args[0] === '--count') await count();
  else await lint(args.length > 0 ? args : ['.']);
}
