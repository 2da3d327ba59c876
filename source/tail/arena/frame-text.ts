const key = /[,{] ?"(?:logLine|log_line)": ?"/;
const usualKey = ',"logLine":"';

/**
 * Extracts the text of a log line from its message without parsing all of it; undefined when the
 * message must be parsed.
 */
export function extractText(message: string): string | undefined {
  const from = textStart(message);
  const close = message.indexOf('"', from);
  if (from < 0 || close < 0) return undefined;
  const plain = message.slice(from, close);
  if (!plain.includes('\\')) return isLast(message.slice(close)) ? plain : undefined;
  const end = closingQuote(message, close);
  if (!isLast(message.slice(end))) return undefined;
  try {
    return JSON.parse(message.slice(from - 1, end + 1)) as string;
  } catch {
    return undefined;
  }
}

/**
 * Returns true when the rest of a message, from the text's closing quote on, closes no enclosing
 * object and contains no second text, which would take precedence.
 */
function isLast(rest: string): boolean {
  return rest === usualRest || (rest.indexOf('}') === rest.length - 1 && !anotherText.test(rest));
}

const usualRest = '","stream":"stdout"}';
const anotherText = /"log(?:Line|_line)"|\\/;

function textStart(message: string): number {
  const usual = message.indexOf(usualKey);
  if (usual >= 0) return usual + usualKey.length;
  const match = key.exec(message);
  // An escape before the key may hide another spelling of it.
  if (match === null || message.slice(0, match.index).includes('\\')) return -1;
  return match.index + match[0].length;
}

/** Returns the end of a string: the first unescaped quote from `at` on. */
function closingQuote(message: string, at: number): number {
  let close = at;
  for (;;) {
    let before = close - 1;
    while (message[before] === '\\') before -= 1;
    if ((close - before) % 2 === 1) return close;
    const next = message.indexOf('"', close + 1);
    if (next < 0) return close;
    close = next;
  }
}
