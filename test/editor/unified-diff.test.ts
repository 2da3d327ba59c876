import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { unifiedDifference } from '../../source/editor/unified-diff.ts';

const textOf = (before: string, after: string): readonly string[] =>
  unifiedDifference(before, after).map(({ text }) => text);

const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join('');

/** Applies a difference, and checks every line of its context. */
function applyTo(before: string, lines: ReturnType<typeof unifiedDifference>): string {
  const source = before === '' ? [] : before.split(/(?<=\n)/);
  const result: string[] = [];
  let next = 0;
  for (const [index, { kind, text }] of lines.entries()) {
    const isCut = lines[index + 1]?.kind === 'mark';
    const line = text.slice(1) + (isCut ? '' : '\n');
    if (kind === 'head') {
      const [, start = '', count = '1'] = /^@@ -(\d+)(?:,(\d+))? /.exec(text) ?? [];
      const from = Number(count) === 0 ? Number(start) : Number(start) - 1;
      expect(from).toBeGreaterThanOrEqual(next);
      result.push(...source.slice(next, from));
      next = from;
    } else if (kind === 'added') result.push(line);
    else if (kind !== 'mark') {
      expect(source[next]).toBe(line);
      if (kind === 'same') result.push(line);
      next += 1;
    }
  }
  return [...result, ...source.slice(next)].join('');
}

describe('a unified difference', () => {
  it('has three lines of context and the ranges of both sides', () => {
    const before = numbered(1, 20);
    const after = before.replace('10\n', 'ten\nand more\n');
    expect(textOf(before, after)).toEqual([
      '@@ -7,7 +7,8 @@',
      ' 7',
      ' 8',
      ' 9',
      '-10',
      '+ten',
      '+and more',
      ' 11',
      ' 12',
      ' 13',
    ]);
  });

  it('joins near changes and separates distant ones', () => {
    const heads = (...changed: readonly number[]) => {
      const lines = numbered(1, 30).split(/(?<=\n)/);
      for (const line of changed) lines[line - 1] = 'changed\n';
      return textOf(numbered(1, 30), lines.join('')).filter((line) => line.startsWith('@@'));
    };
    expect(heads(5, 12)).toEqual(['@@ -2,14 +2,14 @@']);
    expect(heads(5, 13)).toEqual(['@@ -2,7 +2,7 @@', '@@ -10,7 +10,7 @@']);
  });

  it('tells of a missing line feed, and names the line before an empty range', () => {
    expect(textOf('', 'a')).toEqual(['@@ -0,0 +1 @@', '+a', '\\ No newline at end of file']);
    expect(textOf('a\n', '')).toEqual(['@@ -1 +0,0 @@', '-a']);
    expect(textOf('a', 'a\n')).toEqual(['@@ -1 +1 @@', '-a', '\\ No newline at end of file', '+a']);
    expect(textOf('same\r\n', 'same\r\n')).toEqual([]);
  });

  const text = fc
    .array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'd\re\n', '-- f\n'), { maxLength: 40 })
    .chain((lines) => fc.constantFrom('', 'end', 'end\r').map((last) => lines.join('') + last));

  it('leads from one text to the other', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = unifiedDifference(before, after);
        expect(applyTo(before, lines)).toBe(after);
        expect(lines.length === 0).toBe(before === after);
      }),
    );
  });

  const folder = mkdtempSync(path.join(tmpdir(), 'hostdeck-diff-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    [numbered(1, 40), numbered(3, 20) + numbered(25, 44)],
    ['a\r\nb\n', 'a\nb'],
    ['x', 'x\ny\n'],
  ])('is what git apply reads', (before, after) => {
    const file = path.join(folder, 'file');
    writeFileSync(file, before);
    const lines = ['--- a/file', '+++ b/file', ...textOf(before, after)];
    const applied = spawnSync('git', ['apply', '-'], {
      cwd: folder,
      input: `${lines.join('\n')}\n`,
      env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() },
      encoding: 'utf8',
    });
    expect(applied.stderr).toBe('');
    expect(readFileSync(file, 'utf8')).toBe(after);
  });
});
