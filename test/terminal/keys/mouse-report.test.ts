import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyParser, type TerminalInput } from '../../../source/terminal/keys/key-parser.ts';
import { type MouseEvent, parseMouseReport } from '../../../source/terminal/keys/mouse-report.ts';

const cell = fc.integer({ min: 0, max: 99_998 });
const presses = fc.record({
  number: fc.constantFrom(0, 1, 2, 64, 65),
  x: cell,
  y: cell,
});
const buttons: Readonly<Record<number, MouseEvent['button']>> = {
  0: 'left',
  1: 'middle',
  2: 'right',
  64: 'wheel-up',
  65: 'wheel-down',
};

function report({ number, x, y }: { number: number; x: number; y: number }, final = 'M'): string {
  return `<${number};${x + 1};${y + 1}${final}`;
}

function inputs(pieces: readonly Uint8Array[]): readonly TerminalInput[] {
  const parser = new KeyParser();
  return pieces.flatMap((piece) => parser.push(piece, 0));
}

test('a press has its button and its cell', () => {
  fc.assert(
    fc.property(presses, (press) => {
      const { number, x, y } = press;
      expect(parseMouseReport(report(press))).toEqual({
        kind: 'mouse',
        button: buttons[number],
        x,
        y,
      });
      // A release ends a press, which has acted already.
      expect(parseMouseReport(report(press, 'm'))).toBeUndefined();
    }),
  );
});

test.each([
  ['motion', '<32;5;5M'],
  ['motion without a button', '<35;5;5M'],
  ['a button with Shift', '<4;5;5M'],
  ['a button with Ctrl', '<16;5;5M'],
  ['the wheel sideways', '<66;5;5M'],
  ['a further button', '<128;5;5M'],
  ['a column before the first', '<0;0;5M'],
  ['a row before the first', '<0;5;0M'],
  ['a column beyond any terminal', '<0;123456;5M'],
  ['a missing row', '<0;5M'],
  ['a further field', '<0;5;5;5M'],
  ['a negative column', '<0;-5;5M'],
  ['a fraction', '<0;5.5;5M'],
  ['an older report', 'M'],
])('%s is no click', (_, sequence) => {
  expect(parseMouseReport(sequence)).toBeUndefined();
});

test('no sequence throws, or has a cell that is no cell', () => {
  const hostile = fc.oneof(
    fc.string(),
    fc.stringMatching(/^<[0-9;:<>?-]{0,40}[Mm]$/),
    fc.string().map((text) => `<0;5;5M${text}`),
  );
  fc.assert(
    fc.property(hostile, (sequence) => {
      const event = parseMouseReport(sequence);
      if (event === undefined) return;
      expect(sequence).toMatch(/^<\d+;\d+;\d+M$/);
      for (const at of [event.x, event.y]) {
        expect(Number.isSafeInteger(at) && at >= 0).toBe(true);
      }
    }),
  );
});

test('reports among keys are read in order, however their bytes are divided', () => {
  const parts = fc.array(
    fc.oneof(
      presses.map((press) => `\x1b[${report(press)}`),
      presses.map((press) => `\x1b[${report(press, 'm')}`),
      fc.constantFrom('a', 'é', '\x1b[A', '\r', '\x1b[0n'),
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(parts, fc.array(fc.nat(200), { maxLength: 8 }), (texts, places) => {
      const bytes = Buffer.from(texts.join(''));
      const at = places.map((place) => Math.min(place, bytes.length)).sort((a, b) => a - b);
      const pieces = [...at, bytes.length].map((end, index) =>
        bytes.subarray(at[index - 1] ?? 0, end),
      );
      const whole = inputs([bytes]);
      expect(inputs(pieces)).toEqual(whole);
      const kinds = texts.flatMap((text) => {
        // eslint-disable-next-line no-control-regex
        if (/^\x1b\[<.*m$/.test(text)) return [];
        return text.startsWith('\x1b[<') ? ['mouse'] : text === '\x1b[0n' ? ['status'] : ['key'];
      });
      expect(whole.map((input) => ('kind' in input ? input.kind : 'key'))).toEqual(kinds);
    }),
  );
});
