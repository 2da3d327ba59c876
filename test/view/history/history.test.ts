import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HistoryEntry } from '../../../source/store/history/history.ts';
import { lineWidth } from '../../../source/view/text/fit.ts';
import { paneViewport } from '../../../source/view/shell/viewport.ts';
import { moveBy } from '../../../source/view/shell/movement.ts';
import { historyLines, historyRows } from '../../../source/view/history/rows.ts';
import { showHistory } from '../../../source/view/history/commands.ts';
import { look } from '../../store/editor/open-editor.ts';
import { openDeck } from '../open-deck.ts';
import { press } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';
import { setScreen } from '../../support/set-screen.ts';
import { codePoint } from '../../support/code-point.ts';

const at = new Date(2026, 10, 21, 12, 1, 3).getTime();
const message = { kind: 'message', at, tone: 'plain', times: 1 } as const;
const write = {
  kind: 'write',
  operation: 'restart deployment',
  subject: 'shop',
  request: 'POST /api/v1/deployments/1/restart',
  at,
  took: 1234,
} as const;

const textOf = (entries: readonly HistoryEntry[], width = 120) =>
  historyRows(entries, width).map((row) => row.map(({ text }) => text).join(''));

test('a write shows its outcome, its duration and the error message of the service', () => {
  const outcome = { kind: 'failed', status: 503, sentence: 'It failed.', said: 'no room' } as const;
  expect(textOf([{ ...write, id: 1, outcome }])).toEqual([
    ' 12:01:03 restart deployment shop: 503 in 1.2s. It failed.',
    '          the service said: no room',
    '          POST /api/v1/deployments/1/restart',
  ]);
  const unknown = { kind: 'unknown', code: 'disconnected', sentence: 'It may have.' } as const;
  expect(textOf([{ ...write, id: 2, outcome: unknown }])[0]).toBe(
    ' 12:01:03 restart deployment shop: unknown after 1.2s. It may have.',
  );
  const done = { kind: 'done', status: 202 } as const;
  expect(textOf([{ ...write, id: 3, took: 12, outcome: done, size: 2048 }])).toEqual([
    ' 12:01:03 restart deployment shop: 202 in 12ms',
    '          POST /api/v1/deployments/1/restart, 2.0 kB',
  ]);
});

test('a new day has its own row', () => {
  const later = at + 24 * 3600 * 1000;
  const rows = textOf([
    { ...message, id: 1, text: 'one' },
    { ...message, id: 2, text: 'two', at: later, times: 3 },
  ]);
  expect(rows).toEqual([' 12:01:03 one', ' -- 2026-11-22 --', ' 12:01:03 two (3 times)']);
});

test('rows are never wider than the pane', () => {
  const text = fc.string({ unit: codePoint, maxLength: 40 });
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 5 }),
      fc.integer({ min: 38, max: 90 }),
      (said, width) => {
        const entries = said.map((words, id) => ({ ...message, id, text: words }));
        const rows = historyRows(entries, width);
        for (const row of rows) expect(lineWidth(row)).toBeLessThanOrEqual(width);
        expect(rows.length).toBeGreaterThanOrEqual(Math.max(1, said.length));
        expect(historyLines(entries)).toHaveLength(said.length);
      },
    ),
    { numRuns: 30 },
  );
});

test('it opens at its end, scrolls, and returns to the editor', async () => {
  await using open = await openDeck({}, undefined, { restartDelay: 600_000 });
  const { deck, foreign } = open;
  const place = { deploymentId: foreign.sample, service: 'web', path: 'README.md' };
  await deck.editor.open(place, look);
  setScreen(deck.screen, { focus: 'main', main: { kind: 'editor' } });
  for (let index = 0; index < 30; index += 1) deck.messages.say(`message ${index}`, 'bad');
  showHistory(deck);
  const state = () => deck.screen.getState();
  expect(state()).toMatchObject({ focus: 'main', main: { kind: 'history' }, message: undefined });
  const end = state().scroll.top;
  const move = (step: number) => moveBy(deck, step, paneViewport(deck, { columns: 80, rows: 24 }));
  move(-1);
  expect(state().scroll.top).toBeLessThan(end);
  deck.messages.say('one more');
  const { top } = state().scroll;
  move(-1);
  expect(state().scroll.top).toBe(top - 1);
  move(Number.POSITIVE_INFINITY);
  expect(state().scroll.top).toBe(end);
  press(deck, 'escape');
  expect(state()).toMatchObject({ focus: 'main', main: { kind: 'editor' } });
});

test('it returns to a difference', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const { screen } = deck;
  screen.view.openDiff();
  showHistory(deck);
  expect(screen.getState().main.kind).toBe('history');
  press(deck, 'q');
  expect(screen.getState().main.kind).toBe('diff');
  press(deck, 'q');
  expect(screen.getState()).toMatchObject({ main: { kind: 'logs' } });
});

test('it returns to the pane it was opened from', async () => {
  await using open = await openDeck();
  const { deck } = open;
  press(deck, '3');
  showHistory(deck);
  press(deck, 'q');
  expect(deck.screen.getState()).toMatchObject({ focus: 'grants', main: { kind: 'logs' } });
});

test('it contains a restart sent by the countdown, and its message', async () => {
  await using open = await openDeck({}, undefined, { restartDelay: 1 });
  const { deck, foreign } = open;
  deck.restarts.filesChanged(foreign.sample, { service: 'web', path: 'index.html' });
  await waitFor(() => {
    const entries = deck.history.entries.getState();
    expect(entries).toMatchObject([
      { operation: 'restart deployment', subject: 'bazaar', outcome: { kind: 'done' } },
      { kind: 'message', text: expect.stringContaining('bazaar') },
    ]);
  });
});
