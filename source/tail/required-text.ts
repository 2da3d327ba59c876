/** A character class, an escape, a number of repetitions, or one character. */
const token =
  /\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u....|x..|c.|k<[^>]*>|.)|\{\d*,?\d*\}|\(\?:|./gsu;

const repeated = /^(?:[*?]|\{\d*,?\d*\})$/;

/** Shorter texts stand in too many lines. */
const shortest = 2;

/**
 * Texts of which one stands in every match of a regular expression, as far as that is easily told:
 * the longest one, or the choices of a group like `(WARN|ERROR)`. Whether a line has one of them is
 * known in no time, where the whole expression may take long. None when no such are seen.
 */
export function requiredTexts(pattern: string): readonly string[] {
  const found: (readonly string[])[] = [];
  let run: string[] = [];
  let depth = 0;
  /** The choices of the group that is open, as long as they are plain texts. */
  let choices: string[] | undefined;
  /** The choices of the group that has just ended. */
  let closed: readonly string[] | undefined;
  const end = (): void => {
    found.push([run.join('')]);
    run = [];
  };
  for (const [part] of pattern.matchAll(token)) {
    const literal = literalOf(part);
    const before = closed;
    closed = undefined;
    if (part === '(' || part === '(?:') {
      depth += 1;
      end();
      choices = depth === 1 ? [''] : undefined;
    } else if (part === ')') {
      depth -= 1;
      if (depth > 0) continue;
      closed = choices ?? [];
      found.push(closed);
      choices = undefined;
    } else if (depth > 0) {
      if (part === '|') choices?.push('');
      else if (literal === undefined) choices = undefined;
      else choices?.push((choices.pop() ?? '') + literal);
    } else if (part === '|') return [];
    else if (repeated.test(part)) {
      // What is repeated may not be there at all: a character, or a group that has just ended.
      if (before === undefined) run.pop();
      else found.pop();
      end();
    } else if (literal === undefined) end();
    else run.push(literal);
  }
  end();
  return found.reduce((best, texts) => (lengthOf(texts) > lengthOf(best) ? texts : best), []);
}

function literalOf(part: string): string | undefined {
  if (/^\\[^a-zA-Z0-9]$/.test(part)) return part.slice(1);
  return part.length > 1 && !/^[\uD800-\uDBFF]/.test(part) ? undefined : plain(part);
}

function plain(character: string): string | undefined {
  return /^[.^$+*?|()[\\]$/.test(character) ? undefined : character;
}

function lengthOf(texts: readonly string[]): number {
  const length = Math.min(...texts.map((text) => text.length));
  return length < shortest || length === Number.POSITIVE_INFINITY ? 0 : length;
}
