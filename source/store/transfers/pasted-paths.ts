interface Word {
  readonly text: string;
  /** No quote and no backslash is before its first character, so that `~` and URLs mean something. */
  readonly plain: boolean;
  /** It begins as only a path of its own does. */
  readonly begins: boolean;
  /** Spaces before it; undefined for the first of a line. */
  readonly gap: string | undefined;
}

/** In quotes, at the root, at home, below this folder or the one above, or a file URL. */
const beginning = /["']|\/|~(?:\/|\s|$)|\.\.?\/|file:\/\//iy;
const blanks = /\s*/y;
const singleQuoted = /'([^'\r\n]*)'/y;
const doubleQuoted = /"((?:[^"\\\r\n]|\\.)*)"/y;

/** What a sticky pattern finds at a place. */
function found(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/**
 * Local paths in text that was typed, pasted or dropped on the terminal: one a line or separated by
 * spaces, plain, in quotes, with backslash escapes, as file URLs, or below `~`. A plain path from the
 * root or from home keeps its spaces where what follows them does not begin a path of its own. Each
 * path once, in the order of the text.
 * @param home the folder that `~` stands for.
 */
export function parsePaths(text: string, home: string): readonly string[] {
  const paths: { text: string; readonly open: boolean }[] = [];
  for (const word of wordsOf(text)) {
    const last = paths.at(-1);
    if (last?.open === true && word.gap !== undefined && !word.begins) {
      last.text += word.gap + word.text;
    } else {
      const expanded = word.plain ? expand(word.text, home) : word.text;
      paths.push({ text: expanded, open: word.plain && word.begins });
    }
  }
  return [...new Set(paths.map((path) => path.text).filter((path) => path !== ''))];
}

function expand(text: string, home: string): string {
  if (text === '~' || text.startsWith('~/')) return home.replace(/\/+$/, '') + text.slice(1);
  const url = /^file:\/\/(?:localhost)?(\/.*)$/is.exec(text)?.[1];
  if (url === undefined) return text;
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  for (let at = 0, gap: string | undefined; at < text.length; ) {
    const blank = found(blanks, text, at)?.[0] ?? '';
    gap = at === 0 || /[\r\n]/.test(blank) ? undefined : blank;
    at += blank.length;
    if (at === text.length) break;
    const begins = found(beginning, text, at) !== null;
    const plain = !/["'\\]/.test(text.charAt(at));
    const word = wordAt(text, at);
    words.push({ text: word.text, plain, begins, gap });
    at = word.end;
  }
  return words;
}

/** A word as a shell reads it; a quote that nothing closes on its line stands for itself. */
function wordAt(text: string, start: number): { readonly text: string; readonly end: number } {
  let word = '';
  let at = start;
  for (; at < text.length && !/\s/.test(text.charAt(at)); at += 1) {
    const character = text.charAt(at);
    const inside = found(character === "'" ? singleQuoted : doubleQuoted, text, at);
    if (inside !== null) {
      const [whole, content = ''] = inside;
      word += character === '"' ? content.replace(/\\(["\\$`])/g, '$1') : content;
      at += whole.length - 1;
    } else if (character === '\\' && at + 1 < text.length) {
      at += 1;
      word += text.charAt(at);
    } else {
      word += character;
    }
  }
  return { text: word, end: at };
}
