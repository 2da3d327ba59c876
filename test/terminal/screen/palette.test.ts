import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearestInPalette, paletteHex } from '../../../source/terminal/screen/palette.ts';

const palette = Array.from({ length: 240 }, (_, at) => at + 16);

test.each([
  [16, '#000000'],
  [21, '#0000ff'],
  [67, '#5f87af'],
  [231, '#ffffff'],
  [232, '#080808'],
  [255, '#eeeeee'],
])('colour %i is %s, as in xterm', (index, hex) => {
  expect(paletteHex(index)).toBe(hex);
});

test('the nearest colour of the palette is as near as any other', () => {
  const component = fc.nat({ max: 255 });
  fc.assert(
    fc.property(fc.tuple(component, component, component), (wanted) => {
      const nearest = distance(wanted, nearestInPalette(hexOf(wanted)));
      for (const index of palette) expect(distance(wanted, index)).toBeGreaterThanOrEqual(nearest);
    }),
  );
});

test('a colour of the palette is the nearest to itself', () => {
  for (const index of palette) {
    expect(paletteHex(nearestInPalette(paletteHex(index)))).toBe(paletteHex(index));
  }
});

function hexOf(components: readonly number[]): string {
  return `#${components.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function distance(wanted: readonly number[], index: number): number {
  const hex = paletteHex(index);
  return wanted.reduce((sum, value, at) => {
    const own = Number.parseInt(hex.slice(1 + 2 * at, 3 + 2 * at), 16);
    return sum + (own - value) ** 2;
  }, 0);
}
