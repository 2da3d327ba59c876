import { BoundedCache } from './bounded-cache.ts';

/** Many times the rows of all panes on a large screen. */
const most = 2000;

/**
 * Returns the function with its last results kept by text: at least 2,000 of them. Ink asks for the same of
 * each row with each frame, though few rows change. `.config/replacements.ts` applies it, and has what it gains.
 */
export function rememberTexts<T extends string | number>(
  compute: (text: string) => T,
): (text: string) => T {
  const cache = new BoundedCache<T>(most);
  return (text) => {
    const known = cache.get(text);
    if (known !== undefined) return known;
    const computed = compute(text);
    cache.set(text, computed);
    return computed;
  };
}
