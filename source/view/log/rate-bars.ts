/** Number of bars, padded so that the drawing keeps its width. */
const barCount = 20;

/** Smallest full scale in lines per second, so that single lines draw low bars. */
const smallestScale = 10;

/** Draws rates as bars, oldest first. @param glyphs bar characters from empty to full. */
export function rateBars(rates: readonly number[], glyphs: string): string {
  const steps = Array.from(glyphs);
  const top = fullScale(Math.max(0, ...rates));
  const drawn = rates.slice(-barCount).map((rate) => {
    const step = rate <= 0 ? 0 : Math.max(1, Math.ceil((rate / top) * (steps.length - 1)));
    return steps[Math.min(step, steps.length - 1)] ?? ' ';
  });
  return drawn.join('').padStart(barCount);
}

/** Returns a round full scale at or above the highest value, which rarely changes. */
export function fullScale(highest: number, smallest = smallestScale): number {
  let decade = smallest;
  while (decade * 10 <= highest) decade *= 10;
  return [1, 2, 5, 10].map((times) => times * decade).find((top) => top >= highest) ?? decade;
}
