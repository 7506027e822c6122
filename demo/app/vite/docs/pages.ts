// Which files are the documentation's pages, and where each stands in it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url));

/** The sidebar's groups in their order, by the folder below `docs/` that holds the pages of each. */
const GROUPS = {
  'getting-started': 'Getting Started',
  guides: 'Guides',
  concepts: 'Concepts',
  api: 'API Reference',
  maintainers: 'For maintainers',
} as const;

type GroupFolder = keyof typeof GROUPS;

/** A page in `docs/` itself belongs to the guides. */
const DEFAULT_GROUP: GroupFolder = 'guides';

/** Pages that the repository keeps at its root, for maintainers. */
const AT_ROOT = ['CONTRIBUTING', 'SECURITY', 'CHANGELOG'];

/** A page of the documentation. */
export interface Page {
  /** In the repository, such as `docs/guides/passkeys.mdx`. */
  readonly file: string;
  /** Such as `/docs/guides/passkeys`. */
  readonly route: string;
  /** The text of its first heading. */
  readonly title: string;
  /** The name of its group in the sidebar; null for the overview. */
  readonly group: string | null;
}

/** Every page in reading order: the overview, then each group, in the order of `docs/order.json` and then by name. */
export function docsPages(repository = REPOSITORY): Page[] {
  const order: Partial<Record<string, string[]>> = JSON.parse(
    readFileSync(join(repository, 'docs/order.json'), 'utf8'),
  );
  const files = readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.mdx?$/.test(path))
    .map((path) => ({ file: `docs/${path}`, path: pathOf(path) }));
  const root = AT_ROOT.map((name) => ({ file: `${name}.md`, path: name.toLowerCase() }));
  const placed = [
    ...files.map((each) => ({ ...each, folder: folderOf(each.path) })),
    ...root.map((each) => ({ ...each, folder: 'maintainers' as const })),
  ].map(({ file, path, folder }) => ({
    file,
    route: path === '' ? '/docs' : `/docs/${path}`,
    title: titleOf(readFileSync(join(repository, file), 'utf8')),
    group: folder && GROUPS[folder],
    rank: rankOf(path, folder, order),
  }));
  return placed
    .toSorted((a, b) => compareRanks(a.rank, b.rank))
    .map(({ file, route, title, group }) => ({ file, route, title, group }));
}

/** `guides/passkeys.mdx` gives `guides/passkeys`; an `index` is its folder. */
const pathOf = (file: string): string => file.replace(/\.mdx?$/, '').replace(/(^|\/)index$/, '');

function folderOf(path: string): GroupFolder | null {
  if (path === '') return null;
  const [first = ''] = path.split('/');
  return first in GROUPS ? (first as GroupFolder) : DEFAULT_GROUP;
}

type Rank = readonly [group: number, place: number, path: string];

function rankOf(path: string, folder: GroupFolder | null, order: Partial<Record<string, string[]>>): Rank {
  if (folder === null) return [-1, 0, path];
  const place = order[folder]?.indexOf(path.slice(folder.length + 1)) ?? -1;
  const isOverview = path === folder;
  return [
    Object.keys(GROUPS).indexOf(folder),
    isOverview ? -1 : place < 0 ? Number.POSITIVE_INFINITY : place,
    path,
  ];
}

const compareRanks = (a: Rank, b: Rank): number =>
  a[0] - b[0] || (a[1] === b[1] ? a[2].localeCompare(b[2]) : a[1] - b[1]);

/** The first heading's text, without Markdown's marks. */
function titleOf(source: string): string {
  const [, heading = ''] = /^# (.*)$/m.exec(source) ?? [];
  return heading.replaceAll(/[`*]/g, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}
