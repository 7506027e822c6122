import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = readFileSync(
  new URL('../docs/guides/cloudflare-github-actions-setup.mdx', import.meta.url),
  'utf8',
);
const [, workflow = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];

describe('the workflow that deploys to Cloudflare', () => {
  it('gives a secret only to the steps that deploy, and none to the installation of packages', () => {
    const [head = '', ...steps] = workflow.split(/^ {6}- /m);
    expect(head).not.toContain('secrets.');
    const withSecrets = steps.filter((step) => step.includes('secrets.')).map((step) => step.split('\n')[0]);
    expect(withSecrets).toEqual([
      'run: npx wrangler deploy --config relay.jsonc',
      'run: npx wrangler deploy --config wallet.jsonc',
    ]);
    expect(head).toMatch(/^permissions:\n {2}contents: read$/m);
  });

  it('pins each action by its commit', () => {
    const actions = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action]) => action);
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) expect(action).toMatch(/@[0-9a-f]{40}$/);
  });
});
