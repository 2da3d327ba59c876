import { expect, it, vi } from 'vitest';
import { moveBy } from '../../../source/view/shell/movement.ts';
import { openDeck } from '../open-deck.ts';
import { waitFor } from '../../support/wait-for.ts';
import { setScreen } from '../../support/set-screen.ts';

const viewport = { rows: 10, lines: 0 };

it('fetches older lines of a filtered log only when the cursor moves up at its top', async () => {
  await using world = await openDeck();
  const { deck } = world;
  setScreen(deck.screen, { focus: 'main' });
  const { tail } = deck.opened.getState();
  if (tail === undefined) throw new Error('no log is open');
  await waitFor(() => expect(tail.entries.length).toBeGreaterThan(1));
  const olderWanted = vi.spyOn(tail.log, 'olderWanted').mockReturnValue(false);
  moveBy(deck, -1, viewport);
  expect(olderWanted.mock.calls).toEqual([[1000]]);
  olderWanted.mockClear();
  tail.filter.setQuery({ text: '!no such text', regex: false });
  moveBy(deck, 1, viewport);
  expect(olderWanted).not.toHaveBeenCalled();
  moveBy(deck, Number.NEGATIVE_INFINITY, viewport);
  moveBy(deck, -1, viewport);
  expect(olderWanted.mock.calls).toEqual([[5000], [5000]]);
  olderWanted.mockClear();
  moveBy(deck, 1, viewport);
  const position = tail.view.position.getState();
  tail.filter.setQuery({ text: 'no such text', regex: false });
  moveBy(deck, 1, viewport);
  expect(olderWanted).not.toHaveBeenCalled();
  moveBy(deck, -1, viewport);
  expect(olderWanted.mock.calls).toEqual([[5000]]);
  // No line matches, so the cursor cannot move.
  expect(tail.view.position.getState()).toBe(position);
});
