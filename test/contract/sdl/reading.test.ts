import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSdl } from '../../../source/contract/sdl/parse.ts';
import { summariseSdl } from '../../../source/contract/sdl/reading.ts';
import { codePoint } from '../../support/code-point.ts';

const folder = path.resolve(import.meta.dirname, '../../fixtures/sdl');

function fixtures(kind: 'good' | 'mistakes'): readonly (readonly [name: string, text: string])[] {
  return readdirSync(path.join(folder, kind)).map((name) => [
    name,
    readFileSync(path.join(folder, kind, name), 'utf8'),
  ]);
}

const good = fixtures('good');
const mistakes = fixtures('mistakes');
const plain = readFileSync(path.join(folder, 'good/plain.yaml'), 'utf8');

/** Mistakes that the host accepts with a warning: values that it does not read, and unknown keys. */
const warnings = new Set([
  'cpu-units.yaml',
  'exposed-to-unknown-service.yaml',
  'key-mistyped.yaml',
  'memory-size.yaml',
  'service-without-placement.yaml',
]);

describe('a mistake', () => {
  it.each(mistakes)('in %s is the only problem, at its position', (_, text) => {
    const [, line = '', column = '', sentence = ''] = /^# (\d+):(\d+) (.*)/.exec(text) ?? [];
    expect(summariseSdl(text).problems).toEqual([
      expect.objectContaining({ line: Number(line), column: Number(column), sentence }),
    ]);
  });

  it.each(mistakes)('in %s is reported equally with CRLF line ends', (_, text) => {
    const problemsOf = (of: string) =>
      summariseSdl(of).problems.map(({ line, column, sentence }) => [line, column, sentence]);
    expect(problemsOf(text.replaceAll('\n', '\r\n'))).toEqual(problemsOf(text));
  });

  it.each(mistakes)('in %s is rejected by the host unless it is a warning', (name, text) => {
    expect(parseSdl(text).ok).toBe(warnings.has(name));
  });

  it.each([
    [
      'expose:\n      - port: 80',
      'expose:\n      - prot: 80',
      'Unknown key prot. Did you mean port?',
    ],
    ['- port: 80', '- as: 80', 'Item 1 of expose has no port.'],
    ['as: 8080', 'as: 0', 'as must be 1 to 65535, not 0.'],
    ['as: 8080', 'as:', 'as has no value, so it has no effect.'],
    ['image: nginx:1.25', 'image: [nginx]', 'image must be the name of an image, not a list.'],
    ['- global: true', '- global: maybe', 'global must be true or false, not maybe.'],
    [
      '- PORT=3000',
      '- =3000',
      'item 1 of env must be NAME=value with a name, without NUL, not "=3000".',
    ],
    ['- PORT=3000', '- PORT =3000', 'A variable name should not contain spaces: "PORT ".'],
    [
      'size: 512Mi',
      'size: -1',
      'size must be a size like 512Mi, 1Gi or 2GB, not -1, so there is no limit.',
    ],
    [
      'size: 512Mi',
      'size: ""',
      'size must be a size like 512Mi, 1Gi or 2GB, not "", so there is no limit.',
    ],
    [
      'size: 512Mi',
      'size:',
      'size must be a size like 512Mi, 1Gi or 2GB, not empty, so there is no limit.',
    ],
    ['size: 512Mi', 'sise: 512Mi', 'Unknown key sise. Did you mean size?'],
    [
      'units: 0.5',
      'units: 0',
      'units must be a number like 2, 0.5 or 100m, not 0, so there is no limit.',
    ],
    [
      'size: 1Gi',
      '- size: lots',
      'size must be a size like 512Mi, 1Gi or 2GB, not lots, so there is no limit.',
    ],
    ['      pricing:', '      prcing:', 'Unknown key prcing. Did you mean pricing?'],
    ['          amount: 100\n', '', 'The price of small has no amount.'],
    ['  compute:', '  sizes:', 'profiles has no compute.'],
    ['      profile: small\n', '', 'europe has no profile.'],
    ['count: 1', 'count: 1.5', 'count must be a whole number from 1 to 1000, not 1.5.'],
    ['version: "2.0"', 'version:', 'version must be "2.0", "2.1" or "2.2", not empty.'],
    [
      '  web:\n    image',
      '  -web:\n    image',
      'A service name must have at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends, unlike "-web".',
    ],
    ['version:', 'Verison:', 'Unknown key Verison. Did you mean version?'],
    ['["node", "server.js"]', '["node" "server.js"]', 'A comma is missing here.'],
    ['["node", "server.js"]', '[node, "server.js]', 'This " is never closed.'],
    ['nginx:1.25', '@nginx', 'Put text that starts with @ in quotes.'],
    [
      'nginx:1.25',
      '"a\\d"',
      '\\d is not a valid escape in double quotes. Write \\\\ for a backslash.',
    ],
    ['["node", "server.js"]', '["node"]]', 'This ] has no opening bracket.'],
    [
      '["node", "server.js"]',
      "'it's'",
      'The value ends before this. Put the whole value in quotes.',
    ],
    ['    image: node:24', '    image', '":" and a value are missing after "image".'],
    ['    image: node:24', '   image: node:24', 'Indent this line like the others at its level.'],
    ['      - REGION', '     - REGION', 'Indent this line like the others at its level.'],
    ['profiles:\n', '---\nprofiles:\n', 'A second document starts here, but only one is allowed.'],
    ['env:\n', 'env: !!binary &\n', 'Not valid YAML: Anchor cannot be an empty string.'],
  ])('that changes %j to %j has its sentence', (right, wrong, sentence) => {
    expect(plain).toContain(right);
    const { problems } = summariseSdl(plain.replace(right, wrong));
    expect(problems.map((problem) => problem.sentence)).toContain(sentence);
  });

  it('is reported once, however many aliases lead to it', () => {
    const text = plain
      .replace('    env:', '    env: &env')
      .replace('- PORT=3000', '- =3000')
      .replace('  web:\n', '  web:\n    env: *env\n');
    expect(summariseSdl(text).problems).toHaveLength(1);
  });

  it('does not hide the rest of the definition', () => {
    const reading = summariseSdl(plain.replace('port: 80', 'port: x').replace('2.0', '3'));
    expect(reading.problems).toHaveLength(2);
    expect(reading).toMatchObject({
      name: 'web',
      services: [
        { name: 'web', count: 1 },
        { name: 'api', count: 2 },
      ],
      pricePerHour: '0.18',
    });
  });
});

describe('a valid definition', () => {
  it.each(good)('in %s has no problem, and the host accepts it', (_, text) => {
    expect(summariseSdl(text).problems).toEqual([]);
    expect(summariseSdl(text.replaceAll('\n', '\r\n')).problems).toEqual([]);
    expect(parseSdl(text).ok).toBe(true);
  });
});

describe('the price of an hour', () => {
  it.each([
    ['amount: 100', '0.18'],
    ['amount: "0.000000000001"', '0.0000000000000018'],
    ['amount: 123456789012345678901234567890', '222222220222222222022222222.202'],
    ['amount: 0', '0'],
    ['amount: -1', undefined],
    ['amount: much', undefined],
  ])('%s: %s', (amount, price) => {
    expect(summariseSdl(plain.replace('amount: 100', amount)).pricePerHour).toBe(price);
  });

  it('is undefined without a readable count, a known profile or a price', () => {
    expect(summariseSdl(plain.replace('count: 2', 'count: two')).pricePerHour).toBeUndefined();
    expect(
      summariseSdl(plain.replace('profile: small', 'profile: x')).pricePerHour,
    ).toBeUndefined();
    const unpriced = plain.replace(/ +pricing:[^]*(?=\ndeployment)/, '');
    expect(
      summariseSdl(unpriced.replace('europe:\n', 'europe: {}\n')).pricePerHour,
    ).toBeUndefined();
  });
});

/**
 * Expects sorted positions inside the text, and a problem for every error of the host. Returns the number
 * of problems.
 */
function expectConsistent(text: string): number {
  const { problems } = summariseSdl(text);
  const positions = problems.map(({ line, column }) => line * 1e7 + column);
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  expect(Math.min(1, ...positions.map((place) => place / 1e7))).toBe(1);
  expect(Math.max(1, ...problems.map(({ line }) => line))).toBeLessThanOrEqual(
    text.split('\n').length,
  );
  expect(problems.map(({ sentence }) => sentence.length < 300)).not.toContain(false);
  const parsed = parseSdl(text);
  const refused = parsed.ok ? [] : parsed.problems;
  if (problems.length < 100) {
    expect(problems).toEqual(
      expect.arrayContaining(
        refused.map(({ field, line, column }) => expect.objectContaining({ field, line, column })),
      ),
    );
  }
  expect(parsed.ok || problems.length > 0).toBe(true);
  return problems.length;
}

describe('any text', () => {
  it('is read', () => {
    const tokens =
      'version~services~deployment~profiles~compute~pricing~web~expose~port~count~"2.0"~: ~\n~\n  ~' +
      '\n    ~- ~[~]~{~}~, ~&a ~*a~<<: *a~|~>~#~"~\'~\t~\r\n~? ~!!str ~---\n~...~%~@~\\~\0~😀';
    const words = fc.constantFrom(...tokens.split('~'));
    const texts = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.array(words, { maxLength: 60 }).map((all) => all.join('')),
    );
    fc.assert(fc.property(texts, (text) => void expectConsistent(text)));
  });

  it('that results from edits of a definition is read', () => {
    const edits = fc.array(
      fc.tuple(
        fc.nat(plain.length),
        fc.nat(30),
        fc.constantFrom('', '\n', '  ', '"', '[', ': ', '&a ', '*a', '\t', '<<'),
      ),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(edits, (all) => {
        const edited = all.reduce(
          (text, [at, length, added]) => `${text.slice(0, at)}${added}${text.slice(at + length)}`,
          plain,
        );
        expectConsistent(edited);
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    '{a: ',
    '[',
    '- ',
    '? ',
    ': ',
    '"',
    '&a ',
    '*a ',
    '! ',
    '}',
    ',',
    '\n',
    '\t',
    'a\n',
    'a: &a [*a]\n',
    'a:\n',
    'a: |\n',
    '%\n',
    '---\n',
    '😀',
    '\ud800',
  ])('of many times %j is read', (unit) => {
    expect(expectConsistent(unit.repeat(1000))).toBeGreaterThan(0);
  });

  it.each(['{a: ', '[', '- ', '? ', ': '])('of %j nested very deeply is refused', (unit) => {
    const sentence = 'The text must have fewer than 100 levels of nesting.';
    expect(summariseSdl(unit.repeat(100_000)).problems).toMatchObject([{ sentence }]);
  });

  it.each(['}', 'a:\n'])('of more times %j than are composed is refused', (unit) => {
    const sentence = 'The text must have fewer than 100000 words and symbols.';
    expect(summariseSdl(unit.repeat(100_000)).problems).toMatchObject([{ sentence }]);
  });

  it('with a mistake at every character of one long line is read', () => {
    expectConsistent(`a: "${'\\q'.repeat(2000)}"`);
  });

  it.each([
    ['places many unknown services with long names', manyNames('a', 'b')],
    ['places many services with different name ends', manyNames('a', 'a')],
    ['merges itself', 'services: &a\n  <<: *a\n  web: {}\n'],
    ['merges others many times over', aliasBomb((previous) => `{<<: [${previous}]}`)],
    ['lists others many times over', aliasBomb((previous) => `{env: [${previous}]}`)],
    [
      'gives each service the same long list',
      `services:\n  a: &a {env: [${'B,'.repeat(2_000)}]}\n${Array.from({ length: 2_000 }, (_, index) => `  b${index}: *a\n`).join('')}`,
    ],
    [
      'makes each service depend on all, many times over',
      aliasBomb((previous) => `{dependsOn: [${previous}]}`),
    ],
    [
      'gives each service the same unknown keys',
      sharing(`{${numbered(90, (index) => `dependxx${index}: 1`)}}`),
    ],
    [
      'gives each service the same volumes',
      sharing(
        `{params: {storage: {${numbered(90, (index) => `v${index}: {mount: x, size: 1}`)}}}}`,
      ),
    ],
    [
      'gives each service the same options of ports',
      sharing(
        `{expose: [${numbered(60, () => '{port: .nan, http_options: {next_cases: [x], a: 1}, to: [{ip: a}]}')}]}`,
      ),
    ],
    ['lists very many endpoints', `endpoints:\n${'  E: {}\n'.repeat(2000)}`],
    [
      'has tabs and invalid numbers',
      'services: {web: {count: .nan, expose: [{port: .inf,\tas: -.inf}]}}',
    ],
  ])('that %s is read', (_, text) => {
    expect(expectConsistent(text)).toBeGreaterThan(0);
  });
});

function numbered(count: number, of: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => of(index)).join(', ');
}

/** Builds very many services that share one anchor. */
function sharing(service: string): string {
  const others = Array.from({ length: 50 }, (_, index) => `  b${index}: *a\n`);
  return `services:\n  a: &a ${service}\n${others.join('')}`;
}

/** Builds services with one kind of long name, and placements with another. */
function manyNames(service: string, placement: string): string {
  const names = (letter: string, from: number) =>
    Array.from({ length: 300 }, (_, index) => `  ${letter.repeat(55)}${from + index}: {}\n`);
  return `services:\n${names(service, 10_000).join('')}deployment:\n${names(placement, 50_000).join('')}`;
}

/** Builds twelve levels, each with nine aliases of the previous one. */
function aliasBomb(level: (previous: string) => string): string {
  const levels = Array.from({ length: 12 }, (_, index) => {
    const previous = Array.from({ length: 9 }, () => `*a${index - 1}`).join();
    return `a${index}: &a${index} ${index === 0 ? '{web: {}}' : level(previous)}`;
  });
  return `${levels.join('\n')}\nservices: *a11\n`;
}
