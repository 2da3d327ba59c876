import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { PartHeads } from '../../../source/host/files/part-heads.ts';

const disposition = 'Content-Disposition: form-data; name="files"; filename="a"';

const bodyOf = (boundary: string, parts: readonly string[]) =>
  `${parts.map((part) => `--${boundary}\r\n${disposition}\r\n\r\n${part}\r\n`).join('')}--${boundary}--\r\n`;

/** Returns what was read of a body in chunks that end at these offsets. */
function readIn(
  contentType: string,
  body: string,
  ends: readonly number[] = [],
): PartHeads | undefined {
  const heads = PartHeads.forContentType(contentType);
  const bytes = Buffer.from(body, 'latin1');
  const offsets = [...new Set(ends.map((end) => end % (bytes.length + 1)))].toSorted(
    (a, b) => a - b,
  );
  let from = 0;
  for (const to of [...offsets, bytes.length]) {
    heads?.push(bytes.subarray(from, to));
    from = to;
  }
  return heads;
}

it('counts the parts of a body in chunks of any size', () => {
  const content = fc.string({ unit: fc.constantFrom('a', '-', '\r', '\n', 'xy', '--xy') });
  fc.assert(
    fc.property(fc.array(content), fc.array(fc.nat()), fc.boolean(), (contents, ends, isQuoted) => {
      const parts = contents.filter((part) => !`\r\n${part}`.includes('\r\n--xy'));
      const type = `multipart/form-data; boundary=${isQuoted ? '"xy"' : 'xy'}`;
      const { complete, isClosed, refusal } = readIn(type, bodyOf('xy', parts), ends) ?? {};
      expect([complete, isClosed, refusal]).toEqual([parts.length, true, undefined]);
    }),
  );
});

it.each([
  undefined,
  'multipart/form-data',
  'text/plain',
  `multipart/form-data; boundary=${'b'.repeat(71)}`,
])('reads nothing for %s', (contentType) => {
  expect(PartHeads.forContentType(contentType)).toBeUndefined();
});

it('counts a part once the next delimiter has arrived', () => {
  const heads = PartHeads.forContentType('multipart/form-data; charset=utf-8; boundary=xy');
  const seen = ['--xy\r\n\r\na', '\r\n--x', 'y\r\n\r\nb', '\r\n--xy--'].map((bytes) => {
    heads?.push(Buffer.from(bytes));
    return heads?.complete;
  });
  expect(seen).toEqual([0, 0, 1, 2]);
});

const headOf = (head: string) =>
  readIn(
    'multipart/form-data; boundary=xy',
    `--xy\r\n${head}\r\n\r\nx\r\n--xy\r\n${disposition}\r\n\r\ny\r\n--xy--`,
  );
const named = (parameters: string) => `Content-Disposition: form-data; name="files"; ${parameters}`;

it.each([
  ['a plain name', named('filename="a/b c; d=e.txt"')],
  ['a token', 'content-disposition:form-data;name=files;filename=a.txt'],
  ['UTF-8', named(`filename="${Buffer.from('é', 'utf8').toString('latin1')}"`)],
  ['other percent sequences', named('filename="a%20b%2Fc%25"')],
  ['other headers', `X-A: 1\r\n${named('filename="a"')}\r\nContent-Type: text/plain; charset=x`],
  ['a field', 'Content-Disposition: form-data; name="note"'],
])('accepts %s', (_, head) => {
  expect(headOf(head)?.refusal).toBeUndefined();
});

it.each([
  ['one', named('filename="a"'), 'a'],
  ['none', named('x=y'), undefined],
  ['an empty one', named('filename=""'), ''],
  ['one before a last semicolon', named('filename="a";'), 'a'],
  ['that of .NET', named(`filename="=?utf-8?B?w6k=?="; filename*=utf-8''%C3%A9`), 'é'],
  ['that of aiohttp', named(`filename="a%20b"; filename*=utf-8''a%20b`), 'a b'],
  ['that of urllib3 to 1.24', named(`filename*=utf-8''a%22b%2522`), 'a"b%22'],
])('reads the filename of a part: %s', (_, head, filename) => {
  const heads = headOf(head);
  expect([heads?.refusal, heads?.filename(0), heads?.filename(1)]).toEqual([
    undefined,
    filename,
    'a',
  ]);
});

const inexact = 'a path without ", \\, control characters';

it.each([
  ['no headers', 'X-A: 1', 'no readable Content-Disposition'],
  ['another disposition', 'Content-Disposition: attachment; filename="a"', 'no readable'],
  ['two dispositions', `${named('filename="a"')}\r\n${named('filename="b"')}`, 'no readable'],
  ['two filenames', named('filename="a"; FILENAME="b"'), 'no readable'],
  ['a folded header', named('filename="a\r\n b"'), 'no readable'],
  ['a line feed', named('filename="a\nb"'), 'no readable'],
  ['a quote', named('filename="a"b.txt"'), inexact],
  ['an escaped quote', named('filename="a\\"b"'), inexact],
  ['a backslash at the end', named('filename="a\\"'), inexact],
  ['no closing quote', named('filename="a'), inexact],
  ['a token with a space', named('filename=a b'), inexact],
  ['%22', named('filename="a%22b"'), inexact],
  ['%0a', named('filename="a%0ab"'), inexact],
  ['%09', named('filename="a%09b"'), inexact],
  ['a tab', named('filename="a\tb"'), inexact],
  ['Latin-1', named('filename="\u00e9"'), 'a path in UTF-8'],
  ['filename* in another encoding', named(`filename*=ISO-8859-1''%E9`), 'UTF-8 that is percent'],
  ['filename* with broken UTF-8', named(`filename*=UTF-8''%E9`), 'UTF-8 that is percent'],
  ['endless headers', `X: ${'x'.repeat(20_000)}`, 'no readable'],
])('refuses %s', (_, head, words) => {
  expect(headOf(head)?.refusal?.message).toContain(words);
});

it('is not closed by a delimiter inside of the headers', () => {
  const cut = `--xy\r\n${disposition}\r\n--xy--\r\n`;
  expect(readIn('multipart/form-data; boundary=xy', cut)?.isClosed).toBe(false);
});
