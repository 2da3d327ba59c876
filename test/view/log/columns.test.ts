import { expect, test } from 'vitest';
import { waitFor } from '../../support/wait-for.ts';
import { openDeck } from '../open-deck.ts';
import { press } from '../press-keys.ts';

test('C offers the fields of the log, and Space makes columns of them in the order of choice', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  foreign.append(foreign.sample, 'web', '{"status":200,"user":"ann"}');
  foreign.append(foreign.sample, 'web', 'status=404 took=3ms');
  const tail = deck.opened.getState().tail;
  await waitFor(() => {
    const entries = tail?.entries;
    expect(entries?.at(entries.length - 1)).toMatchObject({
      line: { logLine: 'status=404 took=3ms' },
    });
  });
  press(deck, '4', 'C');
  const { overlay } = deck.screen.getState();
  expect(overlay).toMatchObject({ kind: 'log-columns', keys: ['status', 'user', 'took'] });
  press(deck, 'down', 'space', 'up', 'space');
  expect(tail?.reading.columns.state.getState()).toEqual(['user', 'status']);
  press(deck, 'enter', 'C');
  expect(deck.screen.getState().overlay).toMatchObject({ keys: ['user', 'status', 'took'] });
  press(deck, 'space', 'enter');
  expect(tail?.reading.columns.state.getState()).toEqual(['status']);
});
