import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  clipboardLimit,
  clipboardSequence,
  clipboardLines,
  clipboardText,
  clipboardMethod,
} from '../../source/terminal/clipboard.ts';
import { codePoint } from '../support/code-point.ts';

const name = fc.string({ unit: codePoint, maxLength: 20 });

/** Returns the text that a terminal decodes from an OSC 52. */
function decoded(sequence: string): string {
  // eslint-disable-next-line no-control-regex
  const base64 = /^\x1b\]52;c;([A-Za-z0-9+/=]*)\x07$/.exec(sequence)?.[1];
  if (base64 === undefined) throw new Error(`no OSC 52: ${JSON.stringify(sequence)}`);
  return Buffer.from(base64, 'base64').toString();
}

describe('text for the clipboard', () => {
  test('has no control characters except the line ends between names', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 5 }), (names) => {
        const text = clipboardText(names);
        expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(text === '' ? 0 : text.split('\n').length).toBeLessThanOrEqual(names.length);
        expect(clipboardText(text.split('\n'))).toBe(text);
      }),
    );
  });

  test('contains names without control characters unchanged', () => {
    expect(clipboardText(['a b', 'ünï/日本', '$(x)'])).toBe('a b\nünï/日本\n$(x)');
    expect(clipboardText(['rm\n-rf\r\x1b[2J\x9b', '\n'])).toBe('rm-rf[2J');
  });
});

describe('the clipboard sequence', () => {
  test('is an OSC 52 that decodes to the text', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 5 }), (names) => {
        const text = clipboardText(names);
        expect(decoded(clipboardSequence(text, 'terminal'))).toBe(text);
      }),
    );
  });

  test('reaches the terminal through screen, in strings that its oldest version accepts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const clean = clipboardText([text]);
        const parts = clipboardSequence(clean, 'screen').split('\x1b\\');
        expect(parts.pop()).toBe('');
        for (const part of parts) {
          expect(part.startsWith('\x1bP')).toBe(true);
          expect(part.length).toBeLessThan(256);
        }
        expect(decoded(parts.map((part) => part.slice(2)).join(''))).toBe(clean);
      }),
    );
  });

  test('of the longest text stays within the limit of terminals', () => {
    const sequence = clipboardSequence('x'.repeat(clipboardLimit), 'terminal');
    expect(sequence.length).toBeLessThanOrEqual(100_000);
  });
});

test('the innermost of tmux, screen and the terminal gets the text', () => {
  expect(clipboardMethod({})).toBe('terminal');
  expect(clipboardMethod({ TMUX: '', STY: '' })).toBe('terminal');
  expect(clipboardMethod({ STY: '1.pts' })).toBe('screen');
  expect(clipboardMethod({ TMUX: '/tmp/tmux,1,0', STY: '1.pts' })).toBe('tmux');
});

test('a text of several lines keeps its lines, also blank ones, and loses control characters', () => {
  expect(clipboardLines('a:\n\n\tb: 1\r\n\u001b]52;c;x\u0007\u2028')).toBe('a:\n\n\tb: 1\n]52;c;x');
});
