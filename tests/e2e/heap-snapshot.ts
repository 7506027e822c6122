import type { CDPSession } from '@playwright/test';

/** What a heap holds, without compiled code and without what DevTools records of each request while a test looks on. */
export interface Held {
  readonly bytes: number;
  /** How many objects, closures, arrays and strings of each name the page's own code has made. */
  readonly counts: ReadonlyMap<string, number>;
}

/** The node types of V8's snapshots that a page's code makes; the others are the engine's and the browser's own. */
const OF_SCRIPTS: ReadonlySet<string> = new Set(['object', 'closure', 'array', 'string', 'regexp', 'number']);
const RECORDED_BY_DEVTOOLS = 'blink::NetworkResourcesData::ResourceData';

interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly node_types: readonly [readonly string[]];
    };
  };
  /** The fields of each node, one node after the other. */
  readonly nodes: readonly number[];
  readonly strings: readonly string[];
}

/** Collects garbage, and reads what is left. */
export async function heldIn(session: CDPSession): Promise<Held> {
  const { snapshot, nodes, strings } = await takeSnapshot(session);
  const fields = snapshot.meta.node_fields;
  const field = (at: number, name: string): number => nodes[at + fields.indexOf(name)] ?? 0;
  const counts = new Map<string, number>();
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length) {
    const type = snapshot.meta.node_types[0][field(at, 'type')] ?? '';
    const name = strings[field(at, 'name')] ?? '';
    if (type === 'code' || name === RECORDED_BY_DEVTOOLS) continue;
    bytes += field(at, 'self_size');
    if (OF_SCRIPTS.has(type)) counts.set(`${type} ${name}`, (counts.get(`${type} ${name}`) ?? 0) + 1);
  }
  return { bytes, counts };
}

async function takeSnapshot(session: CDPSession): Promise<Snapshot> {
  const chunks: string[] = [];
  const onChunk = ({ chunk }: { chunk: string }) => void chunks.push(chunk);
  session.on('HeapProfiler.addHeapSnapshotChunk', onChunk);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  session.off('HeapProfiler.addHeapSnapshotChunk', onChunk);
  return JSON.parse(chunks.join('')) as Snapshot;
}
