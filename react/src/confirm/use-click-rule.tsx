import { filled } from 'latchkey/internal';
import { type RefCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useConfirmTexts } from '../texts/confirm-texts.js';
import { type ClickRule, type ClickState, ruleClicks, UNSEEN } from './click-rule.js';

export interface RuledClicks extends ClickState, Pick<ClickRule, 'accepts' | 'more'> {
  /** Attach to the element that must be fully visible. */
  box: RefCallback<HTMLElement>;
  /** Attach to the element that scrolls; it contains an element with `data-end`. */
  text: RefCallback<HTMLElement>;
}

/** Accepts a click once everything of `question` was seen. Each new `attempt` at the same question restarts the guard alone. */
export function useClickRule(question: string, attempt = 1): RuledClicks {
  const [state, setState] = useState(UNSEEN);
  const [rule] = useState(() => ruleClicks(setState));
  const asked = useRef(question);
  const tried = useRef(attempt);
  useLayoutEffect(() => {
    if (asked.current !== question) rule.reset();
    asked.current = question;
  }, [rule, question]);
  useEffect(() => {
    if (tried.current !== attempt) rule.restart();
    tried.current = attempt;
  }, [rule, attempt]);
  return { ...state, accepts: rule.accepts, more: rule.more, box: rule.guard, text: rule.follow };
}

/** Says why the button named `confirm` waits, with another one that shows what was not seen yet. */
export function Unseen({
  clicks: { isFolded, more },
  confirm,
  id,
}: {
  clicks: RuledClicks;
  confirm: string;
  id: string;
}) {
  const words = useConfirmTexts().reading;
  return (
    <div className="unseen">
      <p id={id}>{isFolded ? filled(words.unfold, { confirm }) : filled(words.scroll, { confirm })}</p>
      <button type="button" className="button small" onClick={more}>
        {words.more}
      </button>
    </div>
  );
}
