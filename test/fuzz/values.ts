import type { Chance } from './chance.ts';

/** The targets of the requests. */
export interface Target {
  readonly token: string;
  /** A deployment of the caller; requests use only its service `web`. */
  readonly id: string;
  /** Another deployment of the caller, which may be closed. */
  readonly spare: string;
  /** A deployment of another wallet. */
  readonly foreign: string;
  /** A file outside the services, which must stay inaccessible. */
  readonly outside: string;
}

const names = ['a', 'b', 'dir', 'app.js', 'ü', 'x y', 'rename', 'files'] as const;

/** Names with a special meaning; the first two are links in the tree. */
const trickyNames = [
  'link-out',
  'link-secret',
  '..',
  '.',
  '',
  '...',
  ' ',
  '~',
  '*',
  '-rf',
  'con',
  '__proto__',
  'constructor',
  '%2e%2e',
  '\\..\\..',
  'a\\b',
  'a\0b',
  '\0',
  'a\nb',
  '\u001b[31m',
  '\u202e',
  '\ud800',
  '\uffff',
  'n'.repeat(255),
  'n'.repeat(256),
  'é'.repeat(128),
  'n'.repeat(5000),
  '/etc/passwd',
  '/proc/self/environ',
  'C:\\boot.ini',
] as const;

/** Returns a path inside a service, usually a valid one. */
export function filePath(chance: Chance, { outside }: Target): string {
  if (chance.once(40)) return '../'.repeat(1 + chance.below(12)) + outside.slice(1);
  if (chance.once(60)) return Array.from({ length: 300 }, () => 'd').join('/');
  const parts = Array.from({ length: 1 + chance.below(3) }, () =>
    chance.once(5) ? chance.of(trickyNames) : chance.of(names),
  );
  return parts.join('/');
}

/** Encodes a path for a URL in one of the valid forms, or in an invalid one. */
export function urlPath(chance: Chance, path: string): string {
  const encode = (text: string) => encodeURIComponent(text.toWellFormed());
  return chance.weighed([
    [10, () => path.split('/').map(encode).join('/')],
    [5, () => encode(path)],
    [2, () => path.replaceAll('.', '%2e').replaceAll('/', '%2F')],
    [1, () => path.replaceAll('.', '%252e')],
    [1, () => path.replaceAll('.', '%c0%ae')],
    [1, () => `${encode(path)}%`],
    [1, () => `${encode(path)}%ff%fe`],
    [1, () => `${encode(path)}%zz`],
    [1, () => `${encode(path)}%u002e`],
    [1, () => `${encode(path)};v=1`],
    // Unencoded, including characters that a URL must not contain.
    [1, () => path],
  ])();
}

const numbers = [
  '0',
  '-1',
  '1',
  '1.5',
  '1e3',
  '1e308',
  '1e309',
  '-0',
  '0x10',
  'NaN',
  'Infinity',
  '9007199254740993',
  '9'.repeat(400),
  `0.${'0'.repeat(400)}1`,
  '',
  ' 7 ',
  '٣',
] as const;

export function number(chance: Chance): string {
  return chance.of(numbers);
}

const texts = [
  '',
  'x',
  'text',
  '\0',
  'é\u0301',
  '\ud83d',
  '\u2028',
  '<script>',
  `' or 1=1 --`,
  '%s%n',
  '2099-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '2020-13-45',
  '0xgrantee',
  'x'.repeat(10_000),
] as const;

/** Returns the text of a random JSON value. */
export function json(chance: Chance, depth = 0): string {
  return chance.weighed([
    [6, () => JSON.stringify(chance.of(texts))],
    [4, () => number(chance)],
    [2, () => chance.of(['true', 'false', 'null'])],
    [depth < 3 ? 1 : 0, () => `[${json(chance, depth + 1)},${json(chance, depth + 1)}]`],
    [
      depth < 3 ? 1 : 0,
      () =>
        `{"${chance.of(['a', '__proto__', 'toString', 'content'])}":${json(chance, depth + 1)}}`,
    ],
  ])();
}

/** Depth that overflows the stack of a recursive parser. */
export function deep(chance: Chance): string {
  const depth = 10 ** (2 + chance.below(4));
  return chance.of([
    '['.repeat(depth),
    '['.repeat(depth) + ']'.repeat(depth),
    `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
  ]);
}

/** Returns an invalid or difficult service definition, never one that would run. */
export function definition(chance: Chance): string {
  const head = 'version: "2.0"\nservices:\n  web:\n';
  return chance.weighed([
    [3, () => chance.of(texts)],
    [2, () => json(chance)],
    [1, () => `a: ${'['.repeat(1000)}`],
    [1, () => '- '.repeat(2000)],
    [1, () => `a: &a [x, x]\n${lines('b: &b [*a, *a]\nc: [*b, *b, *b]', 3)}`],
    [1, () => bomb()],
    [1, () => `${head}    image: [1, 2]\n    count: ${number(chance)}\n`],
    [1, () => `${head}    env: {A: !!binary zzz}\n    expose: ${json(chance)}\n`],
    [1, () => `${head}    command: !!js/function 'x'\n`],
    [1, () => `${head}\t image: x\n`],
    [1, () => `%YAML 9.9\n---\n${head}---\n...\n`],
    [1, () => `${head}    ? {a: b}\n    : ? [c]\n      : d\n    <<: *nothing\n`],
    [1, () => JSON.stringify({ services: { ['x'.repeat(2000)]: {} }, deployment: 1 })],
    [1, () => `services: {__proto__: {image: x}, constructor: {}}\nprofiles: ${json(chance)}`],
  ])();
}

function lines(text: string, count: number): string {
  return `${text}\n`.repeat(count);
}

/** Returns anchors that each refer to the previous one ten times. */
function bomb(): string {
  const rows = ['a0: &a0 [x]'];
  for (let row = 1; row < 9; row += 1) {
    const before = Array.from({ length: 10 }, () => `*a${row - 1}`);
    rows.push(`a${row}: &a${row} [${before.join(', ')}]`);
  }
  return rows.join('\n');
}
