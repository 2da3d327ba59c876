/** Actions of the patterns: filters of the log, and the order of the list. */
import type { Deck } from '../../../store/deck/deck.ts';
import { withHiddenPattern, withOnlyPattern } from '../../../store/log/patterns/pattern-filter.ts';
import { nextPatternOrder, type PatternOrder } from '../../../store/log/patterns/pattern-order.ts';
import { prompting } from '../../../store/prompts/prompt.ts';
import { keyName } from '../../../store/prompts/key-names.ts';
import { moveCursorIntoFilter } from '../place.ts';
import { patternUnderCursor } from './pattern-cursor.ts';

type Handles = Pick<Deck, 'clock' | 'screen' | 'messages' | 'opened'>;

/** Opens the patterns of the log in pane 4. */
export function showPatterns(deck: Pick<Deck, 'screen' | 'messages' | 'opened'>): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return deck.messages.say('Open a deployment first.');
  tail.patternList.sort();
  return deck.screen.view.open({ kind: 'patterns' });
}

/** Shows the log with the lines of the pattern under the cursor only. */
export function filterToPattern(deck: Handles): void {
  const pattern = patternUnderCursor(deck);
  const { tail } = deck.opened.getState();
  if (tail === undefined || pattern === undefined) return;
  const { filters } = tail.filter.state.getState();
  tail.filter.setFilters(withOnlyPattern(filters, pattern));
  void moveCursorIntoFilter(tail);
  deck.screen.view.open({ kind: 'logs' });
  deck.messages.say(
    `Only this pattern. Esc turns the filter off, ${keyName('log.filters', 'F')} lists filters.`,
  );
}

/** Hides the lines of the pattern under the cursor, or shows them again. */
export function hidePattern(deck: Handles): void {
  const pattern = patternUnderCursor(deck);
  const { tail } = deck.opened.getState();
  if (tail === undefined || pattern === undefined) return;
  const before = tail.filter.state.getState().filters;
  const filters = withHiddenPattern(before, pattern);
  tail.filter.setFilters(filters);
  void moveCursorIntoFilter(tail);
  const key = keyName('patterns.hide', 'x');
  deck.messages.say(
    filters.length > before.length
      ? `Hidden from the log. ${key} shows it again, ${keyName('log.filters', 'F')} in the log lists filters.`
      : 'Shown in the log again.',
  );
}

/** Prompts for the name of the pattern under the cursor; an empty one removes it. */
export function namePattern(deck: Pick<Deck, 'screen' | 'messages' | 'opened'>): void {
  const pattern = patternUnderCursor(deck);
  const { tail } = deck.opened.getState();
  if (tail === undefined || pattern === undefined) return;
  const { template } = pattern;
  const before = tail.patternNames.of(template) ?? '';
  deck.screen.overlay.open(
    prompting(
      {
        label: 'Name of the pattern: ',
        takesNothing: true,
        submit(name) {
          tail.patternNames.set(template, name);
          deck.messages.say(
            name.trim() === '' ? 'The pattern has no name.' : 'Named on this machine.',
          );
          return undefined;
        },
      },
      before,
    ),
  );
}

/** Sorts the patterns by the next order. */
export function stepPatternOrder(deck: Handles): void {
  reorder(deck, nextPatternOrder);
}

export function reversePatternOrder(deck: Handles): void {
  reorder(deck, (order) => ({ ...order, isReversed: !order.isReversed }));
}

function reorder(deck: Handles, change: (order: PatternOrder) => PatternOrder): void {
  const { tail } = deck.opened.getState();
  const { main } = deck.screen.getState();
  if (tail === undefined) return;
  if (main.kind === 'patterns' && main.isCompared === true) {
    deck.messages.say('The comparison is sorted by its changes.');
    return;
  }
  const order = change(tail.patternList.state.getState().order);
  tail.patternList.setOrder(order);
  deck.messages.say(
    `Patterns by ${patternOrderText(order)}. ${keyName('patterns.order', 'o')}: next order, ${keyName('patterns.reverse-order', 'I')}: reverse.`,
  );
}

/** Returns an order in words: `rate, reversed`. */
export function patternOrderText({ by, isReversed }: PatternOrder): string {
  return isReversed ? `${by}, reversed` : by;
}
