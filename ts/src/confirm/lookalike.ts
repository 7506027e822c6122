/** Account ids that a user takes for another one. */

/** What reads alike in account ids, which have no other characters than a-z, 0-9 and the separators. */
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/0/g, 'o'],
  [/[1i]/g, 'l'],
  [/5/g, 's'],
  [/2/g, 'z'],
  [/8/g, 'b'],
  [/[9q]/g, 'g'],
  [/[-_]/g, '.'],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/cl/g, 'd'],
];
/** An id made from a key: 64 hex digits, or an Ethereum-like or deterministic one. */
const IMPLICIT = /^(?:[0-9a-f]{64}|0[xs][0-9a-f]{40})$/;
const PREFIX = /^0[xs]/;
/** How much of such an id users compare at each end. */
const COMPARED = 4;
/** First labels that many apps give to their contracts: two of them in different places are no sign of deceit. */
const ROLE =
  /^(?:v?\d+|app|token|ft|nft|contract|factory|dao|market|pool|staking|lockup|game|registry|router|bridge|oracle|relay|dev|test)$/;
/** What a name gets in front or behind to pass for its owner. With a separator, anything counts. */
const AFFIX =
  /^(?:my|the|real|official|true|its|im|hey|mr|ms|app|pay|wallet|near|support|help|team|dao|hq|fan|org|new|vip|\d{1,4})$/;
/** Shorter labels are a part of too many others. */
const LEAST_AFFIXED = 3;

/**
 * The first of `known` that `id` is easily taken for: it reads the same, is one edit away, has the same head and tail (of
 * an id made from a key), or goes on after it. It also counts if it has the first label of a known one under another
 * parent, with separators dropped or added, or with an affix. First labels that name a role ("token") count only with the
 * rest. Undefined if `id` is itself known.
 */
export function looksLike(id: string, known: readonly string[]): string | undefined {
  if (known.includes(id)) return undefined;
  return known.find((other) => isAlike(id, other));
}

function isAlike(id: string, other: string): boolean {
  if (IMPLICIT.test(id) || IMPLICIT.test(other)) return IMPLICIT.test(id) && isSameEnds(id, other);
  return (
    isOneEdit(id, other) ||
    isOneEdit(readsAs(id), readsAs(other)) ||
    joined(readsAs(id)) === joined(readsAs(other)) ||
    id.startsWith(`${other}.`) ||
    isSameLabel(firstLabel(id), firstLabel(other))
  );
}

/** Whether two first labels read as one name, or one as the other with an affix. */
function isSameLabel(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (ROLE.test(short)) return false;
  const [part, whole] = [readsAs(short), readsAs(long)];
  if (joined(part) === joined(whole)) return true;
  if (short.length < LEAST_AFFIXED) return false;
  return whole.startsWith(`${part}.`) || whole.endsWith(`.${part}`) || isAffixed(joined(long), joined(short));
}

function isAffixed(whole: string, part: string): boolean {
  return (
    (whole.startsWith(part) && AFFIX.test(whole.slice(part.length))) ||
    (whole.endsWith(part) && AFFIX.test(whole.slice(0, -part.length)))
  );
}

const firstLabel = (id: string): string => id.split('.', 1)[0] as string;
const joined = (text: string): string => text.replace(/[-_.]/g, '');

function isSameEnds(id: string, other: string): boolean {
  const [a, b] = [id.replace(PREFIX, ''), other.replace(PREFIX, '')];
  return a.slice(0, COMPARED) === b.slice(0, COMPARED) && a.slice(-COMPARED) === b.slice(-COMPARED);
}

/** A text of a-z, 0-9 and separators, with one character for all that read alike. */
export function readsAs(id: string): string {
  return ALIKE.reduce((text, [pattern, as]) => text.replace(pattern, as), id);
}

/** Whether at most one insertion, deletion, replacement or swap of neighbours makes one of the other. */
function isOneEdit(a: string, b: string): boolean {
  let head = 0;
  while (head < a.length && a[head] === b[head]) head += 1;
  let tail = 0;
  const most = Math.min(a.length, b.length) - head;
  while (tail < most && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const [left, right] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
