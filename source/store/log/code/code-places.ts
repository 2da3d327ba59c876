/** Finds the places in code that log lines name: stack traces, panics, compilers and linters. */

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
}

/** Most characters of a text that are read: a trace is short, and a line may be megabytes. */
const longestText = 8192;

/** Most places of a text. */
const mostPlaces = 200;

/** Characters of a path; spaces only where quotes end it. */
const bare = String.raw`(?:file:\/\/)?(?:(?<!\w)[A-Za-z]:[\\/])?[\w@%+~.$\-\\/\[\]]{0,255}[\w@%+~$\-\]]`;

/**
 * The forms of a place. Each has the named groups `path` and `line`, and may have `column` and `package`.
 * An earlier form wins where two of them overlap.
 */
const forms: readonly RegExp[] = [
  // Python: File "/app/main.py", line 12, in main. YAML: in "app.yaml", line 3, column 5.
  /\b(?:File|in) "(?<path>[^"\n]{1,512})", line (?<line>\d{1,7})(?:, column (?<column>\d{1,7}))?/g,
  // JVM languages: at com.acme.shop.Cart$Item.add(Cart.java:42), a module and a loader before it.
  /\bat (?:[\w.@-]+\/)*(?<package>(?:[\w$]+\.)+)[\w$<>]+\((?<path>[\w$-]+\.(?:java|kt|kts|scala|groovy|clj)):(?<line>\d{1,7})\)/g,
  // .NET: in /app/Program.cs:line 12. PHP: in /app/index.php on line 12, /app/Cart.php(42).
  new RegExp(
    String.raw`(?<path>${bare})(?::line | on line |:)(?<line>\d{1,7})(?::(?<column>\d{1,7}))?(?![\w.])`,
    'g',
  ),
  new RegExp(String.raw`(?<path>${bare})\((?<line>\d{1,7})(?:,\s?(?<column>\d{1,7}))?\)`, 'g'),
];

/** Returns the places in code that a text names, in the order in which they stand. */
export function codePlaces(text: string): readonly CodePlace[] {
  const read = text.slice(0, longestText);
  // All forms have a digit behind one of these; most lines have none.
  if (!/[:(e] ?\d/.test(read)) return [];
  const places: CodePlace[] = [];
  for (const form of forms) {
    for (const match of read.matchAll(form)) {
      const place = placeOf(match);
      if (place === undefined || places.some((other) => overlaps(other, place))) continue;
      places.push(place);
    }
  }
  return places.toSorted((left, right) => left.from - right.from).slice(0, mostPlaces);
}

function placeOf(match: RegExpExecArray): CodePlace | undefined {
  const { path: written = '', line = '', column, package: packageName } = match.groups ?? {};
  const path = written.replace(/^file:\/\//, '').replaceAll('\\', '/');
  if (!isFile(path) || Number(line) === 0) return undefined;
  const folders = packageName?.slice(0, -1).split('.').slice(0, -1) ?? [];
  const from = match.index + match[0].indexOf(written);
  return {
    path: [...folders, path].join('/'),
    line: Number(line),
    ...(column === undefined ? {} : { column: Number(column) }),
    from,
    to: match.index + match[0].length - (packageName === undefined ? 0 : 1),
  };
}

/** Returns false for what stands before a number but is no file: a time, a host, a field. */
function isFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/^[\d.]*$/.test(name) || /^\/\/[^/]/.test(path) || /^\w+:\/\//.test(path)) return false;
  return path.includes('/') || /[^.]\.[A-Za-z]\w{0,15}$/.test(name) || /^[A-Z]\w*file$/.test(name);
}

function overlaps(left: CodePlace, right: CodePlace): boolean {
  return left.from < right.to && right.from < left.to;
}
