import { parseAst } from 'vitest/node';
import { describe, expect, it } from 'vitest';
import { sources, textOf } from '../architecture/sources.ts';
import { describeMutation, mutated, mutationsOf } from './mutations.ts';

const mutantsOf = (text: string) =>
  mutationsOf(text, false).map((mutation) => mutated(text, mutation));

describe('the mutations of a module', () => {
  it.each([
    ['const x = a < b;', ['const x = a <= b;']],
    ['const x = a && b;', ['const x = a || b;']],
    ["const x = 'a' + b;", []],
    ['const x = `ü→🙂`.length - b;', ['const x = `ü→🙂`.length + b;']],
    ['if (!a) b();', ['if (!(!a)) b();', 'if (a) b();', 'if (!a) ;']],
    ['const x = a ? true : 2;', ['const x = !(a) ? true : 2;', 'const x = a ? false : 2;']],
    ['function f() { return a; }', ['function f() { return undefined; }']],
    ['await go();', [';']],
    [
      'class A extends B { constructor() { super(false); } }',
      ['class A extends B { constructor() { super(true); } }'],
    ],
    ['type A = 1 | true; let a: 1 = b as 1;', []],
    ["import a from './a' with { type: 'json' };", []],
  ])('%s', (text, mutants) => {
    expect(mutantsOf(text)).toEqual(mutants);
  });

  it('say their line as it is and as it becomes', () => {
    const text = 'const a = 1;\n  if (a === 1) b();\n';
    const [, operator] = mutationsOf(text, false);
    expect(operator && describeMutation(text, operator)).toEqual({
      line: 2,
      was: 'if (a === 1) b();',
      became: 'if (a !== 1) b();',
    });
  });

  it('leave modules that can be read', () => {
    const modules = sources.filter((_file, index) => index % 40 === 0);
    expect(modules.length).toBeGreaterThan(20);
    for (const module of modules) {
      const [text, isJsx] = [textOf(module), module.endsWith('x')];
      for (const mutation of mutationsOf(text, isJsx).filter((_each, index) => index % 5 === 0)) {
        const other = mutated(text, mutation);
        expect(other).not.toBe(text);
        expect(() => parseAst(other, { lang: isJsx ? 'tsx' : 'ts' }), module).not.toThrow();
      }
    }
  });
});
