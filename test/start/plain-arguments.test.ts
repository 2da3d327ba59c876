import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readArguments } from '../../source/config/arguments.ts';
import { plainConsole } from '../../source/start/plain-arguments.ts';

const plain = {
  baseUrl: undefined,
  profile: undefined,
  ascii: false,
  unicode: false,
  screenReader: false,
};

test.each([
  [[], plain],
  [['--ascii'], { ...plain, ascii: true }],
  [['--screen-reader', '--unicode'], { ...plain, screenReader: true, unicode: true }],
  [['--base-url', 'https://a.example'], { ...plain, baseUrl: 'https://a.example' }],
  [['--profile', 'prod'], { ...plain, profile: 'prod' }],
  [['--ascii', '--base-url', 'http://b'], { ...plain, ascii: true, baseUrl: 'http://b' }],
])('%j asks for the console', (argv, wanted) => {
  expect(plainConsole(argv)).toEqual(wanted);
});

test.each([
  [['logs', 'x']],
  [['host']],
  [['--help']],
  [['--version']],
  [['--ascii', '--ascii']],
  [['--ascii', '--unicode']],
  [['--base-url']],
  [['--base-url', '--ascii']],
  [['--profile']],
  [['--profile', '--ascii']],
  [['--profile', 'prod', '--base-url', 'http://b']],
  [['--token', 'x']],
  [['']],
])('%j is left to the whole reading', (argv) => {
  expect(plainConsole(argv)).toBeUndefined();
});

test('what it reads is what the whole reading gives', () => {
  const word = fc.constantFrom(
    '--ascii',
    '--unicode',
    '--screen-reader',
    '--base-url',
    'https://a.example',
    'http://b/c',
    '--profile',
    'prod',
    '--',
    '-a',
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), (argv) => {
      const wanted = plainConsole(argv);
      fc.pre(wanted !== undefined);
      expect(readArguments(argv)).toEqual({ kind: 'console', ...wanted });
    }),
  );
});
