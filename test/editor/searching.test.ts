import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FindQuery } from '../../source/editor/find.ts';
import { createTextEditor, type TextEditor } from '../../source/editor/text-editor.ts';
import { drawing } from './cells-drawing.ts';

function open(text: string): TextEditor {
  return createTextEditor({ ...drawing, text, size: { rows: 5, columns: 20 } });
}

const literal = (text: string): FindQuery => ({ text, regex: false, matchCase: true });
const regex = (text: string): FindQuery => ({ text, regex: true, matchCase: true });

function standing(editor: TextEditor): string {
  const { current, total, hasMore } = editor.findState ?? {};
  return `${current ?? '-'} of ${total ?? '-'}${hasMore ? '+' : ''}`;
}

describe('a search', () => {
  test('selects the next match after the cursor and wraps around', () => {
    const editor = open('a.b a.b A.B axb');
    editor.select(1);
    expect(editor.find(literal('a.b'))).toBeUndefined();
    expect(standing(editor)).toBe('2 of 2');
    editor.findNext();
    expect(standing(editor)).toBe('1 of 2');
    editor.findPrevious();
    expect([standing(editor), editor.state.selection.main.from]).toEqual(['2 of 2', 4]);
    editor.find({ ...literal('a.b'), matchCase: false });
    expect(editor.findState?.total).toBe(3);
    editor.clearFind();
    expect([editor.findState, editor.findNext()]).toEqual([undefined, false]);
  });

  test('finds text literally that is an invalid expression', () => {
    const hostile = String.raw`-a[\d+](x)*{2}^$|?/`;
    const editor = open(`x ${hostile} y`);
    editor.find(literal(hostile));
    expect(editor.selectionLength()).toBe(hostile.length);
  });

  test.each(['(', '[a', '*', String.raw`\p{No such}`])('rejects the expression %s', (text) => {
    const editor = open('a');
    expect(editor.find(regex(text))?.sentence).toMatch(/^Invalid regular expression/);
    expect(editor.findState).toBeUndefined();
  });

  test('rejects an empty search text', () => {
    expect(open('a').find(literal(''))?.next).toBe('Type the text to find.');
  });

  test('ignores empty matches', () => {
    const editor = open('bbb a\nbb');
    editor.find(regex('a*'));
    expect(standing(editor)).toBe('1 of 1');
  });

  test('counts up to a limit', () => {
    const editor = open('a\n'.repeat(150_000));
    editor.find(literal('a'));
    expect(standing(editor)).toBe('1 of 99999+');
  });

  test('counts a large document again only on the next search', () => {
    const editor = open('some words\n'.repeat(100_000).concat('x'));
    editor.find(literal('x'));
    expect(standing(editor)).toBe('1 of 1');
    editor.goToLine(1);
    editor.insert('x');
    expect(standing(editor)).toBe('- of -');
    editor.findNext();
    expect(standing(editor)).toBe('2 of 2');
  });

  test('shows every match in the visible part of a long line', () => {
    const editor = open('ab'.repeat(600_000));
    editor.select(700_000);
    editor.find(literal('b'));
    const runs = editor.viewModel().rows[0]?.runs ?? [];
    expect(runs.filter(({ match }) => match).length).toBe(9);
  });
});

describe('replacing', () => {
  test('replaces the selected match and selects the next', () => {
    const editor = open('a1 a2 a3');
    editor.find(regex(String.raw`a(\d)`));
    expect(editor.replaceOne('<$1$$>')).toBe(true);
    expect([editor.text(), standing(editor)]).toEqual(['<1$> a2 a3', '1 of 2']);
    editor.select(0);
    expect(editor.replaceOne('x')).toBe(false);
    expect(editor.replaceOne('x')).toBe(true);
    expect(editor.text()).toBe('<1$> x a3');
  });

  test('all matches is one undo step and inserts a literal replacement unchanged', () => {
    const editor = open('a b a');
    editor.find(literal('a'));
    expect(editor.replaceAll('$&')).toBe(2);
    expect(editor.text()).toBe('$& b $&');
    editor.run('undo');
    expect(editor.text()).toBe('a b a');
  });

  test('agrees with String.replaceAll', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'ab', '\n', '日'), { maxLength: 12 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.constantFrom('a', 'ab', 'b', '日'), text, (content, found, put) => {
        const editor = open(content);
        editor.find(literal(found));
        const total = content.split(found).length - 1;
        expect(editor.findState?.total).toBe(total);
        expect(editor.replaceAll(put)).toBe(total);
        expect(editor.text()).toBe(content.replaceAll(found, () => put));
      }),
      { numRuns: 500 },
    );
  });

  test('finds the same matches backwards as forwards', () => {
    const lines = fc
      .array(fc.constantFrom('x', 'needle ', ' '.repeat(9000), '\n'), { maxLength: 20 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(lines, (content) => {
        const editor = open(content);
        editor.find(literal('needle'));
        const total = editor.findState?.total ?? 0;
        const ranks: (number | undefined)[] = [];
        for (let index = 0; index < total; index += 1) {
          ranks.push(editor.findState?.current);
          editor.findPrevious();
        }
        const falling = Array.from({ length: total }, (_, index) => ((total - index) % total) + 1);
        expect(ranks).toEqual(falling);
      }),
      { numRuns: 100 },
    );
  });
});
