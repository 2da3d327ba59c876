import { expect, test } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { createDeployment } from '../../e2e/foreign-console.ts';
import { waitFor } from '../../support/wait-for.ts';
import { temporaryKept } from '../../support/temporary-state.ts';
import { openDeck } from '../open-deck.ts';
import { press, type } from '../press-keys.ts';

function tailOf(deck: Deck) {
  const { tail } = deck.opened.getState();
  if (tail === undefined) throw new Error('no log is open');
  return tail;
}

/** Returns the texts under the cursor, at the other end of the selection, and of the marks. */
function reader(deck: Deck) {
  const { view, entries, reading } = tailOf(deck);
  const textAt = (seq: number | undefined) => {
    const entry = seq === undefined ? undefined : entries.at(entries.indexOf(seq));
    return entry?.kind === 'line' ? entry.line.logLine : undefined;
  };
  const position = view.position.getState();
  const { cursor, anchor } =
    position.kind === 'frozen' ? position : { cursor: undefined, anchor: undefined };
  const marks = [...reading.marks.state.getState().values()].map(({ logLine }) => logLine);
  return { cursor: textAt(cursor), anchor: textAt(anchor), marks };
}

test('position, selection and marks return with the deployment, and after the program ended', async () => {
  let stored: unknown;
  const logViews = {
    read: () => stored,
    write(views: unknown) {
      stored = JSON.parse(JSON.stringify(views));
    },
  };
  await using first = await openDeck({}, (foreign) => createDeployment(foreign, 'shop'), {
    kept: { ...temporaryKept(), logViews },
  });
  const { deck, foreign } = first;
  const { sample } = foreign;
  const shop = [...foreign.deployments.values()].find(({ title }) => title === 'shop')?.id ?? '';
  for (let number = 1; number <= 300; number += 1) foreign.append(sample, 'web', `line ${number}`);
  await waitFor(() => {
    const { entries } = tailOf(deck);
    expect(entries.at(entries.length - 1)).toMatchObject({ line: { logLine: 'line 300' } });
  });
  press(deck, '4', 'up', 'up', 'm', 'up', 'v', 'up');
  const left = { cursor: 'line 296', anchor: 'line 297', marks: ['line 298'] };
  expect(reader(deck)).toEqual(left);

  deck.opened.open(shop);
  expect(reader(deck)).toEqual({ cursor: undefined, anchor: undefined, marks: [] });
  // The lines written meanwhile put the position beyond the first page.
  for (let number = 301; number <= 600; number += 1)
    foreign.append(sample, 'web', `line ${number}`);
  deck.opened.open(sample);
  await waitFor(() => expect(reader(deck)).toEqual(left));

  deck.opened.keepView();
  const { tail } = deck.opened.getState();
  expect(stored).toMatchObject({ views: { [sample]: { cursor: { text: 'line 296' } } } });
  tail?.view.toggleSelection();
  press(deck, 'G');
  deck.opened.keepView();
  expect(stored).toMatchObject({ views: { [sample]: { marks: [{ text: 'line 298' }] } } });
  expect(Object(stored).views[sample].cursor).toBeUndefined();
});

test('a log that is followed without filters and marks leaves nothing', async () => {
  const writes: unknown[] = [];
  await using open = await openDeck({}, () => {}, {
    kept: {
      ...temporaryKept(),
      logViews: { read: () => undefined, write: (views) => writes.push(views) },
    },
  });
  open.deck.opened.keepView();
  expect(writes).toEqual([]);
});

test('the order of the patterns, folding and piped commands return after the program ended', async () => {
  let stored: unknown;
  const logViews = {
    read: () => stored,
    write(views: unknown) {
      stored = JSON.parse(JSON.stringify(views));
    },
  };
  const kept = { ...temporaryKept(), logViews };
  await using first = await openDeck({}, () => {}, { kept });
  press(first.deck, '4', 'Z', '%', 'o');
  const { order } = tailOf(first.deck).patternList.state.getState();
  press(first.deck, 'escape', '|');
  type(first.deck, 'sort | uniq -c');
  press(first.deck, 'enter');
  first.deck.opened.keepView();

  const id = first.foreign.sample;
  expect(stored).toMatchObject({ views: { [id]: { isFolded: true, patternOrder: order } } });
  const before = Object(stored);
  await using second = await openDeck(
    {},
    (foreign) => {
      stored = { ...before, views: { [foreign.sample]: before.views[id] } };
    },
    { kept },
  );
  expect(tailOf(second.deck).folds.state.getState().isOn).toBe(true);
  expect(tailOf(second.deck).patternList.state.getState().order).toEqual(order);
  press(second.deck, '4');
  await waitFor(() => expect(tailOf(second.deck).entries.length).toBeGreaterThan(0));
  press(second.deck, '|', 'up');
  expect(second.deck.screen.getState().overlay).toMatchObject({ text: 'sort | uniq -c' });
});
