import type { Deck } from '../../store/deck/deck.ts';
import { replaceQuestion, unkeptQuestion } from '../../store/files/questions.ts';
import type { Agreed } from '../../store/files/transfer-check.ts';
import { confirm } from '../command/confirm.ts';
import type { FileOutcome } from '../../store/files/outcome.ts';

/**
 * Runs a file operation. Asks before it replaces a file or loses one that can't go to the trash, then
 * runs it again. Returns undefined, after a message, when the person declines.
 */
export async function runWithConfirmation(
  deck: Pick<Deck, 'screen' | 'messages'>,
  where: string,
  verb: string,
  operate: (agreed: Agreed) => Promise<FileOutcome>,
): Promise<FileOutcome | undefined> {
  for (let agreed: Agreed = {}; ; ) {
    const outcome = await operate(agreed);
    const isConfirmable = !outcome.ok && (outcome.kind === 'exists' || outcome.kind === 'unkept');
    if (!isConfirmable || (outcome.kind === 'exists' && agreed.replace === true)) {
      return outcome;
    }
    const question =
      outcome.kind === 'exists' ? replaceQuestion(outcome, where) : unkeptQuestion(outcome, verb);
    if ((await confirm(deck, question)) === 0) {
      deck.messages.say(`${outcome.path} is unchanged. Nothing was sent.`);
      return undefined;
    }
    agreed = outcome.kind === 'exists' ? { ...agreed, replace: true } : { ...agreed, unkept: true };
  }
}

/**
 * Reports the outcome of an operation; a failure stays until Esc.
 * @param before Sentence about earlier operations, with a space at its end.
 */
export function reportOutcome(
  deck: Pick<Deck, 'messages'>,
  outcome: FileOutcome | undefined,
  before = '',
): void {
  if (outcome === undefined) return;
  const text = outcome.ok ? outcome.sentence : `${outcome.sentence} ${outcome.next}`;
  deck.messages.say(`${before}${text}`, outcome.ok ? 'good' : 'bad');
}
