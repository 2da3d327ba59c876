import { expect, test } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { logPaneTitle } from '../../../source/view/log/title.ts';
import { createDeployment } from '../../e2e/foreign-console.ts';
import { openDeck } from '../open-deck.ts';
import { press, type } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

const lines = ['GET /health 200', 'error: pay', 'error: GET /health', 'GET /pay 504'];

async function openLog() {
  const open = await openDeck();
  const { deck, foreign } = open;
  for (const text of lines) foreign.append(foreign.sample, 'web', text);
  await waitFor(() => {
    expect(shown(deck).filter((text) => lines.includes(text))).toEqual(lines);
  });
  press(deck, '4');
  return open;
}

function shown(deck: Deck): readonly string[] {
  const { entries } = tailOf(deck);
  return Array.from({ length: entries.length }, (_, index) => entries.at(index)).flatMap((entry) =>
    entry?.kind === 'line' ? [entry.line.logLine] : [],
  );
}

function tailOf(deck: Deck) {
  const { tail } = deck.opened.getState();
  if (tail === undefined) throw new Error('no log is open');
  return tail;
}

function addFilter(deck: Deck, text: string): void {
  press(deck, '&');
  type(deck, text);
  press(deck, 'enter');
}

const filtersOf = (deck: Deck) =>
  tailOf(deck)
    .filter.state.getState()
    .filters.map(({ query, isExcluding, isOn }) => [query.text, isExcluding, isOn]);

test('& adds a filter to those before, and Esc in its prompt takes only that one back', async () => {
  await using open = await openLog();
  const { deck } = open;
  addFilter(deck, 'error');
  expect(shown(deck)).toEqual(['error: pay', 'error: GET /health']);
  addFilter(deck, '!/health');
  expect(shown(deck)).toEqual(['error: pay']);
  press(deck, '&');
  type(deck, 'nowhere');
  expect(shown(deck)).toEqual([]);
  press(deck, 'escape');
  expect(shown(deck)).toEqual(['error: pay']);
});

test('Esc switches the filters off, and & with Enter switches them on again', async () => {
  await using open = await openLog();
  const { deck } = open;
  addFilter(deck, 'error');
  addFilter(deck, '!/health');
  press(deck, 'escape');
  expect(shown(deck)).toEqual(expect.arrayContaining(lines));
  expect(deck.screen.getState().message?.text).toBe('Filters off. & Enter turns them on.');
  press(deck, '&', 'enter');
  expect(shown(deck)).toEqual(['error: pay']);
  press(deck, '&', 'enter');
  expect(shown(deck)).toEqual(['error: pay']);
});

test('a filter that was switched off is switched on when it is typed again', async () => {
  await using open = await openLog();
  const { deck } = open;
  addFilter(deck, 'error');
  press(deck, 'escape');
  addFilter(deck, 'error');
  expect(filtersOf(deck)).toEqual([['error', false, true]]);
});

test('F lists the filters: Space switches, ! inverts, e edits, a switches all, X removes', async () => {
  await using open = await openLog();
  const { deck } = open;
  press(deck, 'F');
  expect(deck.screen.getState().message?.text).toBe('This log has no filters. & adds one.');
  addFilter(deck, 'error');
  addFilter(deck, '/health');
  press(deck, 'F');
  expect(deck.screen.getState().overlay).toEqual({ kind: 'log-filters', index: 1 });
  press(deck, '!');
  expect(shown(deck)).toEqual(['error: pay']);
  press(deck, 'up', 'space');
  expect(filtersOf(deck)).toEqual([
    ['error', false, false],
    ['/health', true, true],
  ]);
  press(deck, 'a');
  expect(filtersOf(deck).map(([, , isOn]) => isOn)).toEqual([false, false]);
  press(deck, 'a', 'X');
  expect(filtersOf(deck)).toEqual([['/health', true, true]]);
  press(deck, 'e');
  press(deck, 'backspace');
  expect(filtersOf(deck)).toEqual([['/healt', true, true]]);
  press(deck, 'enter');
  press(deck, 'F', 'X');
  expect(filtersOf(deck)).toEqual([]);
  expect(deck.screen.getState().overlay).toBeUndefined();
});

test.each([
  ['level:error timeout', ['an error without it', 'a timeout'], ['error: timeout']],
  [String.raw`\!text`, ['error: timeout', 'text'], ['!text']],
  ['!level:error timeout', ['error: timeout', 'text'], ['a timeout']],
])('! in F excludes the lines that %s includes, and back', async (query, excluded, included) => {
  await using open = await openLog();
  const { deck, foreign } = open;
  const more = ['error: timeout', 'an error without it', 'a timeout', '!text', 'text'];
  for (const text of more) foreign.append(foreign.sample, 'web', text);
  await waitFor(() => expect(shown(deck)).toEqual(expect.arrayContaining(more)));
  const all = shown(deck).length;
  addFilter(deck, query);
  expect(shown(deck)).toEqual(included);
  press(deck, 'F', '!');
  expect(shown(deck)).toEqual(expect.arrayContaining(excluded));
  expect(shown(deck)).not.toEqual(expect.arrayContaining(included));
  expect(shown(deck)).toHaveLength(all - included.length);
  press(deck, 'enter');
  deck.opened.open('elsewhere');
  deck.opened.open(foreign.sample);
  await waitFor(() => expect(shown(deck)).toEqual(expect.arrayContaining(excluded)));
  expect(shown(deck)).not.toEqual(expect.arrayContaining(included));
  press(deck, 'F', '!');
  expect(shown(deck)).toEqual(included);
});

test('editing a filter keeps what it excludes', async () => {
  await using open = await openLog();
  const { deck } = open;
  addFilter(deck, 'level:error pay');
  press(deck, 'F', '!', 'e');
  expect(deck.screen.getState().overlay).toMatchObject({
    kind: 'prompt',
    prompt: { label: 'exclude &' },
  });
  for (const _ of 'pay') press(deck, 'backspace');
  type(deck, '/health');
  press(deck, 'enter');
  expect(shown(deck)).toEqual(expect.arrayContaining(['GET /health 200', 'error: pay']));
  expect(shown(deck)).not.toContain('error: GET /health');
});

test('filters return with their log', async () => {
  await using open = await openLog();
  const { deck, foreign } = open;
  addFilter(deck, 'error');
  addFilter(deck, '!/health');
  press(deck, 'F', 'up', 'space', 'enter');
  deck.opened.open('elsewhere');
  deck.opened.open(foreign.sample);
  expect(filtersOf(deck)).toEqual([
    ['error', false, false],
    ['/health', true, true],
  ]);
});

test('s narrows a joined log to one deployment, also with a filter', async () => {
  await using open = await openDeck({}, (foreign) => createDeployment(foreign, 'other'));
  const { deck, foreign } = open;
  const other = [...foreign.deployments.values()].find(({ title }) => title === 'other')?.id ?? '';
  deck.opened.open(foreign.sample, [foreign.sample, other]);
  press(deck, '4');
  foreign.append(foreign.sample, 'web', 'one of ours');
  foreign.append(other, 'web', 'one of theirs');
  foreign.append(other, 'web', 'another of theirs');
  const ours = () => shown(deck).filter((text) => / of /.test(text));
  await waitFor(() => expect(ours()).toHaveLength(3));
  press(deck, 's');
  type(deck, 'deployment other');
  press(deck, 'enter');
  await waitFor(() => expect(ours()).toEqual(['one of theirs', 'another of theirs']));
  expect(logPaneTitle(deck, true)).toMatch(/^Logs .+ \+ .+: other$/);
  addFilter(deck, '!another');
  await waitFor(() => expect(ours()).toEqual(['one of theirs']));
  foreign.append(foreign.sample, 'web', 'a late one of ours');
  foreign.append(other, 'web', 'a late one of theirs');
  await waitFor(() => expect(ours()).toEqual(['one of theirs', 'a late one of theirs']));
  press(deck, 's', 'enter');
  await waitFor(() => expect(ours()).toContain('a late one of ours'));
});

test('deployment: includes and excludes in a joined log, in filter and search, and returns with it', async () => {
  await using open = await openDeck({}, (foreign) => createDeployment(foreign, 'other'));
  const { deck, foreign } = open;
  const other = [...foreign.deployments.values()].find(({ title }) => title === 'other')?.id ?? '';
  const both = [foreign.sample, other];
  deck.opened.open(foreign.sample, both);
  press(deck, '4');
  foreign.append(foreign.sample, 'web', 'one of ours');
  foreign.append(other, 'web', 'one of theirs');
  const ours = () => shown(deck).filter((text) => / of /.test(text));
  await waitFor(() => expect(ours()).toHaveLength(2));
  press(deck, '&');
  type(deck, 'deployment:oth');
  press(deck, 'tab');
  expect(deck.screen.getState().overlay).toMatchObject({ text: 'deployment:other ' });
  press(deck, 'enter');
  await waitFor(() => expect(ours()).toEqual(['one of theirs']));
  press(deck, 'F', '!', 'escape');
  await waitFor(() => expect(ours()).toEqual(['one of ours']));
  foreign.append(foreign.sample, 'web', 'two of ours');
  foreign.append(other, 'web', 'two of theirs');
  await waitFor(() => expect(ours()).toEqual(['one of ours', 'two of ours']));
  deck.opened.open(foreign.sample);
  expect(filtersOf(deck)).toEqual([]);
  deck.opened.open(foreign.sample, both);
  expect(filtersOf(deck)).toEqual([['deployment:other ', true, true]]);
  press(deck, 'escape');
  tailOf(deck).search.setQuery({ text: 'deployment:other of', regex: false });
  await waitFor(() => {
    const { older, newer, at } = tailOf(deck).search.state.getState();
    expect(older + newer + (at === undefined ? 0 : 1)).toBe(2);
  });
});

test('s tells a deployment from a service that is named like its row', async () => {
  await using open = await openDeck({}, (foreign) => createDeployment(foreign, 'other'));
  const { deck, foreign } = open;
  const other = [...foreign.deployments.values()].find(({ title }) => title === 'other')?.id ?? '';
  deck.opened.open(foreign.sample, [foreign.sample, other]);
  press(deck, '4');
  foreign.append(foreign.sample, 'deployment other', 'ours by name');
  foreign.append(other, 'web', 'theirs');
  await waitFor(() =>
    expect(shown(deck)).toEqual(expect.arrayContaining(['ours by name', 'theirs'])),
  );
  press(deck, 's');
  type(deck, 'deployment other');
  press(deck, 'down', 'enter');
  await waitFor(() => expect(shown(deck)).toEqual(['ours by name']));
  expect(tailOf(deck).filter.state.getState().members).toBeUndefined();
});

test('n names the filters, and F uses them for another log and removes the name', async () => {
  await using open = await openLog();
  const { deck } = open;
  addFilter(deck, 'error');
  addFilter(deck, '!/health');
  press(deck, 'F', 'n');
  type(deck, 'payments');
  press(deck, 'enter');
  tailOf(deck).filter.setFilters([]);
  addFilter(deck, 'GET');
  press(deck, 'F', 'down', 'enter');
  expect(filtersOf(deck)).toEqual([
    ['error', false, true],
    ['/health', true, true],
  ]);
  expect(shown(deck)).toEqual(['error: pay']);
  press(deck, 'F', 'down', 'X');
  expect(deck.opened.filterLists.state.getState()).toEqual([]);
  expect(filtersOf(deck)).toHaveLength(2);
});

test('the title says that the service numbers no lines', async () => {
  await using open = await openDeck({ logIds: 'none' });
  await waitFor(() =>
    expect(logPaneTitle(open.deck, true)).toMatch(/^Logs .+ \(no line numbers\)$/),
  );
});
