import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readArguments } from '../../source/config/arguments.ts';
import { plainConsole } from '../../source/start/plain-arguments.ts';

test.each([
  [[], { baseUrl: undefined, profile: undefined, ascii: false }],
  [['--ascii'], { baseUrl: undefined, profile: undefined, ascii: true }],
  [
    ['--base-url', 'https://a.example'],
    { baseUrl: 'https://a.example', profile: undefined, ascii: false },
  ],
  [['--profile', 'prod'], { baseUrl: undefined, profile: 'prod', ascii: false }],
  [['--ascii', '--base-url', 'http://b'], { baseUrl: 'http://b', profile: undefined, ascii: true }],
])('%j asks for the console', (argv, wanted) => {
  expect(plainConsole(argv)).toEqual(wanted);
});

test.each([
  [['logs', 'x']],
  [['host']],
  [['--help']],
  [['--version']],
  [['--ascii', '--ascii']],
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
