interface Word {
  readonly text: string;
  /** True without a leading quote or backslash, so that `~` and URLs are expanded. */
  readonly plain: boolean;
  /** True when the word starts like a new path. */
  readonly begins: boolean;
  /** Spaces before the word; undefined for the first word of a line. */
  readonly gap: string | undefined;
}

/** Start of a path: a quote, the root, home, this folder, its parent, or a file URL. */
const pathStart = /["']|\/|~(?:\/|\s|$)|\.\.?\/|file:\/\//iy;
const blankPattern = /\s*/y;
const singleQuoted = /'([^'\r\n]*)'/y;
const doubleQuoted = /"((?:[^"\\\r\n]|\\.)*)"/y;

/** Matches a sticky pattern at an offset. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/**
 * Parses local paths in text that was typed, pasted or dropped on the terminal: one per line or
 * separated by spaces, plain, quoted, with backslash escapes, as file URLs, or below `~`. A plain
 * path from the root or from home may contain spaces, unless a new path starts after them. Returns
 * each path once, in the order of the text.
 * @param home the folder that `~` stands for.
 */
export function parsePaths(text: string, home: string): readonly string[] {
  const paths: { text: string; readonly open: boolean }[] = [];
  for (const word of splitWords(text)) {
    const last = paths.at(-1);
    if (last?.open === true && word.gap !== undefined && !word.begins) {
      last.text += word.gap + word.text;
    } else {
      const expanded = word.plain ? expandPath(word.text, home) : word.text;
      paths.push({ text: expanded, open: word.plain && word.begins });
    }
  }
  return [...new Set(paths.map((path) => path.text).filter((path) => path !== ''))];
}

function expandPath(text: string, home: string): string {
  if (text === '~' || text.startsWith('~/')) return home.replace(/\/+$/, '') + text.slice(1);
  const url = /^file:\/\/(?:localhost)?(\/.*)$/is.exec(text)?.[1];
  if (url === undefined) return text;
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

function splitWords(text: string): readonly Word[] {
  const words: Word[] = [];
  for (let at = 0, gap: string | undefined; at < text.length; ) {
    const blank = matchAt(blankPattern, text, at)?.[0] ?? '';
    gap = at === 0 || /[\r\n]/.test(blank) ? undefined : blank;
    at += blank.length;
    if (at === text.length) break;
    const begins = matchAt(pathStart, text, at) !== null;
    const plain = !/["'\\]/.test(text.charAt(at));
    const word = readWord(text, at);
    words.push({ text: word.text, plain, begins, gap });
    at = word.end;
  }
  return words;
}

/** Reads a word like a shell; a quote without a closing quote on its line is a plain character. */
function readWord(text: string, start: number): { readonly text: string; readonly end: number } {
  let word = '';
  let at = start;
  for (; at < text.length && !/\s/.test(text.charAt(at)); at += 1) {
    const character = text.charAt(at);
    const inside = matchAt(character === "'" ? singleQuoted : doubleQuoted, text, at);
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
