import { expect, test } from 'vitest';
import type { ComparedPattern } from '../../../../source/store/log/patterns/comparison.ts';
import { comparedRow } from '../../../../source/view/log/patterns/compared-rows.ts';
import { mainPaneTitle } from '../../../../source/view/shell/pane-title.ts';
import { spansText } from '../../../../source/view/text/fit.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { openDeck } from '../../open-deck.ts';
import { press } from '../../press-keys.ts';

test('B compares the lines before and after the one under the cursor', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  press(deck, '4');
  for (const text of ['paid 1', 'paid 2']) foreign.append(foreign.sample, 'web', text);
  const { tail } = deck.opened.getState();
  if (tail === undefined) throw new Error('no log is open');
  await waitFor(() => expect(tail.entries.length).toBeGreaterThanOrEqual(2));
  press(deck, 'B');
  expect(deck.screen.getState().main.kind).toBe('logs');
  press(deck, 'up', 'B');
  expect(mainPaneTitle(deck, true)).toMatch(/^4 Compare /);
  expect(tail.comparison.state.getState().kind).not.toBe('none');
});

test('a row tells the change, the level and both rates', () => {
  const pattern: ComparedPattern = {
    id: 1,
    template: 'ERROR: no route',
    level: 'error',
    lines: 40,
    isEstimate: false,
    perMinute: 20,
    firstAt: undefined,
    lastAt: undefined,
    services: [],
    example: 'ERROR: no route',
    isNew: false,
    change: 'more',
    before: 0.2,
    after: 20,
  };
  const row = comparedRow(pattern, 80, { filters: [] });
  expect(spansText(row).replaceAll(/ +/g, ' ')).toBe(' more error 0.2/min 20/min ERROR: no route');
});
