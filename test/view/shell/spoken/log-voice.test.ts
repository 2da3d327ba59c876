import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  flushVoice,
  type LogVoice,
  silentVoice,
  voiceLines,
  voiceWindow,
} from '../../../../source/view/shell/spoken/log-voice.ts';

/** Lines that arrive at a time, by their texts; flushed at the end of each window. */
function heard(...arrivals: readonly (readonly [at: number, ...texts: string[]])[]): string[] {
  let voice: LogVoice = silentVoice;
  let flushAt: number | undefined;
  const said: string[] = [];
  const flush = (): void => {
    if (flushAt === undefined) return;
    const voiced = flushVoice(voice, flushAt);
    ({ voice } = voiced);
    said.push(...voiced.lines);
    flushAt = undefined;
  };
  for (const [at, ...texts] of arrivals) {
    if (flushAt !== undefined && flushAt <= at) flush();
    const voiced = voiceLines(voice, texts.length, texts.slice(-2), at);
    ({ voice } = voiced);
    said.push(...voiced.lines);
    if (voice.held > 0) flushAt ??= at + voiceWindow;
  }
  flush();
  return said;
}

describe('the lines of a log', () => {
  test('are said one by one up to two a second', () => {
    expect(heard([0, 'a'], [400, 'b'], [1000, 'c'], [2000, 'd', 'e'])).toEqual('abcde'.split(''));
  });

  test('are counted above that, with the last one', () => {
    expect(heard([0, 'a', 'b'], [100, 'c'], [300, 'd'])).toEqual(['a', 'b', '2 lines. Last: d']);
    expect(heard([0, 'a', 'b', 'c'])).toEqual(['3 lines. Last: c']);
    expect(heard([0, 'a', 'b'], [10, 'c'])).toEqual(['a', 'b', 'c']);
  });
});

test('every line is said or counted once, in at most three lines a second', () => {
  const arrivals = fc.array(fc.tuple(fc.nat(700), fc.integer({ min: 1, max: 5 })), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(arrivals, (all) => {
      let at = 0;
      let number = 0;
      const steps = all.map(([wait, count]) => {
        at += wait;
        const texts = Array.from({ length: count }, () => `line ${(number += 1)}`);
        return [at, ...texts] as const;
      });
      const said = heard(...steps);
      const counts = said.map((line) => Number(/^(\d+) lines\. Last/.exec(line)?.[1] ?? 1));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(number);
      if (number > 0) expect(said.at(-1)).toMatch(new RegExp(`line ${number}$`));
      expect(said.length).toBeLessThanOrEqual(3 * (at / voiceWindow + 2));
    }),
  );
});
