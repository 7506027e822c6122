import { Fragment, type ReactNode } from 'react';

/** A text with each name in braces replaced by what it stands for. */
export function Filled({ text, ...values }: { text: string } & Record<string, ReactNode>) {
  return text.split(/\{(\w+)\}/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
    <Fragment key={at}>{at % 2 === 1 ? values[part] : part}</Fragment>
  ));
}
