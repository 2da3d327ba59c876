const step = '  ';

/** Steps to the right at most, so that a text of brackets alone does not grow by its square. */
const deepest = 50;

/**
 * A JSON text with one value a line, each word of it as it stands there: numbers keep all their
 * digits, fields their order, and one that stands twice stays. Text that is no JSON is only broken
 * at the signs JSON is made of.
 */
export function indentedJson(text: string): string {
  const words = wordsOf(text);
  let depth = 0;
  let indented = '';
  const newLine = () => `\n${step.repeat(Math.min(depth, deepest))}`;
  for (const [index, word] of words.entries()) {
    const isEmpty = isOpening(words[index - 1]) && isClosing(word);
    if (isClosing(word)) depth = Math.max(0, depth - 1);
    indented += isClosing(word) && !isEmpty ? newLine() + word : word;
    if (isOpening(word)) depth += 1;
    if (word === ':') indented += ' ';
    if (word === ',' || (isOpening(word) && !isClosing(words[index + 1]))) indented += newLine();
  }
  return indented;
}

function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  const next = /["{}[\],:]|[^\s{}[\],:"]+/gu;
  for (let found = next.exec(text); found !== null; found = next.exec(text)) {
    const [word] = found;
    if (word === '"') next.lastIndex = stringEnd(text, found.index);
    words.push(word === '"' ? text.slice(found.index, next.lastIndex) : word);
  }
  return words;
}

/**
 * Where the JSON string that begins at `start` ends, behind its closing quote; the end of the text
 * where it has none. No pattern: on a text of megabytes one runs out of stack.
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

function isOpening(word: string | undefined): boolean {
  return word === '{' || word === '[';
}

function isClosing(word: string | undefined): boolean {
  return word === '}' || word === ']';
}
