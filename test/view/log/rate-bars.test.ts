import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rateBars } from '../../../source/view/log/rate-bars.ts';
import { asciiGlyphs, unicodeGlyphs } from '../../../source/view/text/glyphs.ts';

describe('the bars of rates', () => {
  it('rise with the rates, from empty to full', () => {
    expect(rateBars([0, 1, 50, 100], asciiGlyphs.bars).trim()).toBe('_.=#');
    expect(rateBars([0, 1, 50, 100], unicodeGlyphs.bars).trim()).toBe('▁▂▅█');
  });

  it('stay low at low rates', () => {
    expect(rateBars([0, 0, 1], asciiGlyphs.bars).trim()).toBe('__.');
  });

  it('always have the same width, in plain characters on request', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { maxLength: 40 }),
        (rates) => {
          expect(rateBars(rates, unicodeGlyphs.bars)).toHaveLength(20);
          expect(rateBars(rates, asciiGlyphs.bars)).toMatch(/^[ -~]{20}$/);
        },
      ),
    );
  });
});
