/** Bars in all: a narrower drawing would move as it fills. */
const width = 20;

/** Lines a second below which no bar is full: a line now and then is no flood. */
const smallestScale = 10;

/** Rates as characters, oldest first: from `glyphs`, which go from none to full. */
export function rateBars(rates: readonly number[], glyphs: string): string {
  const steps = Array.from(glyphs);
  const top = scale(Math.max(0, ...rates));
  const drawn = rates.slice(-width).map((rate) => {
    const step = rate <= 0 ? 0 : Math.max(1, Math.ceil((rate / top) * (steps.length - 1)));
    return steps[Math.min(step, steps.length - 1)] ?? ' ';
  });
  return drawn.join('').padStart(width);
}

/** A round number at or above the highest rate, so that bars do not change with each new one. */
function scale(highest: number): number {
  let decade = smallestScale;
  while (decade * 10 <= highest) decade *= 10;
  return [1, 2, 5, 10].map((times) => times * decade).find((top) => top >= highest) ?? decade;
}
