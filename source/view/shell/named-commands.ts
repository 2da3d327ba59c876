import type { Deck } from '../../store/deck/deck.ts';
import { type Command, paneContexts } from '../command/command.ts';

type Words = Required<Pick<Command, 'id' | 'title' | 'help' | 'synonyms'>>;

/** Returns a command without a key, which the palette runs by its name. */
export function namedCommand(parts: Words & Pick<Command, 'run'>): Command {
  return { ...parts, keys: [], contexts: paneContexts, group: 'name' };
}

/** A setting that is on or off. */
interface Switch extends Omit<Words, 'help'> {
  /** Effects of on and off. */
  readonly help: readonly [on: string, off: string];
  /** Sets it, and says what it now is. */
  readonly set: (deck: Deck, isOn: boolean) => void;
}

/** Returns the commands `TITLE on` and `TITLE off`. */
export function switchCommands({ id, title, help, synonyms, set }: Switch): readonly Command[] {
  return (['on', 'off'] as const).map((word) =>
    namedCommand({
      id: `${id}-${word}`,
      title: `${title} ${word}`,
      help: help[word === 'on' ? 0 : 1],
      synonyms,
      run: ({ deck }) => set(deck, word === 'on'),
    }),
  );
}
