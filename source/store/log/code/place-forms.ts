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
export const delimitedForms: readonly RegExp[] = [
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
export const bareForms: readonly RegExp[] = [
  form(String.raw`${bare}${query}(?::line | on line |:)${line}(?::${column})?(?![\w.])`),
  // TypeScript: app.ts(12,5). Maven: Cart.java:[12,5].
  form(String.raw`${bare}\(${line}(?:,\s?${column})?\)`),
  form(String.raw`${bare}:\[${line},${column}\]`),
];

/** Matches every text with a place; few others do. */
export const anyPlace = /[A-Za-z\])](?:\?[\w=&.%-]{0,80})?[:(]\[?\d|\bline \d/;
