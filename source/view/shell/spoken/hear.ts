import type { TerminalSize } from '../../../terminal/screen/ink-stdout.ts';
import type { Deck } from '../../../store/deck/deck.ts';
import type { HistoryEntry } from '../../../store/history/history.ts';
import type { Commands } from '../../command/registry.ts';
import type { Heard, HeardMessage } from './heard.ts';
import { hearBox } from './hear-box.ts';
import { hearFacts } from './hear-facts.ts';
import { hearPlace } from './hear-place.ts';

/** Returns the console in words, as it is now. */
export function hear(deck: Deck, commands: Commands, size: TerminalSize): Heard {
  return {
    at: deck.clock.now(),
    ...hearPlace(deck, size),
    box: hearBox(deck, commands),
    facts: hearFacts(deck),
    messages: messagesOf(deck.history.entries.getState()),
  };
}

/** Messages that may come between two moments; earlier ones were said. */
const mostMessages = 50;

function messagesOf(entries: readonly HistoryEntry[]): readonly HeardMessage[] {
  return entries
    .slice(-mostMessages)
    .flatMap((entry) =>
      entry.kind === 'message' ? [{ id: entry.id, times: entry.times, text: entry.text }] : [],
    );
}
