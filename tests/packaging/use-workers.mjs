// The relay and a wallet origin as Workers: wrangler bundles them, and workerd runs them.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, good, root } from './tools.mjs';

const here = join(root, 'tests/packaging/workers');

/** Checks that docs/guides/cloudflare-worker.mdx shows the code that runs. */
export function useWorkers(consumer) {
  const project = join(root, 'deploy/workers');
  const guide = readFileSync(join(root, 'docs/guides/cloudflare-worker.mdx'), 'utf8');
  for (const file of readdirSync(project)) {
    const language = file.slice(file.lastIndexOf('.') + 1);
    const block = `\`${file}\`:\n\n\`\`\`${language}\n${readFileSync(join(project, file), 'utf8')}\`\`\`\n`;
    if (!guide.includes(block))
      fail(`docs/guides/cloudflare-worker.mdx does not show ${file} as it is tested`);
  }
  good('docs/guides/cloudflare-worker.mdx shows the Workers that run here');
  cpSync(project, consumer, { recursive: true });
  execFileSync(process.execPath, ['--import', 'tsx', join(here, 'run.ts'), consumer], {
    cwd: root,
    stdio: 'inherit',
  });
}
