/** A character class, an escape, a number of repetitions, or one character. */
const token =
  /\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u....|x..|c.|k<[^>]*>|.)|\{\d*,?\d*\}|./gsu;

/**
 * The longest text that stands in every match of a regular expression, as far as it is easily told;
 * undefined when there is none of two characters. Whether a line has it is known in no time, where
 * the whole expression may take long.
 */
export function requiredText(pattern: string): string | undefined {
  const runs: string[] = [];
  let run: string[] = [];
  let depth = 0;
  const end = (): void => {
    runs.push(run.join(''));
    run = [];
  };
  for (const [part] of pattern.matchAll(token)) {
    if (part === '(') depth += 1;
    if (part === ')') depth -= 1;
    if (depth > 0 || part === ')') end();
    else if (part === '|') return undefined;
    else if (/^(?:[*?]|\{\d*,?\d*\})$/.test(part)) {
      run.pop();
      end();
    } else if (/^\\[^a-zA-Z0-9]$/.test(part)) run.push(part.slice(1));
    else if (part.length > 1 && /^[\\[]/.test(part)) end();
    else if (/^[.^$+]$/.test(part)) end();
    else run.push(part);
  }
  end();
  const longest = runs.reduce((best, one) => (one.length > best.length ? one : best), '');
  return longest.length < 2 ? undefined : longest;
}
