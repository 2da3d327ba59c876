import { expect, test } from 'vitest';
import type { Deck } from '../../../../source/store/deck/deck.ts';
import type { ForeignOptions } from '../../../servers/foreign.ts';
import { waitFor } from '../../../support/wait-for.ts';
import type { Tail } from '../../../../source/store/log/tail.ts';
import { openDeck, type OpenDeck } from '../../open-deck.ts';
import { press, said } from '../../press-keys.ts';

const lineCount = 5000;
const firstTime = Date.now() - lineCount * 1000;

/** Opens a log of a line a second with the cursor on line 1000, behind a gap of unread lines. */
async function openGap(
  others: Readonly<Record<number, string>>,
  options: Partial<ForeignOptions> = {},
): Promise<OpenDeck & { readonly tail: Tail }> {
  let time: number | undefined = firstTime;
  const open = await openDeck({ ...options, now: () => time ?? Date.now() }, (foreign) => {
    for (let line = 0; line < lineCount; line += 1) {
      time = firstTime + line * 1000;
      foreign.append(foreign.sample, 'web', others[line] ?? `line ${line}`);
    }
    time = undefined;
  });
  const { tail } = open.deck.opened.getState();
  if (tail === undefined) throw new Error('no log is open');
  await tail.log.readTime({
    time: firstTime + 1_000_000,
    signal: new AbortController().signal,
    onProgress() {},
  });
  expect(tail.entries.gaps).toHaveLength(1);
  press(open.deck, '4');
  for (let index = 0; index < tail.entries.length; index += 1) {
    const entry = tail.entries.at(index);
    if (entry?.kind === 'line' && entry.line.logLine === 'line 1000') tail.view.goTo(entry.seq);
  }
  expect(underCursor(open.deck)).toBe('line 1000');
  return { ...open, tail, [Symbol.asyncDispose]: () => open[Symbol.asyncDispose]() };
}

function underCursor(deck: Deck): string | undefined {
  const { tail } = deck.opened.getState();
  const position = tail?.view.position.getState();
  if (tail === undefined || position?.kind !== 'frozen') return undefined;
  const entry = tail.entries.at(tail.entries.indexOf(position.cursor));
  return entry?.kind === 'line' ? entry.line.logLine : entry?.kind;
}

test('e and E search the lines of an unread gap', async () => {
  await using open = await openGap({ 2500: 'ERROR one', 2502: 'ERROR two', 4900: 'ERROR last' });
  const { deck } = open;
  for (const [key, text] of [
    ['e', 'ERROR one'],
    ['e', 'ERROR two'],
    ['e', 'ERROR last'],
    ['E', 'ERROR two'],
    ['E', 'ERROR one'],
  ] as const) {
    press(deck, key);
    await waitFor(() => expect(underCursor(deck)).toBe(text));
  }
});

test('n and N search the lines of an unread gap', async () => {
  await using open = await openGap({ 2500: 'needle one', 3300: 'needle two', 4900: 'needle 3' });
  const { deck, tail } = open;
  tail.search.setQuery({ text: 'needle', regex: false });
  await waitFor(() => expect(underCursor(deck)).toBe('needle 3'));
  for (const [key, text] of [
    ['N', 'needle two'],
    ['N', 'needle one'],
    ['n', 'needle two'],
    ['n', 'needle 3'],
  ] as const) {
    press(deck, key);
    await waitFor(() => expect(underCursor(deck)).toBe(text));
  }
  press(deck, 'n');
  await said(deck, 'No newer match.');
});

test('e goes on behind a gap that holds no error', async () => {
  await using open = await openGap({ 4900: 'ERROR last' });
  press(open.deck, 'e');
  await waitFor(() => expect(underCursor(open.deck)).toBe('ERROR last'));
});

test.each(['newest', 'oldest'] as const)(
  'e stops in a gap after so many requests, and goes on, where pages have the %s lines first',
  async (logOrder) => {
    await using open = await openGap({ 3900: 'ERROR far' }, { logOrder, largestLogPage: 100 });
    const { deck, foreign } = open;
    const before = foreign.requests.length;
    press(deck, 'e');
    await waitFor(() =>
      expect(deck.screen.getState().message?.text).toMatch(
        /^No error in [\d,]+ newer lines, up to .*\. e reads on\.$/,
      ),
    );
    const read = foreign.requests.slice(before).filter(({ path }) => path.endsWith('/logs'));
    expect(read.length).toBeLessThanOrEqual(27);
    expect(underCursor(deck)).toBe('line 1000');
    press(deck, 'e');
    await waitFor(() => expect(underCursor(deck)).toBe('ERROR far'));
  },
);

test('Esc stops the search of a gap, and its lines stay labelled', async () => {
  await using open = await openGap({ 3000: 'ERROR' });
  const { deck, foreign, tail } = open;
  foreign.delay(50);
  press(deck, 'e', 'escape');
  await said(deck, 'Search stopped.');
  expect(underCursor(deck)).toBe('line 1000');
  expect(tail.entries.gaps).toHaveLength(1);
  expect(tail.reading.seek.progress.getState()).toBeUndefined();
  foreign.delay(0);
});
