import type { Deck } from '../../store/deck/deck.ts';
import type { FileOutcome } from '../../store/files/operations.ts';
import { replaceQuestion, unkeptQuestion } from '../../store/files/questions.ts';
import type { Agreed } from '../../store/files/transfer-check.ts';
import { confirm } from '../command/confirm.ts';

/**
 * Does something with a file, asking where something is in its way. Undefined where the person left
 * it at that, which is said.
 */
export async function attempt(
  deck: Pick<Deck, 'screen' | 'messages'>,
  where: string,
  verb: string,
  act: (agreed: Agreed) => Promise<FileOutcome>,
): Promise<FileOutcome | undefined> {
  for (let agreed: Agreed = {}; ; ) {
    const outcome = await act(agreed);
    const isAsked = !outcome.ok && (outcome.kind === 'exists' || outcome.kind === 'unkept');
    if (!isAsked || (outcome.kind === 'exists' && agreed.replace === true)) {
      return outcome;
    }
    const question =
      outcome.kind === 'exists' ? replaceQuestion(outcome, where) : unkeptQuestion(outcome, verb);
    if ((await confirm(deck, question)) === 0) {
      deck.messages.say(`${outcome.path} stays as it is. Nothing was sent.`);
      return undefined;
    }
    agreed = outcome.kind === 'exists' ? { ...agreed, replace: true } : { ...agreed, unkept: true };
  }
}

/**
 * Says what became of an operation; why it was not done stays until Esc.
 * @param before a sentence about what was done before it.
 */
export function tell(
  deck: Pick<Deck, 'messages'>,
  outcome: FileOutcome | undefined,
  before = '',
): void {
  if (outcome === undefined) return;
  const text = outcome.ok ? outcome.sentence : `${outcome.sentence} ${outcome.next}`;
  deck.messages.say(`${before}${text}`, outcome.ok ? 'good' : 'bad');
}
