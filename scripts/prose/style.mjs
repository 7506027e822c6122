/**
 * The house style for prose: pages, comments and test titles. Each pattern runs over one paragraph, its lines joined by
 * spaces and its code replaced by `CODE`, so a pattern may span a line break.
 */

/** Above this, a sentence is split. */
export const MAX_WORDS = 45;

/** A pattern and the advice that a finding prints. With 'sentence' it runs over each sentence alone, and skips headings. */
const PATTERNS = {
  words: [
    [/\banew\b/gi, "write 'again'"],
    [/\bat once\b/gi, "write 'immediately', or 'at the same time'"],
    [/\bbeside\b/gi, "write 'next to', or 'with'"],
    [/\bwho(?:m)?(?:so)?ever\b/gi, 'name who it is: the user, a host, the caller'],
    [/\bnobody\b/gi, 'name who cannot: no host, no user, no caller'],
    [/\bfor ever\b/gi, "write 'forever'"],
    [/\bas good as new\b/gi, 'say which state it has'],
    [/\bnothing (?:but|that)\b/gi, "write 'only', or say what it does"],
    [/\bno more(?= *[.,;:]|$)/gi, "write 'no longer', or what became of it"],
    [/\bany ?more(?= *[.,;:]|$)/gi, "write 'no longer' before the verb"],
    [/\bsomebody\b/gi, 'name who it is: another user, another tab, the caller'],
    [/\b(?:takes?|took|taken|taking) (?:it |them )?away\b/gi, "write 'remove'"],
    [/\bone(?:'|’)s own\b/gi, "write 'its own' or 'your own'"],
    [/\bstands? still\b/gi, "write 'is paused'"],
    [/\ball the same\b/gi, "write 'anyway' or 'still'"],
    [
      /\bfrom whence\b|\bwhence\b|\bthereby\b|\bthereof\b|\bwherein\b|\bhitherto\b|\blest\b|\bupon\b/gi,
      'use a plain word',
    ],
    [/\bof (?:the|a|an) [\w-]+(?:'|’)s own\b/gi, "write 'its own …'"],
    [/\bof ours\b|\bof theirs\b|\bof yours\b/gi, "write 'our', 'their', 'your' before the noun"],
    [/\bthe other way (?:round|about)\b/gi, "write 'in reverse'"],
  ],
  order: [
    [
      /[,;:] for (?:it|they|he|she|we|there|that|this|these|those) (?:is|are|was|were|has|have|can|may|would|will|do|does)\b/gi,
      "write 'because'",
    ],
    [/[;:] (?:who|whom) \w+/g, 'give the sentence a subject: the user, a host, the caller'],
    [/\bto who\b|\bby who\b|\bfor who\b/g, 'give the sentence a subject: the user, a host, the caller'],
    [
      /\bso does\b|\bso do\b|\bneither does\b|\bnor (?:is|are|does|do|can|has|have|will)\b/gi,
      'repeat the subject and the verb',
    ],
  ],
  riddles: [
    [/^Who\b(?![^?]*\?$)/g, 'begin with the subject: the user, a host, the caller', 'sentence'],
    [
      /^What (?:is|are|was|were|has|had|goes|went|comes|came|does)\b(?![^?]*\?$)/g,
      'name the thing: the prepared transactions, the records of the account',
      'sentence',
    ],
    [/^That (?:the|an?|it|no|every)\b/g, 'begin with the subject, not with a clause', 'sentence'],
    [/^(?:Nor|Neither is|Neither are|So is|So are)\b/g, 'begin with the subject', 'sentence'],
    [
      /^(?:Gone|Held|Told|Asked|Kept|Taken|Read|Made) (?:is|are|was|were)\b/g,
      'begin with the subject',
      'sentence',
    ],
    [
      /\bwhatever (?:came|comes|became|becomes|is|was|it|they|else)\b/gi,
      "say in which cases: 'on success and on failure'",
    ],
    [/\bwhat (?:is|was) asked\b/gi, "write 'the request'"],
  ],
  passive: [
    [
      /\b(?:is|are|was|were|be|been|being|gets?) (?:\w+ly )?(?:told|said|heard|spoken)\b(?! to\b)/gi,
      'say who tells whom: X reports Y',
    ],
    [
      /\b(?:is|are|was|were|be|been|being) (?:waited for|looked at|looked for|gone on|begun|seen to|done with|thought of|heard of)\b/gi,
      'make the actor the subject',
    ],
  ],
  spelling: [
    [
      /\b(?:color(?:s|ed|ing)?|behavior(?:s|al)?|honor(?:s|ed|ing)?|favor(?:s|ed|ing)?|gray|canceled|canceling|labeled|catalog|analyze[ds]?)\b/gi,
      'spell it the British way, as the other pages do',
    ],
    [
      /\b(?:serializ|initializ|normaliz|recogniz|organiz|synchroniz|memoiz|minimiz|optimiz|summariz|finaliz)(?:e|es|ed|er|ers|ing|ation)\b/gi,
      'spell it with -ise, as the other pages do',
    ],
  ],
};

/** textlint's rules, by id: one for each group of patterns, and one for the length of a sentence. */
export const RULES = {
  ...Object.fromEntries(Object.entries(PATTERNS).map(([id, patterns]) => [id, patternRule(patterns)])),
  'sentence-length': sentenceLength,
};

function patternRule(patterns) {
  return onProse((text, isHeading, report) => {
    const sentences = sentencesOf(text);
    for (const [pattern, advice, at] of patterns) {
      if (at === 'sentence' && isHeading) continue;
      const parts = at === 'sentence' ? sentences : [{ text, start: 0 }];
      for (const part of parts) {
        for (const match of part.text.matchAll(pattern)) {
          report(part.start + match.index, `'${match[0].trim()}': ${advice}`);
        }
      }
    }
  });
}

function sentenceLength(context) {
  return onProse((text, _isHeading, report) => {
    for (const sentence of sentencesOf(text)) {
      const words = sentence.text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
      if (words > MAX_WORDS)
        report(sentence.start, `a sentence of ${words} words: split it (${MAX_WORDS} at most)`);
    }
  })(context);
}

/** A textlint rule that calls `check` for each paragraph, heading and table cell, with its text as it reads. */
function onProse(check) {
  return (context) => {
    const { Syntax, RuleError, getSource, report } = context;
    const visit = (node) => {
      const { text, offsets } = readable(node, getSource());
      check(text, node.type === Syntax.Header, (index, message) => {
        const offset = offsets[index] - node.range[0];
        report(node, new RuleError(message, { padding: context.locator.at(offset) }));
      });
    };
    return { [Syntax.Paragraph]: visit, [Syntax.Header]: visit, [Syntax.TableCell]: visit };
  };
}

/** A node's words in one line, and for each character its offset in the file. */
function readable(node, source) {
  let text = '';
  const offsets = [];
  const push = (part, start, step) => {
    for (let i = 0; i < part.length; i++) offsets.push(start + i * step);
    text += part;
  };
  const walk = (child) => {
    if (child.type === 'Code') return push('CODE', child.range[0], 0);
    if (child.type === 'Html' || child.type === 'Image') return;
    if (child.type === 'Break') return push(' ', child.range[0], 0);
    if (child.type === 'Str')
      return push(source.slice(...child.range).replaceAll(/\s/g, ' '), child.range[0], 1);
    for (const inner of child.children ?? []) walk(inner);
  };
  walk(node);
  return { text, offsets };
}

/** Splits at a full stop, question mark or exclamation mark that a space and a new sentence follow. */
function sentencesOf(text) {
  const sentences = [];
  const pattern = /[.!?]["'’”)]*\s+(?=["'‘“(]?[\p{Lu}\p{N}`*])/gu;
  let start = 0;
  for (const end of text.matchAll(pattern)) {
    sentences.push({ text: text.slice(start, end.index + 1), start });
    start = end.index + end[0].length;
  }
  sentences.push({ text: text.slice(start), start });
  return sentences.map((sentence) => {
    const lead = /^\s*/.exec(sentence.text)[0].length;
    return { text: sentence.text.slice(lead).trimEnd(), start: sentence.start + lead };
  });
}
