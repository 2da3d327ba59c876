/** Finds the places in code that log lines name: stack traces, panics, compilers and linters. */

/** The forms in which programs write a place in code. */

const line = String.raw`(?<line>\d{1,7})`;
const column = String.raw`(?<column>\d{1,7})`;
/** Behind the path of a module that a bundler or a development server rewrote. */
const query = String.raw`(?:\?[\w=&.%-]{0,80})?`;
const scheme = String.raw`(?:[a-z][\w-]{0,30}:\/\/)?`;
const drive = String.raw`(?:[A-Za-z]:(?=[\\/]))?`;
/** A path in which spaces are allowed, as something else tells where it begins and ends. */
const spaced = String.raw`(?<path>${scheme}${drive}[^()"\n:?]{1,400})`;
/** The same, from the root of a disk on. */
const rooted = String.raw`(?<path>${scheme}(?:[A-Za-z]:)?[\\/][^()"\n:?]{1,400})`;
/** Characters of a path that nothing delimits; the lookbehind makes long texts linear. */
const bare = String.raw`(?<![\w@%+~.$\-\\/\[\]])(?<path>${scheme}(?:(?<!\w)[A-Za-z]:[\\/])?[\w@%+~.$\-\\/\[\]]{0,255}[\w@%+~$\-\]])`;

const form = (pattern: string): RegExp => new RegExp(pattern, 'gm');

/**
 * The forms of a place whose path may have spaces. Each has the named groups `path` and `line`, and may
 * have `column` and `package`. An earlier form wins where two of them overlap.
 */
const delimitedForms: readonly RegExp[] = [
  // Python: File "/app/main.py", line 12, in main. YAML: in "app.yaml", line 3, column 5.
  form(String.raw`\b(?:File|in) "(?<path>[^"\n]{1,512})", line ${line}(?:, column ${column})?`),
  // JVM languages: at com.acme.shop.Cart$Item.add(Cart.java:42), a module and a loader before it.
  form(
    String.raw`\bat (?:[\w.@-]+\/)*(?<package>(?:[\w$]+\.)+)[\w$<>]+\((?<path>[\w$-]+\.(?:java|kt|kts|scala|groovy|clj)):${line}\)`,
  ),
  // Node: at add (/app/cart.js:3:14), at async file:///app/cart.js:3:14. Rust: at ./src/cart.rs:20:13.
  form(String.raw`\(${spaced}${query}:${line}:${column}\)`),
  form(String.raw`^\s{0,40}at (?:async )?${spaced}${query}:${line}:${column}$`),
  // Rust: panicked at src/main.rs:4:5:, and from the compiler --> src/main.rs:4:5.
  form(String.raw`(?:\bpanicked at (?:'[^'\n]{0,300}', )?|--> )${spaced}:${line}:${column}`),
  // Ruby: /app/cart.rb:12:in, from /app/cart.rb:12:in.
  form(String.raw`(?:^|\bfrom )${rooted}:${line}:in\b`),
  // Go: /app/main.go:12 +0x1d.
  form(String.raw`^\s{1,8}${rooted}:${line}(?: \+0x[\da-f]+)?$`),
  // PHP: #0 /app/cart.php(42): add(), in /app/cart.php on line 12. .NET: in /app/Cart.cs:line 12.
  form(String.raw`^#\d{1,4} ${rooted}\(${line}\)`),
  form(String.raw`\bin ${rooted}(?: on line |:line |:)${line}(?![\w.:])`),
];

/** The forms of a place whose path ends at the first space, in both directions. */
const bareForms: readonly RegExp[] = [
  form(String.raw`${bare}${query}(?::line | on line |:)${line}(?::${column})?(?![\w.])`),
  // TypeScript: app.ts(12,5). Maven: Cart.java:[12,5].
  form(String.raw`${bare}\(${line}(?:,\s?${column})?\)`),
  form(String.raw`${bare}:\[${line},${column}\]`),
];

/** Matches every text with a place; few others do. */
const anyPlace = /[A-Za-z\])](?:\?[\w=&.%-]{0,80})?[:(]\[?\d|\bline \d/;

/** A file and a line that a text names. */
export interface CodePlace {
  /** The path as the text writes it, but with `/` between folders. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** From 1; undefined where the text tells none. */
  readonly column?: number;
  /** Offset in the text of the first character of the place, and behind the last one. */
  readonly from: number;
  readonly to: number;
  /** The path with words before it, which may be a part of a name with spaces; the longest first. */
  readonly longer: readonly string[];
  /** False where `path` may be the end of a longer one, so that only `longer` ones are certain. */
  readonly isWhole: boolean;
}

/** Most characters of a text that are read: a trace is short, and a line may be megabytes. */
const longestText = 8192;

/** Most places of a text. */
const mostPlaces = 200;

/**
 * Returns the places in code that a text names, in the order in which they stand.
 * @param text without colour codes.
 */
export function codePlaces(text: string): readonly CodePlace[] {
  const read = text.length > longestText ? text.slice(0, longestText) : text;
  if (!anyPlace.test(read)) return [];
  const places: CodePlace[] = [];
  const add = (form: RegExp, isDelimited: boolean): void => {
    for (const match of read.matchAll(form)) {
      const place = placeOf(match, isDelimited);
      if (place === undefined || places.some((other) => overlaps(other, place))) continue;
      places.push(place);
    }
  };
  for (const form of delimitedForms) add(form, true);
  for (const form of bareForms) add(form, false);
  return places.toSorted((left, right) => left.from - right.from).slice(0, mostPlaces);
}

function placeOf(match: RegExpExecArray, isDelimited: boolean): CodePlace | undefined {
  const { path: written = '', line = '', column, package: packageName } = match.groups ?? {};
  const path = plainPath(written);
  if (!isFile(path) || Number(line) === 0) return undefined;
  const folders = packageName?.slice(0, -1).split('.').slice(0, -1) ?? [];
  const from = match.index + match[0].indexOf(written);
  const before = isDelimited ? [] : wordsBefore(match.input.slice(Math.max(0, from - 200), from));
  return {
    path: [...folders, path].join('/'),
    line: Number(line),
    ...(column === undefined ? {} : { column: Number(column) }),
    from,
    to: match.index + match[0].trimEnd().length - (match[0].endsWith(')') && isDelimited ? 1 : 0),
    longer: before.map((_, index) => plainPath([...before.slice(index), written].join(' '))),
    isWhole: isDelimited || isWholePath(path, before.at(-1)),
  };
}

/** Returns a path without the scheme of its URL, and with `/` between folders. */
function plainPath(written: string): string {
  const [, scheme, rest = ''] = /^([a-z][\w-]*):\/\/(.*)$/s.exec(written) ?? [];
  if (scheme === undefined) return written.replaceAll('\\', '/');
  // The host of webpack://shop/./src/app.ts is the name of the package.
  const path = scheme === 'file' ? rest : rest.replace(/^[^/]*/, '');
  return decoded(path).replace(/^\/(?=[A-Za-z]:\/)/, '');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns false for text before a number that is no file: a time, a host, a field. */
function isFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/^[\d.]*$/.test(name) || /^\/\/[^/]/.test(path)) return false;
  return path.includes('/') || /[^.]\.[A-Za-z]\w{0,15}$/.test(name) || /^[A-Z]\w*file$/.test(name);
}

/** Most words before a path that may belong to its name. */
const mostWords = 6;

/** Returns the words directly before a path, each behind a single space. */
function wordsBefore(text: string): readonly string[] {
  const words = /(?:[^\s:"'()[\]<>|=,;]+ )*$/.exec(text)?.[0] ?? '';
  return words === '' ? [] : words.slice(0, -1).split(' ').slice(-mostWords);
}

/** Words before a path that are no part of its name. */
const introducing =
  /^(?:at|in|from|of|on|by|to|see|file|line|error|warning|fatal|panic|async|new|near|inside|within|via|and|or|caller|source|[A-Z]+|[\d.#+-]+|-+>?)$/;

/** Returns whether a path begins where it seems to, and not with an earlier word. */
function isWholePath(path: string, before: string | undefined): boolean {
  if (before === undefined || /^(?:\.{0,2}\/|[A-Za-z]:)/.test(path)) return true;
  return path.includes('/') ? !/[\\/]/.test(before) : introducing.test(before);
}

function overlaps(left: CodePlace, right: CodePlace): boolean {
  return left.from < right.to && right.from < left.to;
}
