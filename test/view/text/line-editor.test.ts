import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  editLine,
  type EditedLine,
  insertText,
  longestLine,
} from '../../../source/view/text/line-editor.ts';

const empty: EditedLine = { text: '', caret: 0 };

/** Converts between `a|b` and a line with its caret at the bar. */
function line(drawn: string): EditedLine {
  const caret = drawn.indexOf('|');
  return { text: drawn.replace('|', ''), caret };
}

function drawn({ text, caret }: EditedLine): string {
  return `${text.slice(0, caret)}|${text.slice(caret)}`;
}

function after(start: string, ...names: string[]): string {
  return drawn(names.reduce((now, name) => editLine(now, { name }) ?? now, line(start)));
}

describe('keys', () => {
  test.each([
    ['ab|', 'left', 'a|b'],
    ['|ab', 'left', '|ab'],
    ['a|b', 'right', 'ab|'],
    ['ab|', 'right', 'ab|'],
    ['one two|', 'home', '|one two'],
    ['one two|', 'ctrl+a', '|one two'],
    ['o|ne', 'end', 'one|'],
    ['o|ne', 'ctrl+e', 'one|'],
    ['a|b', 'backspace', '|b'],
    ['|b', 'backspace', '|b'],
    ['a|b', 'delete', 'a|'],
    ['a|', 'delete', 'a|'],
    ['one state:run |x', 'ctrl+w', 'one |x'],
    ['one|', 'ctrl+w', '|'],
    ['one t|wo', 'ctrl+u', '|wo'],
    ['one t|wo', 'ctrl+k', 'one t|'],
    ['one, two |', 'ctrl+left', 'one, |two '],
    ['one, |two', 'alt+b', '|one, two'],
    ['|one, two', 'ctrl+right', 'one|, two'],
    ['one|, two', 'alt+f', 'one, two|'],
    ['one, |', 'alt+right', 'one, |'],
    [', |', 'alt+left', '|, '],
  ])('%s, %s: %s', (start, name, end) => {
    expect(after(start, name)).toBe(end);
  });

  test('move by grapheme clusters', () => {
    const flag = '🇩🇪';
    const family = '👨‍👩‍👧';
    expect(after(`日${flag}${family}e\u0301|`, 'left', 'left')).toBe(`日${flag}|${family}e\u0301`);
    expect(after(`e\u0301${family}|${flag}`, 'backspace', 'delete')).toBe('e\u0301|');
    expect(after(`|${family}日`, 'right', 'delete')).toBe(`${family}|`);
  });

  test('that edit nothing return undefined', () => {
    for (const name of ['up', 'tab', 'f2', 'alt+x', 'ctrl+d']) {
      expect(editLine(line('a|b'), { name })).toBeUndefined();
    }
  });
});

describe('inserted text', () => {
  test('goes before the caret', () => {
    expect(drawn(insertText(line('a|d'), 'bc'))).toBe('abc|d');
    expect(drawn(editLine(line('a|d'), { name: 'space', text: ' ' }) ?? empty)).toBe('a |d');
  });

  test('is one line', () => {
    expect(drawn(insertText(line('<|>'), ' a\r\nb\tc\u0000d\u2028e\n'))).toBe('< a b c d e|>');
  });

  test('joins the cluster that it belongs to', () => {
    expect(drawn(insertText(line('e|x'), '\u0301'))).toBe('e\u0301|x');
    expect(drawn(insertText(line('|\u0301x'), 'e'))).toBe('e\u0301|x');
  });

  test('ends at the longest line, and not within a character', () => {
    const pasted = insertText(insertText(empty, 'x'.repeat(longestLine - 1)), '日👍');
    expect(pasted.text).toBe(`${'x'.repeat(longestLine - 1)}日`);
    expect(insertText(pasted, '日')).toEqual(pasted);
    const flags = insertText(insertText(empty, 'x'), '🇩🇪'.repeat(longestLine));
    expect(flags.text.length).toBe(longestLine - 3);
    const faces = insertText(empty, `\n${'x'.repeat(longestLine - 2)}${'👍'.repeat(longestLine)}`);
    expect(faces.text.endsWith('x👍')).toBe(true);
    expect(faces.text.length).toBe(longestLine);
  });
});

const segmenter = new Intl.Segmenter();

/** Returns the offsets between characters, both ends included. */
function boundaries(text: string): number[] {
  return [...Array.from(segmenter.segment(text), ({ index }) => index), text.length];
}

const isWord = (text: string) => /[\p{L}\p{N}_]/u.test(text);
const isSpace = (text: string) => /^\s/u.test(text);

/** Returns the boundary at which a step ends; `stop` receives the passed characters. */
function walk(
  { text, caret }: EditedLine,
  direction: -1 | 1,
  goesOn: (next: string, passed: readonly string[]) => boolean,
): number {
  const stops = boundaries(text);
  const passed: string[] = [];
  let at = stops.indexOf(caret);
  for (;;) {
    const next = at + direction;
    const [from, to] = [stops[Math.min(at, next)], stops[Math.max(at, next)]];
    if (from === undefined || to === undefined) return stops[at] ?? caret;
    const character = text.slice(from, to);
    if (!goesOn(character, passed)) return stops[at] ?? caret;
    passed.push(character);
    at = next;
  }
}

/** Target of each key, and whether it deletes the text between. */
const model: Readonly<Record<string, (line: EditedLine) => { to: number; deletes: boolean }>> = {
  left: (now) => ({ to: walk(now, -1, (_, passed) => passed.length < 1), deletes: false }),
  right: (now) => ({ to: walk(now, 1, (_, passed) => passed.length < 1), deletes: false }),
  home: () => ({ to: 0, deletes: false }),
  end: ({ text }) => ({ to: text.length, deletes: false }),
  'alt+b': (now) => ({ to: walk(now, -1, inRun(isWord)), deletes: false }),
  'alt+f': (now) => ({ to: walk(now, 1, inRun(isWord)), deletes: false }),
  backspace: (now) => ({ to: walk(now, -1, (_, passed) => passed.length < 1), deletes: true }),
  delete: (now) => ({ to: walk(now, 1, (_, passed) => passed.length < 1), deletes: true }),
  'ctrl+w': (now) => ({
    to: walk(
      now,
      -1,
      inRun((next) => !isSpace(next)),
    ),
    deletes: true,
  }),
  'ctrl+u': () => ({ to: 0, deletes: true }),
  'ctrl+k': ({ text }) => ({ to: text.length, deletes: true }),
};

function inRun(belongs: (character: string) => boolean) {
  return (next: string, passed: readonly string[]) => belongs(next) || !passed.some(belongs);
}

/** Returns the first boundary at or after an offset. */
function boundaryFrom(text: string, offset: number): number {
  return boundaries(text).find((boundary) => boundary >= offset) ?? text.length;
}

function expected(now: EditedLine, name: string): EditedLine {
  const { to, deletes } = model[name]?.(now) ?? { to: now.caret, deletes: false };
  if (!deletes) return { ...now, caret: to };
  const [from, until] = [Math.min(to, now.caret), Math.max(to, now.caret)];
  const text = now.text.slice(0, from) + now.text.slice(until);
  return { text, caret: boundaryFrom(text, from) };
}

test('any keys and texts behave like a simple model', () => {
  const piece = fc.constantFrom(
    'a',
    'é',
    'e\u0301',
    '\u0301',
    '日',
    '👨‍👩‍👧',
    '\u200d',
    '🇩',
    '🇪',
    ' ',
    '_',
    '-',
    'क्',
    'ष',
  );
  const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
  const key = fc.oneof(
    fc.constantFrom(...Object.keys(model)).map((name) => ({ name })),
    text.map((typed) => ({ name: 'paste', text: typed })),
  );
  fc.assert(
    fc.property(fc.array(key, { maxLength: 30 }), (keys) => {
      let now = empty;
      for (const input of keys) {
        const next = editLine(now, input);
        if ('text' in input) {
          const all = now.text.slice(0, now.caret) + input.text + now.text.slice(now.caret);
          const caret = boundaryFrom(all, now.caret + input.text.length);
          expect(next).toEqual({ text: all, caret });
        } else {
          expect(next).toEqual(expected(now, input.name));
        }
        now = next ?? now;
      }
    }),
  );
});
