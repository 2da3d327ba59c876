import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSdl } from '../../../source/contract/sdl/parse.ts';
import { summariseSdl } from '../../../source/contract/sdl/reading.ts';

const definition = `version: "2.0"
name: y
services:
  web:
    command: [sh, -c, "sleep 600"]
    env: [A=b c]
profiles:
  compute:
    web:
      resources: {cpu: {units: 0.1}, memory: {size: 64Mi}, storage: {size: 64Mi}}
  placement:
    local:
      pricing:
        web: {denom: credits, amount: 1}
deployment:
  web:
    local: {profile: web, count: 1}
`;

/** Returns the problems of a definition in which a part is replaced. */
function problems(part: string, replacement: string): readonly string[] {
  expect(definition).toContain(part);
  return summariseSdl(definition.replace(part, () => replacement)).problems.map(
    ({ isWarning, line, column, sentence }) =>
      `${isWarning ? 'warning' : 'mistake'} ${line}:${column} ${sentence}`,
  );
}

const space = 'There is a U+00A0 no-break space here. Replace it by a plain space.';

describe('an invisible character', () => {
  it.each([
    ['name: y', 'name:\u00A0y', `2:6 ${space}`],
    ['name: y', '\u00A0name: y', `2:1 ${space}`],
    ['name: y', 'name: \u00A0y', `2:7 ${space}`],
    ['name: y', 'name: y\u00A0', `2:8 ${space}`],
    ['services:', 'services:\u00A0', `3:10 ${space}`],
    ['    command', '\u00A0   command', `5:1 ${space}`],
    ['  web:\n    command', '  web\u00A0:\n    command', `4:6 ${space}`],
    ['{profile: web, count', '{profile: web,\u00A0count', `17:26 ${space}`],
    [
      'name: y',
      'name:\u3000y',
      '2:6 There is a U+3000 ideographic space here. Replace it by a plain space.',
    ],
    ['name: y', 'na\u200Bme: y', '2:3 There is a U+200B zero width space here. Remove it.'],
    ['name: y', '\uFEFFname: y', '2:1 There is a U+FEFF byte order mark here. Remove it.'],
    ['name: y', 'name: \u202Ey', '2:7 There is a U+202E right-to-left override here. Remove it.'],
    ['name: y', 'name:\u0001 y', '2:6 There is a U+0001 control character here. Remove it.'],
    ['name: y', 'name: y\u2028', '2:8 There is a U+2028 line separator here. Remove it.'],
  ])('is named at its place: %j as %j', (part, replacement, expected) => {
    expect(problems(part, replacement)).toEqual([`mistake ${expected}`]);
    const parsed = parseSdl(definition.replace(part, () => replacement));
    expect(parsed).toMatchObject({
      ok: false,
      problems: [{ expected: expect.stringMatching(/^no U\+[0-9A-F]{4} /) }],
    });
  });

  it('is a warning in the text of a value, once a line, and none in a comment', () => {
    expect([
      problems('A=b c', 'A=b\u00A0c\u00A0d'),
      problems('"sleep 600"', '"sleep\u00A0600"'),
      problems('name: y', 'name: y # a\u00A0note'),
      problems('name: y', 'name: "\\u200B"'),
      problems('name: y', 'name: "👩‍💻 می‌خواهم"'),
      problems('version', '\uFEFFversion'),
    ]).toEqual([[`warning 6:14 ${space}`], [`warning 5:29 ${space}`], [], [], [], []]);
  });

  it('is found in any definition in which a space was replaced', () => {
    const hidden = fc.constantFrom(
      '\u00A0',
      '\u2003',
      '\u200B',
      '\u2060',
      '\u202E',
      '\u0085',
      '\u007F',
    );
    const places = [...definition.matchAll(/ /g)].map(({ index }) => index);
    fc.assert(
      fc.property(fc.constantFrom(...places), hidden, (at, character) => {
        const text = definition.slice(0, at) + character + definition.slice(at + 1);
        const line = text.slice(0, at).split('\n').length;
        const name = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
        const found = summariseSdl(text).problems.find((each) => each.sentence.includes(name));
        expect(found?.line).toBe(line);
      }),
    );
  });
});

describe('words and variables that no process starts with', () => {
  const long = 'x'.repeat(131_072);

  it('are refused at their line', () => {
    expect([
      problems('A=b c', `A=${long}`),
      problems('env: [A=b c]', `env: { LONG: ${long} }`),
      problems('"sleep 600"', long),
      problems('A=b c', `A=${long.slice(3)}`),
      problems('A=b c', `A=${'é'.repeat(65_536)}`),
    ]).toEqual([
      [
        'mistake 6:11 A has 131074 bytes; no process starts with more than 131071. Put it into a file.',
      ],
      [
        'mistake 6:18 LONG has 131077 bytes; no process starts with more than 131071. Put it into a file.',
      ],
      [
        'mistake 5:23 "item 3 of command" has 131072 bytes; no process starts with more than 131071. Put it into a file.',
      ],
      [],
      [
        'mistake 6:11 A has 131074 bytes; no process starts with more than 131071. Put it into a file.',
      ],
    ]);
  });

  it('are refused with all others of their service', () => {
    const aliases = Array.from({ length: 20 }, (_, index) => `V${index}: *long`).join(', ');
    const env = `env: { V: &long ${'x'.repeat(120_000)}, ${aliases} }`;
    expect(problems('env: [A=b c]', env)).toEqual([
      'mistake 4:3 command, args and env have 2520301 bytes together; no process starts with more than 2097152.',
    ]);
  });
});
