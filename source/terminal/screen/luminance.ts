/** Returns the relative luminance of a colour `#rrggbb`, from 0 (black) to 1 (white) (WCAG 2.2). */
function relativeLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the linear light of an sRGB component, both from 0 to 1. */
function linear(component: number): number {
  return component <= 0.04045 ? component / 12.92 : ((component + 0.055) / 1.055) ** 2.4;
}

/** Luminance on which black and white text have the same contrast. */
const middle = 0.179;

/** Returns whether a background `#rrggbb` is for dark or for light text. */
export function backgroundTone(colour: string): 'dark' | 'light' {
  return relativeLuminance(colour) > middle ? 'light' : 'dark';
}

/** Returns the contrast of two colours `#rrggbb`, from 1 to 21 (WCAG 2.2); text needs 4.5. */
export function contrastRatio(one: string, other: string): number {
  const [first, second] = [relativeLuminance(one), relativeLuminance(other)];
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}
