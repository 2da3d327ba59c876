import { expect, test } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { systemClock } from '../../support/system-clock.ts';
import { openDeck } from '../open-deck.ts';
import { press, said, type } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Opens a log with more lines than are loaded first; the oldest line is an error. */
async function openLong(clock = systemClock) {
  const open = await openDeck(
    {},
    (foreign) => {
      foreign.append(foreign.sample, 'web', 'ERROR of old');
      for (let line = 0; line < 3000; line += 1)
        foreign.append(foreign.sample, 'web', `line ${line}`);
    },
    { clock },
  );
  await waitFor(() => {
    expect(textAt(open.deck, -1)).toBe('line 2999');
  });
  press(open.deck, '4');
  return open;
}

function textAt({ opened }: Deck, index: number): string | undefined {
  const { entries } = opened.getState().tail ?? {};
  const entry = entries?.at(index < 0 ? entries.length + index : index);
  return entry?.kind === 'line' ? entry.line.logLine : entry?.kind;
}

function underCursor(deck: Deck): string | undefined {
  const { tail } = deck.opened.getState();
  const position = tail?.view.position.getState();
  if (tail === undefined || position?.kind !== 'frozen') return undefined;
  return textAt(deck, tail.entries.indexOf(position.cursor));
}

test('E fetches older lines until one shows an error', async () => {
  await using open = await openLong();
  const { deck } = open;
  expect(textAt(deck, 0)).not.toBe('ERROR of old');
  const progress = deck.opened.getState().tail?.reading.seek.progress;
  const told: (string | undefined)[] = [];
  progress?.subscribe((text) => told.push(text));
  press(deck, 'E');
  await waitFor(() => expect(underCursor(deck)).toBe('ERROR of old'));
  expect(told).toContainEqual(expect.stringMatching(/^Searched [\d,]+ lines\. Esc stops\.$/));
  expect(progress?.getState()).toBeUndefined();
  press(deck, 'E');
  await said(deck, 'No older error.');
});

test('N fetches older lines until one matches, and Esc stops that', async () => {
  await using open = await openLong();
  const { deck } = open;
  press(deck, '/');
  type(deck, 'of old');
  press(deck, 'enter', 'N', 'escape');
  await said(deck, 'Search stopped.');
  expect(underCursor(deck)).not.toBe('ERROR of old');
  press(deck, 'N');
  await waitFor(() => expect(underCursor(deck)).toBe('ERROR of old'));
  press(deck, 'N');
  await said(deck, 'No older match.');
});

test('n says that no loaded line matches, and N that none of the log does', async () => {
  await using open = await openLong();
  const { deck } = open;
  press(deck, '/');
  type(deck, 'nowhere');
  press(deck, 'enter', 'n');
  await said(deck, 'No match is loaded. N searches older lines.');
  press(deck, 'N');
  await said(deck, 'No match.');
});

test('N waits for the search of loaded lines, and Esc stops that too', async () => {
  // Each call of the clock advances it by 5 ms, so a slice scans only a few lines.
  let spent = 0;
  await using open = await openLong({
    ...systemClock,
    now() {
      spent += 5;
      return Date.now() + spent;
    },
  });
  const { deck } = open;
  await waitFor(() => {
    expect(deck.opened.getState().tail?.entries.length).toBeGreaterThan(1000);
  });
  const search = () => deck.opened.getState().tail?.search.state.getState();
  press(deck, '/');
  type(deck, 'of old');
  press(deck, 'enter', 'N');
  expect(search()).toMatchObject({ looking: 'older', done: false });
  press(deck, 'escape');
  await said(deck, 'Search stopped.');
  expect(search()?.looking).toBeUndefined();
  expect(search()?.query?.text).toBe('of old');
  press(deck, 'N');
  await waitFor(() => expect(underCursor(deck)).toBe('ERROR of old'));
});

test('E searches the older lines that match the filter', async () => {
  await using open = await openLong();
  const { deck } = open;
  press(deck, '&');
  type(deck, '!line 1');
  press(deck, 'enter', 'E');
  await waitFor(() => expect(underCursor(deck)).toBe('ERROR of old'));
});
