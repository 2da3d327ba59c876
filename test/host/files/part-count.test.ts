import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { PartCounter } from '../../../source/host/files/part-count.ts';

const bodyOf = (boundary: string, parts: readonly string[]) =>
  `${parts.map((part) => `--${boundary}\r\n\r\n${part}\r\n`).join('')}--${boundary}--\r\n`;

/** Returns the count for a body in chunks that end at these offsets. */
function countOf(contentType: string, body: string, ends: readonly number[]): number | undefined {
  const count = PartCounter.forContentType(contentType);
  const bytes = Buffer.from(body, 'latin1');
  const offsets = [...new Set(ends.map((end) => end % (bytes.length + 1)))].toSorted(
    (a, b) => a - b,
  );
  let from = 0;
  for (const to of [...offsets, bytes.length]) {
    count?.push(bytes.subarray(from, to));
    from = to;
  }
  return count?.complete;
}

it('counts the parts of a body in chunks of any size', () => {
  const content = fc.string({ unit: fc.constantFrom('a', '-', '\r', '\n', 'xy', '--xy') });
  fc.assert(
    fc.property(fc.array(content), fc.array(fc.nat()), fc.boolean(), (contents, ends, isQuoted) => {
      const parts = contents.filter((part) => !`\r\n${part}`.includes('\r\n--xy'));
      const type = `multipart/form-data; boundary=${isQuoted ? '"xy"' : 'xy'}`;
      expect(countOf(type, bodyOf('xy', parts), ends)).toBe(parts.length);
    }),
  );
});

it.each([
  undefined,
  'multipart/form-data',
  'text/plain',
  `multipart/form-data; boundary=${'b'.repeat(71)}`,
])('counts nothing for %s', (contentType) => {
  expect(PartCounter.forContentType(contentType)).toBeUndefined();
});

it('counts a part once the next delimiter has arrived', () => {
  const count = PartCounter.forContentType('multipart/form-data; charset=utf-8; boundary=xy');
  const seen = ['--xy\r\n\r\na', '\r\n--x', 'y\r\n\r\nb', '\r\n--xy--'].map((bytes) => {
    count?.push(Buffer.from(bytes));
    return count?.complete;
  });
  expect(seen).toEqual([0, 0, 1, 2]);
});
