// Catalogues are data: texts with names in braces, which the code fills, and a text for each form that a number has.

/** The forms of a text that counts, by the names of CLDR; `other` fits where the language has no form of its own. */
export type Plural = { readonly other: string } & {
  readonly [Form in Intl.LDMLPluralRule]?: string | undefined;
};

/** The same texts in another language. What it lacks is in English. */
export type Translation<Part> = Part extends string
  ? string
  : Part extends { readonly other: string }
    ? Plural
    : Part extends readonly unknown[]
      ? readonly { readonly [Index in keyof Part]: Translation<Part[Index]> }[number][]
      : { readonly [Name in keyof Part]?: Translation<Part[Name]> | undefined };

type Tree = Readonly<Record<string, unknown>>;

const isPart = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('other' in value);

/** Every text of the English part, from the translation where it has it. */
export function translated<Part>(english: Part, translation: Translation<Part> | undefined): Part {
  if (translation === undefined) return english;
  const merged = Object.entries(english as Tree).map(([name, value]) => {
    const own = (translation as Tree)[name];
    return [
      name,
      isPart(value) ? translated<Tree>(value, own as Translation<Tree> | undefined) : (own ?? value),
    ];
  });
  return Object.fromEntries(merged);
}

/** By the translation that they complete. */
const complete = new WeakMap<object, unknown>();

/** As {@link translated}, made once for each translation: for a part that loads later. */
export function inFull<Part>(english: Part, translation: Translation<Part> | undefined): Part {
  if (typeof translation !== 'object' || translation === null) return english;
  const known = complete.get(translation) ?? translated(english, translation);
  complete.set(translation, known);
  return known as Part;
}
