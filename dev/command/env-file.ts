// The file of variables that `--write-env` keeps, for tools that read a file: a build, a preview, an editor.
import { readFile, writeFile } from 'node:fs/promises';

const MARK = '# latchkey-dev writes this file at each start. Delete this line, and it never does again.';

/** Writes the variables, unless the file is another's. Returns a sentence that says which. */
export async function writeEnvFile(
  file: string,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const before = await readFile(file, 'utf8').catch(ifMissing);
  if (before !== null && !before.startsWith(MARK))
    return `${file} stays as it is: latchkey-dev did not write it.`;
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  await writeFile(file, `${[MARK, ...lines].join('\n')}\n`);
  return `${file} has the variables of this stack.`;
}

function ifMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
