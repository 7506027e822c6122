import type { Plural } from './catalogue.js';
import { texts } from './current.js';
import { locale } from './locale.js';

const rules = new Map<string, Intl.PluralRules>();

/** The form of a text for this number in the language of the page, with the number in its digits for `{count}`. */
export function counted(forms: Plural, count: number): string {
  const { language } = texts();
  const rule = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, rule);
  const form = forms[rule.select(count)] ?? forms.other;
  return form.replaceAll('{count}', count.toLocaleString(locale()));
}
