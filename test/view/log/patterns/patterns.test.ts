import { expect, test } from 'vitest';
import type { Deck } from '../../../../source/store/deck/deck.ts';
import { patternUnderCursor } from '../../../../source/view/log/patterns/pattern-cursor.ts';
import { patternColumns, patternRow } from '../../../../source/view/log/patterns/pattern-rows.ts';
import { listedPatterns } from '../../../../source/view/log/patterns/pattern-cursor.ts';
import { mainPaneTitle } from '../../../../source/view/shell/pane-title.ts';
import { patternsStatus } from '../../../../source/view/log/patterns/patterns-title.ts';
import { spansText } from '../../../../source/view/text/fit.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { openDeck } from '../../open-deck.ts';
import { press, type } from '../../press-keys.ts';

const lines = ['paid 7', 'paid 8', 'ERROR: no route to 10.0.0.1', 'paid 9'];

async function openPatterns() {
  const open = await openDeck();
  const { deck, foreign } = open;
  for (const text of lines) foreign.append(foreign.sample, 'web', text);
  press(deck, '4');
  await waitFor(() => expect(templates(deck)).toEqual(expect.arrayContaining(['paid <#>'])));
  press(deck, '%');
  return open;
}

const templates = (deck: Deck) => listedPatterns(deck).map(({ template }) => template);

function shownLines(deck: Deck): readonly string[] {
  const entries = deck.opened.getState().tail?.filter.entries;
  const all = entries?.slice(0, entries.length) ?? [];
  return all.flatMap((entry) => (entry.kind === 'line' ? [entry.line.logLine] : []));
}

test('% lists the patterns of the log, errors first; Enter shows one, x hides it, a names it', async () => {
  await using open = await openPatterns();
  const { deck } = open;
  expect(templates(deck)[0]).toBe('ERROR: no route to <#>');
  expect(mainPaneTitle(deck, true)).toMatch(/^4 Patterns .* \d+$/);
  press(deck, 'x');
  expect(shownLines(deck)).not.toContain('ERROR: no route to 10.0.0.1');
  expect(shownLines(deck)).toContain('paid 8');
  press(deck, 'x');
  expect(shownLines(deck)).toContain('ERROR: no route to 10.0.0.1');
  press(deck, 'a');
  type(deck, 'no route');
  press(deck, 'enter');
  expect(deck.opened.getState().tail?.patternNames.of('ERROR: no route to <#>')).toBe('no route');
  press(deck, 'o');
  expect(mainPaneTitle(deck, true)).toMatch(/by lines$/);
  while (patternUnderCursor(deck)?.template !== 'paid <#>') press(deck, 'down');
  press(deck, 'enter');
  expect(deck.screen.getState().main.kind).toBe('logs');
  expect(shownLines(deck)).toEqual(['paid 7', 'paid 8', 'paid 9']);
});

test('the title counts the lines as other titles do, and shortens large numbers', async () => {
  await using open = await openPatterns();
  const { deck, foreign } = open;
  const status = () => spansText(patternsStatus(deck));
  for (let line = 0; line < 1000; line += 1) foreign.append(foreign.sample, 'web', 'paid 1');
  await waitFor(() => expect(status()).toMatch(/^1,0\d\d lines$/));
});

test('Z folds runs of a pattern; the cursor goes by rows, Enter unfolds one, and copies are whole', async () => {
  await using open = await openPatterns();
  const { deck } = open;
  const { tail } = deck.opened.getState();
  if (tail === undefined) throw new Error('no log is open');
  const textUnderCursor = () => {
    const position = tail.view.position.getState();
    const entry =
      position.kind === 'frozen'
        ? tail.entries.at(tail.entries.indexOf(position.cursor))
        : undefined;
    return entry?.kind === 'line' ? entry.line.logLine : undefined;
  };
  press(deck, 'escape');
  press(deck, 'Z');
  press(deck, 'up', 'up');
  expect(textUnderCursor()).toBe('paid 7');
  press(deck, 'v');
  const range = tail.view.selection();
  expect(range && range.last - range.first).toBe(1);
  press(deck, 'v');
  press(deck, 'enter');
  expect(deck.screen.getState().main.kind).toBe('logs');
  press(deck, 'down');
  expect(textUnderCursor()).toBe('paid 8');
  press(deck, 'enter');
  expect(deck.screen.getState().main.kind).toBe('line');
});

test('a row has the state, the lines, the rate, the ages and the pattern, as far as it is wide', () => {
  const pattern = {
    id: 1,
    template: 'paid <#>',
    level: 'error',
    lines: 12_345,
    isEstimate: true,
    perMinute: 40.2,
    firstAt: 0,
    lastAt: 7_190_000,
    services: ['api', 'web'],
    example: 'paid 7',
    isNew: true,
  } as const;
  const row = (width: number) =>
    spansText(patternRow(pattern, patternColumns(width), { now: 7_200_000, filters: [] }));
  expect(row(140).replaceAll(/ +/g, ' ')).toBe(' new error ~12.3K 40/min 2h 10s api web paid <#>');
  expect(row(40).replaceAll(/ +/g, ' ')).toBe(' E+ ~12.3K paid <#>');
});
