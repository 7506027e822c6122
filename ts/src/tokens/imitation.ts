/** Tokens whose name or symbol is easily taken for that of NEAR or of another token. */
import { readsAs } from '../confirm/lookalike.js';
import type { TokenMetadata } from './metadata.js';

type Named = Pick<TokenMetadata, 'contractId' | 'symbol' | 'name'>;

/** What NEAR itself is called. No contract keeps it. */
const NEAR_NAMES = ['near', 'nearprotocol', 'neartoken', 'nearcoin', 'nativenear', 'nearnative'].map(readsAs);
/** NEAR in the form of a token: the contracts that may have its name. */
const WRAPPED = {
  names: ['wnear', 'wrappednear', 'wrappednearfungibletoken'].map(readsAs),
  at: /^wrap\.(?:near|testnet)$/,
};

/**
 * Letters of other scripts that look like a Latin one (a part of the table of UTS #39). The first text has the letters, the second
 * what each looks like.
 */
const CONFUSABLE = pairs(
  // Cyrillic, large and small
  'АВЕЅІЈКМНОРСТУХԜҮЯаеһіјорѕсухԁԛԝгпктя',
  'abesijkmhopctyxwyraehijopscyxdqwrnktr',
  // Greek, large and small
  'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαεηικνορτυχω',
  'abezhikmnoptyxaenikvoptuxw',
  // Digits and signs in place of letters
  '34@',
  'eaa',
  // Small capitals, and letters with a stroke or without a dot
  'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢıłøđħŧɑɡոօ',
  'abcdefghijklmnoprstuvwyzilodhtagno',
);

/**
 * What tokens would be taken for, by their contract: `'NEAR'`, or the contract of another. A chosen one is compared with NEAR and with those chosen before it, any
 * other with NEAR and with all.
 */
export function imitations(tokens: readonly Named[], chosen: readonly string[]): ReadonlyMap<string, string> {
  const skeletons = tokens.map(({ symbol, name }) => new Set([symbol, name].map(skeletonOf).filter(Boolean)));
  const found = new Map<string, string>();
  for (const [index, { contractId }] of tokens.entries()) {
    const own = skeletons[index] as ReadonlySet<string>;
    const rank = rankOf(contractId, chosen);
    const other = tokens.find(
      ({ contractId: id }, at) =>
        at !== index && isBefore(rankOf(id, chosen), rank) && overlap(own, skeletons[at]),
    );
    const imitated = imitatesNear(contractId, own) ? 'NEAR' : other?.contractId;
    if (imitated !== undefined) found.set(contractId, imitated);
  }
  return found;
}

/** The place among the chosen; undefined for any other. */
const rankOf = (contractId: string, chosen: readonly string[]): number | undefined => {
  const at = chosen.indexOf(contractId);
  return at < 0 ? undefined : at;
};

/** Whether a token of the first rank may have the name that one of the second has. */
const isBefore = (first: number | undefined, second: number | undefined): boolean =>
  second === undefined || (first !== undefined && first < second);

const overlap = (own: ReadonlySet<string>, others: ReadonlySet<string> = new Set()): boolean =>
  [...own].some((skeleton) => others.has(skeleton));

function imitatesNear(contractId: string, skeletons: ReadonlySet<string>): boolean {
  const reserved = WRAPPED.at.test(contractId) ? NEAR_NAMES : [...NEAR_NAMES, ...WRAPPED.names];
  return reserved.some((name) => skeletons.has(name));
}

/** What a text reads as: confusable letters, case, marks and everything that is no letter or digit do not count. */
function skeletonOf(text: string): string {
  const letters = [...text.normalize('NFKD')].map((letter) => CONFUSABLE.get(letter) ?? letter);
  return readsAs(letters.join('').toLowerCase()).replace(/[^\p{L}\p{N}]/gu, '');
}

function pairs(...texts: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at < texts.length; at += 2) {
    const [from, to] = [[...(texts[at] ?? '')], [...(texts[at + 1] ?? '')]];
    for (const [index, letter] of from.entries()) found.set(letter, to[index] as string);
  }
  return found;
}
