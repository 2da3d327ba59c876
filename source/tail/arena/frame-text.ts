const key = /[,{] ?"(?:logLine|log_line)": ?"/;
const usualKey = ',"logLine":"';

/**
 * The text of the log line in a message, cut out without reading all of it; undefined when it has to
 * be read.
 */
export function textIn(message: string): string | undefined {
  const from = textStart(message);
  const close = message.indexOf('"', from);
  if (from < 0 || close < 0) return undefined;
  const plain = message.slice(from, close);
  if (!plain.includes('\\')) return isLast(message.slice(close)) ? plain : undefined;
  const end = closeBehind(message, close);
  if (!isLast(message.slice(end))) return undefined;
  try {
    return JSON.parse(message.slice(from - 1, end + 1)) as string;
  } catch {
    return undefined;
  }
}

/**
 * Whether what follows a text, from its quote on, ends the message without an object around the text
 * and without another text, which would count instead.
 */
function isLast(rest: string): boolean {
  return rest === usualRest || (rest.indexOf('}') === rest.length - 1 && !other.test(rest));
}

const usualRest = '","stream":"stdout"}';
const other = /"log(?:Line|_line)"|\\/;

function textStart(message: string): number {
  const usual = message.indexOf(usualKey);
  if (usual >= 0) return usual + usualKey.length;
  const found = key.exec(message);
  // Another spelling of the key before it may be hidden in an escape.
  if (found === null || message.slice(0, found.index).includes('\\')) return -1;
  return found.index + found[0].length;
}

/** Where the string ends in which a quote stands at `at`: at the first one that is not escaped. */
function closeBehind(message: string, at: number): number {
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
