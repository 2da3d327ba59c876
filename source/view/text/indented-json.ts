const step = '  ';

/** Maximum indentation in steps; without it, a text of brackets would grow quadratically. */
const deepest = 50;

/**
 * Indents a JSON text to one value a line without parsing values: numbers keep their digits, fields
 * their order, and duplicate fields remain. Other text is broken at JSON punctuation.
 */
export function indentedJson(text: string): string {
  const tokens = tokensOf(text);
  let depth = 0;
  let indented = '';
  const newLine = () => `\n${step.repeat(Math.min(depth, deepest))}`;
  for (const [index, token] of tokens.entries()) {
    const isEmpty = isOpening(tokens[index - 1]) && isClosing(token);
    if (isClosing(token)) depth = Math.max(0, depth - 1);
    indented += isClosing(token) && !isEmpty ? newLine() + token : token;
    if (isOpening(token)) depth += 1;
    if (token === ':') indented += ' ';
    if (token === ',' || (isOpening(token) && !isClosing(tokens[index + 1]))) indented += newLine();
  }
  return indented;
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  const next = /["{}[\],:]|[^\s{}[\],:"]+/gu;
  for (let match = next.exec(text); match !== null; match = next.exec(text)) {
    const [token] = match;
    if (token === '"') next.lastIndex = stringEnd(text, match.index);
    tokens.push(token === '"' ? text.slice(match.index, next.lastIndex) : token);
  }
  return tokens;
}

/**
 * Returns the offset after the closing quote of the JSON string at `start`, or the end of the text
 * when the string is unterminated. A regular expression would overflow the stack on megabytes.
 */
export function stringEnd(text: string, start: number): number {
  for (
    let quote = text.indexOf('"', start + 1);
    quote !== -1;
    quote = text.indexOf('"', quote + 1)
  ) {
    let before = quote;
    while (text[before - 1] === '\\') before -= 1;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
  return text.length;
}

function isOpening(token: string | undefined): boolean {
  return token === '{' || token === '[';
}

function isClosing(token: string | undefined): boolean {
  return token === '}' || token === ']';
}
