// The types of the packages: for a backend without the DOM library, and in every example of the documentation.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileExamples, examples } from '../../scripts/docs-examples.mjs';
import { fail, good, root, run } from './tools.mjs';

/** The entries of a backend. That of Workers names types which Cloudflare's own declarations bring. */
const BACKEND = ['latchkey/verify', 'latchkey-server', 'latchkey-server/node', 'latchkey-server/wallet/node'];

/** A backend's project has the types of Node and checks those of its libraries. */
export function useWithoutDom(project) {
  const folder = join(project, 'backend');
  mkdirSync(folder);
  const imports = BACKEND.map((entry, number) => `import * as entry${number} from '${entry}';`);
  writeFileSync(
    join(folder, 'main.ts'),
    `${imports.join('\n')}\nexport { ${BACKEND.map((_, n) => `entry${n}`)} };\n`,
  );
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023'],
    module: 'nodenext',
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['main.ts'] }));
  run('node', [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]);
  good(`the types of ${BACKEND.join(', ')} need no DOM library`);
}

/** Every example of the documentation compiles against the packed types. */
export function useExamples(project) {
  const said = compileExamples(join(project, 'examples'));
  if (said !== '') fail(`examples of the documentation do not compile:\n${said}`);
  good(`${examples().length} examples of the documentation compile against the packages`);
}
