import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { planMoves } from '../../../source/store/files/move-plan.ts';
import { chosenPaths, filesBelow, folderPaths } from '../../../source/store/files/targets.ts';

const rowsOf = (paths: readonly string[]) =>
  paths.map((path) => ({ value: { path }, unknown: {} }));
const name = fc.constantFrom('a', 'b', 'c.txt');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const listing = fc
  .uniqueArray(path, { maxLength: 6 })
  .map((paths) => paths.filter((one) => !paths.some((other) => other.startsWith(`${one}/`))));

test('each file below a moved path moves once, and all targets differ', () => {
  fc.assert(
    fc.property(listing, fc.array(path, { maxLength: 3 }), path, (files, marks, typed) => {
      const rows = rowsOf(files);
      const paths = chosenPaths(rows, new Set(marks), undefined);
      const plan = planMoves(rows, paths, typed);
      if (!plan.ok) return;
      const froms = plan.moves.map(({ from }) => from);
      expect(new Set(froms).size).toBe(froms.length);
      expect(new Set(plan.moves.map(({ to }) => to)).size).toBe(froms.length);
      expect(filesBelow(rows, paths)).toEqual(expect.arrayContaining(froms));
      for (const { to, replaces } of plan.moves) expect(replaces).toBe(files.includes(to));
    }),
  );
});

test('no chosen path is below another chosen path', () => {
  fc.assert(
    fc.property(listing, fc.array(path, { maxLength: 4 }), (files, marks) => {
      const chosen = chosenPaths(rowsOf(files), new Set(marks), undefined);
      for (const one of chosen) {
        expect(chosen.filter((other) => other === one || one.startsWith(`${other}/`))).toEqual([
          one,
        ]);
      }
    }),
  );
});

test.each([
  { paths: ['a/x'], typed: 'a/y', to: ['a/y'] },
  { paths: ['a/x'], typed: 'b/', to: ['b/x'] },
  { paths: ['a/x'], typed: 'c', to: ['c/x'] },
  { paths: ['a'], typed: 'c', to: ['c/a/x', 'c/a/deep/z'] },
  { paths: ['a'], typed: 'd', to: ['d/x', 'd/deep/z'] },
  { paths: ['a/x', 'c/y'], typed: 'd', to: ['d/x', 'd/y'] },
  { paths: ['a/x', 'c/y'], typed: '/', to: ['x', 'y'] },
])('$paths to "$typed" become $to', ({ paths, typed, to }) => {
  const plan = planMoves(rowsOf(['a/x', 'a/deep/z', 'c/y']), paths, typed);
  expect(plan.ok && plan.moves.map((move) => move.to)).toEqual(to);
});

test.each([
  { paths: ['a'], typed: 'a/deep', reason: "a can't be moved into itself." },
  { paths: ['a/x'], typed: 'a/x', reason: 'The files are already there.' },
  { paths: ['a/x', 'c/x'], typed: 'd', reason: 'another file has the same name' },
])('$paths to "$typed" is refused', ({ paths, typed, reason }) => {
  const plan = planMoves(rowsOf(['a/x', 'a/deep/z', 'c/x']), paths, typed);
  expect(plan.ok ? '' : plan.sentence).toContain(reason);
});

test('folders are implied by paths or listed', () => {
  const rows = [
    ...rowsOf(['a/b/c']),
    { value: { path: 'empty', directory: true as const }, unknown: {} },
  ];
  expect(folderPaths(rows)).toEqual(['a/', 'a/b/', 'empty/']);
});
