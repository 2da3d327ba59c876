import { expect, test } from 'vitest';
import type { Deck } from '../../../../source/store/deck/deck.ts';
import type { ForeignOptions } from '../../../servers/foreign.ts';
import { patience, waitFor } from '../../../support/wait-for.ts';
import { gapSentence } from '../../../../source/tail/arena/gap.ts';
import { openDeck } from '../../open-deck.ts';
import { press, said, type } from '../../press-keys.ts';

/** Opens a log of which memory has no room for most lines; some of its lines are out of the ordinary. */
async function openFull(
  others: Readonly<Record<number, string>>,
  options: Partial<ForeignOptions> = {},
) {
  const open = await openDeck(
    options,
    (foreign) => {
      for (let line = 0; line < 6000; line += 1)
        foreign.append(foreign.sample, 'web', others[line] ?? `line ${line}`);
    },
    { logMemory: { maxLines: 2000, initialLines: 2000 } },
  );
  await waitFor(() =>
    expect(open.deck.opened.getState().tail?.log.state.getState().older).toBe('full'),
  );
  press(open.deck, '4');
  return open;
}

function underCursor(deck: Deck): string | undefined {
  const { tail } = deck.opened.getState();
  const position = tail?.view.position.getState();
  if (tail === undefined || position?.kind !== 'frozen') return undefined;
  const entry = tail.entries.at(tail.entries.indexOf(position.cursor));
  return entry?.kind === 'line' ? entry.line.logLine : entry?.kind;
}

test('E reads lines that memory has no room for until one is an error', async () => {
  await using open = await openFull({ 3000: 'ERROR of old' });
  const { deck, foreign } = open;
  const before = foreign.requests.length;
  press(deck, 'E');
  await waitFor(() => expect(underCursor(deck)).toBe('ERROR of old'));
  const read = foreign.requests.slice(before).filter(({ path }) => path.endsWith('/logs'));
  expect(read.length).toBeLessThanOrEqual(25);
  expect(deck.opened.getState().tail?.reading.seek.progress.getState()).toBeUndefined();
});

test('E says which lines it has read without an error, and goes on from there', async () => {
  await using open = await openFull({});
  const { deck } = open;
  press(deck, 'E');
  await waitFor(() =>
    expect(deck.screen.getState().message?.text).toMatch(
      /^(?:No older error: all [\d,]+ lines before were read|No error in [\d,]+ older lines, back to .*\. E reads on)\.$/,
    ),
  );
});

test("N finds a match far away by the service's search, and says what was not read", async () => {
  // Pages so small that the requests of one key don't reach the beginning.
  await using open = await openFull({ 10: 'the NEEDLE', 12: 'needles' }, { largestLogPage: 100 });
  const { deck, foreign } = open;
  const before = foreign.requests.length;
  press(deck, '/');
  type(deck, 'needle');
  press(deck, 'enter', 'N');
  await said(deck, "Found by the service's search; lines in between were not read.");
  expect(underCursor(deck)).toBe('needles');
  const read = foreign.requests.slice(before).filter(({ path }) => path.endsWith('/logs'));
  expect(read.length).toBeLessThanOrEqual(50);
  expect(deck.opened.getState().tail?.entries.gaps).toHaveLength(1);
  press(deck, 'N');
  await waitFor(() => expect(underCursor(deck)).toBe('the NEEDLE'));
});

test('a filter goes on in lines that memory has no room for', async () => {
  await using open = await openFull({ 2900: 'job a', 2901: 'job b' });
  const { deck } = open;
  press(deck, '&');
  type(deck, 'job');
  press(deck, 'enter', 'up');
  await waitFor(() => expect(underCursor(deck)).toBe('job b'));
  press(deck, 'up');
  await waitFor(() => expect(underCursor(deck)).toBe('job a'));
});

test('Up at the top of a full memory reads on, and says what made room', async () => {
  await using open = await openFull({});
  const { deck } = open;
  const { tail } = deck.opened.getState();
  if (tail === undefined) throw new Error('no log is open');
  const firstNumber = (): number => {
    const first = tail.entries.slice(0, 2).find(({ kind }) => kind === 'line');
    return first?.kind === 'line' ? Number(first.line.logLine.slice('line '.length)) : Number.NaN;
  };
  press(deck, 'g');
  let number = Number(underCursor(deck)?.slice('line '.length));
  for (let page = 0; page < 3; page += 1) {
    press(deck, 'up');
    // While memory has room, the first key only has lines read for the next one.
    await waitFor(() => expect(firstNumber()).toBeLessThan(number));
    if (underCursor(deck) === `line ${number}`) press(deck, 'up');
    await waitFor(() => expect(underCursor(deck)).toBe(`line ${number - 1}`));
    press(deck, 'g');
    number = Number(underCursor(deck)?.slice('line '.length));
  }
  const gaps = tail.entries.gaps.map((gap) => gapSentence(gap));
  expect(gaps.length).toBeGreaterThan(0);
  for (const gap of gaps) expect(gap).toMatch(/^lines \d+ to \d+ not loaded$/);
  expect(deck.screen.getState().message).toBeUndefined();
});

test('N goes on from the oldest loaded line, which matches too', async () => {
  await using open = await openFull({});
  const { deck } = open;
  press(deck, '4', 'g');
  const number = Number(underCursor(deck)?.slice('line '.length));
  press(deck, '/', 'tab');
  type(deck, `^line (${number}|${number - 1500})$`);
  press(deck, 'enter');
  await waitFor(() => expect(underCursor(deck)).toBe(`line ${number}`));
  press(deck, 'N');
  await waitFor(() => expect(underCursor(deck)).toBe(`line ${number - 1500}`));
});

test('E says that it reads while the answer of the service is still to come, and Esc stops that', async () => {
  await using open = await openFull({});
  const { deck, foreign } = open;
  const progress = () => deck.opened.getState().tail?.reading.seek.progress.getState();
  foreign.delay(patience);
  press(deck, 'E');
  await waitFor(() => expect(progress()).toBe('Reading older lines. Esc stops.'));
  press(deck, 'escape');
  expect(progress()).toBeUndefined();
  foreign.delay(0);
});
