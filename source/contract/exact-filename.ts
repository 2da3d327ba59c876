/**
 * Decides which names a multipart/form-data body carries unchanged to every reader.
 *
 * RFC 7578 (section 4.2) leaves the escaping of a `filename` open, so each program has its own:
 *
 * | In the name        | `"`           | CR, LF         | `\`                  | `%22`, `%0A`  | Other controls | Not ASCII      |
 * | ------------------ | ------------- | -------------- | -------------------- | ------------- | -------------- | -------------- |
 * | Writers            |               |                |                      |               |                |                |
 * | browsers, undici   | `%22`         | `%0D`, `%0A`   | as it is             | as it is      | as they are    | UTF-8          |
 * | curl from 7.81     | `%22`         | `%0D`, `%0A`   | as it is             | as it is      | as they are    | as it is       |
 * | curl --form-escape | `\"`          | as they are    | `\\`                 | as it is      | as they are    | as it is       |
 * | urllib3 1.25, 1.26 | `%22`         | `%0D`, `%0A`   | `\\`                 | as it is      | `%00` to `%1F` | UTF-8          |
 * | urllib3 to 1.24    | `filename*`   | `filename*`    | `filename*`          | as it is      | as they are    | `filename*`    |
 * | Go to 1.25         | `\"`          | as they are    | `\\`                 | as it is      | as they are    | UTF-8          |
 * | form-data of npm   | as it is      | as they are    | as it is             | as it is      | as they are    | UTF-8          |
 * | Readers            |               |                |                      |               |                |                |
 * | undici             | ends the name | refuses        | as it is             | decodes       | as they are    | UTF-8, no BOM  |
 * | @fastify/busboy    | ends the name | drops the part | removes some         | as it is      | as they are    | UTF-8          |
 * | multipart of PyPI  |               |                | removes some         | decodes       |                |                |
 * | formidable 1       | as it is      |                | drops what is before | decodes `%22` | as they are    | decodes `&#n;` |
 *
 * Sources: WHATWG HTML ("multipart form data", whatwg/html issue 7575), curl/curl issue 7789, golang/go
 * issue 75557, defnull/multipart issue 60, `urllib3/fields.py`, undici's `formdata-parser.js`,
 * @fastify/busboy's `parseParams.js`; curl, urllib3 1.26, undici and busboy were also run. So `a%22b` is
 * the `a"b` of one writer and the `a%22b` of another, and no reader can know which was meant.
 */

/** Quotes, backslashes and controls, what stands for them, and what readers remove or replace. */
const inexact = /["\\\p{Cc}\u{fffd}]|^\u{feff}|%(?:22|[01][\da-f])|&#\d+;/iu;

/**
 * Returns true for a name that every reader of multipart/form-data takes from the wire as it was
 * written. All other names travel in the URL of "update file", whose encoding is exact (RFC 3986).
 */
export function isExactFilename(filename: string): boolean {
  return !inexact.test(filename);
}

/**
 * Groups files into requests: those with exact names together, then each other one alone, because an
 * "update file" request carries one file.
 * @param placeOf returns the path of a file inside the service.
 */
export function groupByRequest<T>(
  files: readonly T[],
  placeOf: (file: T) => string,
): readonly (readonly T[])[] {
  const together = files.filter((file) => isExactFilename(placeOf(file)));
  const alone = files.filter((file) => !isExactFilename(placeOf(file))).map((file) => [file]);
  return together.length === 0 ? alone : [together, ...alone];
}
