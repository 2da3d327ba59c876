import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createVisibleText } from '../../../source/commands/files/write-file-out.ts';

/** Returns the text of bytes that come in pieces of this size. */
function shown(text: string, size: number): string {
  const bytes = Buffer.from(text);
  const visible = createVisibleText();
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    pieces.push(visible.add(bytes.subarray(at, at + size)));
  }
  return [...pieces, visible.end()].join('');
}

it('keeps lines and tabs, and makes escape sequences visible', () => {
  expect(shown('a\tb\r\n\x1b[31mred\n\nend', 100)).toBe('a\tb\n^[[31mred\n\nend');
});

it('shows the same however the bytes are cut', () => {
  const text = fc
    .array(fc.constantFrom('a', 'ä', '\u{1f600}', '\n', '\r\n', '\r', '\t', '\x1b[2J', '\0'))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 9 }), (given, size) => {
      expect(shown(given, size)).toBe(shown(given, given.length * 4 + 1));
    }),
  );
});

it('shows a line without an end before all of it has come, and no control of it', () => {
  const visible = createVisibleText();
  const first = visible.add(Buffer.from(`${'x'.repeat(70_000)}\x1b[H`));
  expect(first).toBe(`${'x'.repeat(70_000)}^[[H`);
  expect(visible.end()).toBe('');
});
