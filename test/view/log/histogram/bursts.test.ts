import { expect, test, vi } from 'vitest';
import type { Bar } from '../../../../source/store/log/histogram/bars.ts';
import { openDeck } from '../../open-deck.ts';
import { press } from '../../press-keys.ts';
import { waitFor } from '../../../support/wait-for.ts';

const texts = ['quiet', 'first of six', 'quiet again', 'first of nine', 'quiet at last'];

/** A log of these lines, in whose histogram the second and the fourth are bursts. */
async function openBursts() {
  const open = await openDeck();
  const { deck, foreign } = open;
  for (const text of texts) foreign.append(foreign.sample, 'web', text);
  const { tail } = deck.opened.getState();
  if (tail === undefined) throw new Error('no log');
  const seqOf = (text: string): number => {
    const all = tail.entries.slice(0, tail.entries.length);
    const entry = all.find((one) => one.kind === 'line' && one.line.logLine === text);
    if (entry === undefined) throw new Error(`no line ${text}`);
    return entry.seq;
  };
  await waitFor(() => seqOf('quiet at last'));
  const counts = [1, 6, 1, 9, 1];
  const seqs = [...texts.map(seqOf), Number.POSITIVE_INFINITY];
  const bars = counts.map((count, index): Bar => {
    const [first = 0, end = 0] = [seqs[index], seqs[index + 1]];
    return { at: Date.UTC(2026, 0, 1), count, first, end, isUnloaded: false };
  });
  vi.spyOn(tail.histogram, 'bars').mockReturnValue(bars);
  press(deck, '4');
  const cursor = () => {
    const position = tail.view.position.getState();
    if (position.kind !== 'frozen') return position.kind;
    const entry = tail.entries.at(tail.entries.indexOf(position.cursor));
    return entry?.kind === 'line' ? entry.line.logLine : entry?.kind;
  };
  return Object.assign(open, { cursor, said: () => deck.screen.getState().message?.text });
}

test('< goes to the older burst and > to the newer one', async () => {
  await using open = await openBursts();
  const { deck, cursor, said } = open;
  press(deck, '>');
  expect([cursor(), said()]).toEqual(['following', 'No newer peak.']);
  press(deck, '<');
  expect(cursor()).toBe('first of nine');
  expect(said()).toMatch(/^Peak of 9 lines from .*00:00/);
  press(deck, '<');
  expect(cursor()).toBe('first of six');
  press(deck, '<');
  expect([cursor(), said()]).toEqual(['first of six', 'No older peak.']);
  press(deck, 'k', '>');
  expect(cursor()).toBe('first of six');
  press(deck, '>');
  expect(cursor()).toBe('first of nine');
});

test('i switches the histogram, and the choice is kept', async () => {
  await using open = await openBursts();
  const { deck, said } = open;
  press(deck, 'i');
  expect([deck.screen.getState().histogram, said()]).toEqual([
    true,
    'Histogram on. < and > go to peaks.',
  ]);
});
