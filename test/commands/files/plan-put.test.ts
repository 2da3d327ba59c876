import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CommandFailure } from '../../../source/commands/command-problem.ts';
import { planPut } from '../../../source/commands/files/put.ts';
import { isRequestablePath } from '../../../source/contract/routes.ts';
import { problemOf } from '../problem-of.ts';

const listed = ['config/app.yaml', 'index.html', 'data'].map((path) => ({
  value: { path },
  unknown: {},
}));
const folders = [...listed, { value: { path: 'empty', directory: true }, unknown: {} }];

const plan = (locals: readonly string[], target: string) =>
  planPut({ locals, target, listed: folders });
const pathsOf = (locals: readonly string[], target: string) =>
  plan(locals, target).map(({ path }) => path);

describe('the paths of uploaded files', () => {
  it.each([
    [['a/b.txt'], 'new.txt', ['new.txt']],
    [['a/b.txt'], 'index.html', ['index.html']],
    [['a/b.txt'], 'config', ['config/b.txt']],
    [['a/b.txt'], 'empty', ['empty/b.txt']],
    [['a/b.txt'], 'new/', ['new/b.txt']],
    [['a/b.txt', './c'], '', ['b.txt', 'c']],
    [['a/b.txt', 'c'], 'config/', ['config/b.txt', 'config/c']],
    [['-'], 'new.txt', ['new.txt']],
  ])('of %j to %j are %j', (locals, target, paths) => {
    expect(pathsOf(locals, target)).toEqual(paths);
  });

  it.each([
    [['a', 'b'], 'new', 'Several files need a folder, and new is none.'],
    [['a/x', 'b/x'], 'config', "b/x can't go to config/x: another file has the same name."],
    [['-'], 'config', 'config is a folder, and stdin (-) has no name.'],
    [['-'], '', 'The target is a folder, and stdin (-) has no name.'],
    [['-', 'a'], 'config/', 'stdin (-) goes to one file alone.'],
    [['a'], '/etc/x', 'No URL can address the path /etc/x. Nothing was sent.'],
    [['a'], 'config/../x', 'No URL can address the path config/../x. Nothing was sent.'],
  ])('of %j to %j do not exist', (locals, target, sentence) => {
    expect(problemOf(() => plan(locals, target)).sentence).toBe(sentence);
  });

  it('can be requested, and are different', () => {
    const name = fc.constantFrom('a', 'b.txt', '..', '.', '-', 'config', 'x y', '');
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(fc.array(path, { minLength: 1, maxLength: 4 }), path, (locals, target) => {
        let paths: readonly string[];
        try {
          paths = pathsOf(locals, target);
        } catch (error) {
          expect(error).toBeInstanceOf(CommandFailure);
          return;
        }
        expect(paths.filter((each) => !isRequestablePath(each))).toEqual([]);
        expect(new Set(paths).size).toBe(locals.length);
      }),
    );
  });
});
