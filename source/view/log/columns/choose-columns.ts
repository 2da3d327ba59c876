/** Opens the box of columns and handles its keys. */
import type { Deck } from '../../../store/deck/deck.ts';
import {
  type ColumnsState,
  mostColumns,
  noColumns,
  offeredFields,
  withColumnToggled,
} from '../../../store/log/reader/columns.ts';
import type { KeyEvent } from '../../../terminal/keys/key-sequences.ts';
import type { KeyResult } from '../../command/key-result.ts';
import { logCursor } from '../place.ts';

type Handles = Pick<Deck, 'screen' | 'messages' | 'opened'>;

/** Opens the box with the fields of the lines around the cursor. */
export function openColumns(deck: Handles): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return deck.messages.say('Open a deployment first.');
  const { entries, reading } = tail;
  const cursor = logCursor(tail);
  const end = cursor === undefined ? entries.length : entries.indexOf(cursor) + 1;
  const keys = offeredFields(entries, end, reading.columns.state.getState());
  if (keys.length === 0) {
    return deck.messages.say('These lines have no fields: no JSON and no key=value.');
  }
  return deck.screen.overlay.open({ kind: 'log-columns', index: 0, keys });
}

/** Handles a key in the box of columns. */
export function columnsKey(input: KeyEvent, open: ColumnsState, deck: Handles): KeyResult {
  const choice = deck.opened.getState().tail?.reading.columns;
  if (choice === undefined || input.name === 'enter') {
    deck.screen.overlay.close();
    return 'consumed';
  }
  const key = open.keys[open.index];
  switch (input.name) {
    case 'up':
    case 'down': {
      const index = open.index + (input.name === 'up' ? -1 : 1);
      deck.screen.overlay.open({
        ...open,
        index: Math.max(0, Math.min(index, open.keys.length - 1)),
      });
      break;
    }
    case 'space': {
      if (key === undefined) break;
      const next = withColumnToggled(choice.state.getState(), key);
      if (next === choice.state.getState()) deck.messages.say(`At most ${mostColumns} columns.`);
      choice.choose(next);
      break;
    }
    case 'a':
      choice.choose(noColumns);
      break;
  }
  return 'consumed';
}
