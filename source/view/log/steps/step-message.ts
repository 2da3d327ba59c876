import type { Deck } from '../../../store/deck/deck.ts';

/** Messages about the end of a step through the log, which a movement makes untrue. */
const aboutSteps = [
  /^No (?:(?:newer|older) )?(?:error|match|line)\b/,
  /^Mark [\d,]+ of [\d,]+\b/,
  /^Stopped after [\d,]+ lines\./,
  /^Memory is full\b/,
];

/** Clears the message of the previous step, because the cursor has moved since. */
export function clearStepMessage({ screen }: Pick<Deck, 'screen'>): void {
  screen.message.clearIf(
    ({ text, tone, unread }) =>
      tone === 'plain' && unread === undefined && aboutSteps.some((pattern) => pattern.test(text)),
  );
}
