import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LogLine } from '../../source/contract/logs.ts';
import { frameOf } from '../../source/tail/frame.ts';
import { rowOf } from '../../source/tail/row.ts';
import { Sequence } from '../../source/tail/sequence.ts';
import { lineIn } from '../servers/log-frames.ts';

const unit = fc.constantFrom('a', 'B', ' ', '"', '\\', 'é', '\n', ',"logLine":"', 'ab', '\x1b');

it('a scan with a sieve leaves out no line in which it finds something, or an escape', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit, maxLength: 8 }), { maxLength: 40 }),
      fc.constantFrom(/ab/gi, /"a/g, /\\/g, /é|B/g, / a/gi, /\n/g),
      fc.nat(10),
      (texts, sieve, from) => {
        const sequence = new Sequence<LogLine>({
          row: rowOf,
          encode: frameOf,
          decode: lineIn,
          maxLines: 1000,
          maxBytes: 1_000_000,
        });
        const put = texts.map((logLine, place) => ({ place, row: rowOf({ id: place, logLine }) }));
        sequence.apply({ put, lean: 'newer', drop: undefined, spans: [] });
        const seen = new Map<number, string>();
        sequence.scan(from, texts.length, (index, text) => seen.set(index, text), sieve);
        for (const [index, text] of texts.entries()) {
          sieve.lastIndex = 0;
          const isFound = sieve.test(text) || text.includes('\x1b');
          if (index >= from && isFound) expect(seen.get(index)).toBe(text);
          else expect(seen.get(index) ?? text).toBe(text);
        }
      },
    ),
    { numRuns: 300 },
  );
});
