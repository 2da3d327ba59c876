const step = '  ';

/** Steps to the right at most, so that a text of brackets alone does not grow by its square. */
const deepest = 50;

/**
 * A JSON text with one value a line, each word of it as it stands there: numbers keep all their
 * digits, fields their order, and one that stands twice stays. Text that is no JSON is only broken
 * at the signs JSON is made of.
 */
export function indentedJson(text: string): string {
  const words = text.match(/"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/gsu) ?? [];
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

function isOpening(word: string | undefined): boolean {
  return word === '{' || word === '[';
}

function isClosing(word: string | undefined): boolean {
  return word === '}' || word === ']';
}
