import { Text } from '@codemirror/state';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  mergeProblems,
  pinProblems,
  problemsOfRefusal,
  stillThere,
} from '../../../source/store/editor/definition-problems.ts';

const problems = fc.array(
  fc.record({
    line: fc.integer({ min: 1, max: 12 }),
    column: fc.integer({ min: 1, max: 9 }),
    sentence: fc.constantFrom('One.', 'Two.'),
  }),
  { maxLength: 6 },
);
const texts = fc.array(fc.constantFrom('a', 'b', 'c: d'), { minLength: 1, maxLength: 8 });

test('an unchanged text keeps all problems, clamped to its lines', () => {
  fc.assert(
    fc.property(problems, texts, (found, lines) => {
      const doc = Text.of(lines);
      const expected = found.map((problem) => ({
        ...problem,
        line: Math.min(problem.line, lines.length),
      }));
      expect(stillThere(pinProblems(found, doc), doc)).toEqual(expected);
    }),
  );
});

test('an error wins over a warning on the same line, else the first', () => {
  const at = (column: number, isWarning: boolean) => ({
    line: 3,
    column,
    sentence: String(column),
    isWarning,
  });
  expect(mergeProblems([at(1, true), at(2, false), at(3, false)])).toEqual([at(2, false)]);
  expect(mergeProblems([at(1, true)], [at(2, false)])).toEqual([at(2, false)]);
  expect(mergeProblems([at(1, false)], [at(2, true)])).toEqual([at(1, false)]);
  expect(mergeProblems([at(1, true)], [at(2, true)])).toEqual([at(1, true)]);
});

test('no problem is shown at a changed line', () => {
  fc.assert(
    fc.property(problems, texts, texts, (found, lines, later) => {
      const before = pinProblems(found, Text.of(lines));
      const shown = stillThere(before, Text.of(later));
      expect(shown.every(({ line }) => before.lineTexts.includes(later[line - 1] ?? ''))).toBe(
        true,
      );
    }),
  );
});

test('a problem moves with its line, and disappears when the line is edited', () => {
  const found = pinProblems(
    [{ line: 2, column: 1, sentence: 'No.' }],
    Text.of(['one', 'two', 'three']),
  );
  const at = (...lines: string[]) => stillThere(found, Text.of(lines)).map(({ line }) => line);
  expect(at('one', 'new', 'two', 'three')).toEqual([3]);
  expect(at('two', 'three')).toEqual([1]);
  expect(at('one', 'twos', 'three')).toEqual([]);
});

test('merged lists have one problem a line, of the first list', () => {
  fc.assert(
    fc.property(problems, problems, (one, other) => {
      const merged = mergeProblems(one, other);
      const lines = merged.map(({ line }) => line);
      expect(lines).toEqual([...new Set(lines)].sort((a, b) => a - b));
      expect(new Set(lines)).toEqual(new Set([...one, ...other].map(({ line }) => line)));
      for (const problem of merged) {
        const first = one.find(({ line }) => line === problem.line);
        if (first !== undefined) expect(problem).toBe(first);
      }
    }),
  );
});

test('a detail with a line becomes a problem, without the excerpt below it', () => {
  expect(
    problemsOfRefusal([
      { field: 'services.web', message: 'expected a command', line: 4, column: 3 },
      { message: 'bad at line 7:\n\n  a: b: c\n   ^', line: 7 },
      { field: 'deployment', message: 'expected less' },
    ]),
  ).toEqual([
    { line: 4, column: 3, sentence: 'The service: services.web: expected a command.' },
    { line: 7, column: 1, sentence: 'The service: bad at line 7.' },
  ]);
});
