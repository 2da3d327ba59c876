import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseErrorDetails } from '../../../source/client/http/error-details.ts';

const bodies: readonly (readonly [string, unknown, unknown])[] = [
  [
    'the host',
    {
      success: false,
      error: {
        code: 'invalid-sdl',
        message: 'SDL line 4, column 3: services.web: expected a command.',
        details: [
          { field: 'services.web', expected: 'a command', line: 4, column: 3 },
          { field: 'deployment', expected: 'at most 8 instances' },
        ],
      },
    },
    [
      { field: 'services.web', message: 'expected a command', line: 4, column: 3 },
      { field: 'deployment', message: 'expected at most 8 instances' },
    ],
  ],
  ['a bare line', { line: 7, column: 2, message: 'bad' }, [{ message: 'bad', line: 7, column: 2 }]],
  ['a nested one', { error: { message: 'bad', line: '7' } }, [{ message: 'bad', line: 7 }]],
  [
    'a location',
    { errors: [{ msg: 'bad', location: { line: 7, col: 2 } }] },
    [{ message: 'bad', line: 7, column: 2 }],
  ],
  [
    'pydantic',
    { detail: [{ loc: ['body', 'sdl', 0], msg: 'bad' }] },
    [{ field: 'body.sdl.0', message: 'bad' }],
  ],
  ['its text', { detail: 'yaml: line 4: bad' }, [{ message: 'yaml: line 4: bad', line: 4 }]],
  [
    'its text with a column',
    { message: 'bad at line 4, column 7' },
    [{ message: 'bad at line 4, column 7', line: 4, column: 7 }],
  ],
  [
    'a list of texts',
    { errors: ['line 4:7 bad'] },
    [{ message: 'line 4:7 bad', line: 4, column: 7 }],
  ],
  ['no line that counts from 1', { message: 'bad', line: 0 }, []],
  ['no place at all', { message: 'it names no services' }, []],
];

test.each(bodies)('of %s', (_, body, details) => {
  expect(parseErrorDetails(JSON.stringify(body))).toEqual(details);
});

test('plain text may name a line, and markup has no details', () => {
  expect(parseErrorDetails('bad at line 12')).toEqual([{ message: 'bad at line 12', line: 12 }]);
  expect(parseErrorDetails('<html>line 12</html>')).toEqual([]);
});

test('lines and columns count from 1 in any body, and details are bounded', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (body) => {
      const details = parseErrorDetails(body);
      expect(details.length).toBeLessThanOrEqual(100);
      for (const { line = 1, column = 1 } of details) {
        expect(Math.min(line, column)).toBeGreaterThanOrEqual(1);
      }
    }),
  );
});

test('a message with very many spaces before a number names no line', () => {
  const said = `line${' '.repeat(400_000)}x`;
  expect(parseErrorDetails(said)).toEqual([]);
  expect(parseErrorDetails(JSON.stringify({ field: 'sdl', message: said }))).toEqual([
    { field: 'sdl', message: said },
  ]);
});
