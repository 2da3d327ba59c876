import { describe, expect, it, test } from 'vitest';
import { parseCommand } from '../../../source/commands/table/parse-command.ts';
import { commandTable } from '../../../source/commands/table/command-table.ts';
import { flagsOf } from '../../../source/commands/table/shared-flags.ts';
import { localCommand } from '../../../source/commands/table/command-spec.ts';

const run = () => Promise.resolve(() => Promise.resolve(0 as const));

const sample = [
  ...commandTable,
  localCommand({
    path: ['things', 'make'],
    summary: 'Make things.',
    args: [{ name: 'NAME', summary: 'thing to make', isRequired: true, isRepeated: true }],
    flags: {
      file: { type: 'value', value: 'FILE', letter: 'f', summary: 'file to read' },
      for: { type: 'value', value: 'STATE', choices: ['active', 'failed'], summary: 'state' },
      grep: { type: 'value', value: 'TEXT', isRepeated: true, summary: 'text' },
      size: {
        type: 'value',
        value: 'N',
        summary: 'size',
        expected: 'a number',
        parse: (text: string) => (/^-?\d+$/.test(text) ? Number(text) : undefined),
      },
      follow: { type: 'switch', isOnByDefault: true, summary: 'do not follow' },
      sort: { type: 'switch', letter: 's', hasNoDefault: true, summary: 'sort, or do not' },
    },
    writes: true,
    asks: true,
    findConflict: ({ sort, size }) =>
      sort === true && size !== undefined ? '--sort and --size exclude each other.' : undefined,
    run,
  }),
  localCommand({
    path: ['things', 'move'],
    summary: 'Move things.',
    args: [
      { name: 'NAME', summary: 'thing to move', isRequired: true, isRepeated: true },
      { name: 'PLACE', summary: 'place for them', isRequired: true },
    ],
    flags: {},
    run,
  }),
];

const parse = (line: string) => parseCommand(line === '' ? [] : line.split(' '), sample);
const sentenceOf = (line: string) => {
  const parsed = parse(line);
  return parsed.kind === 'usage' ? parsed.sentence : parsed.kind;
};

describe('the command line', () => {
  it('takes the command first, and flags anywhere', () => {
    for (const line of [
      'deployments list --json --profile prod',
      '--profile prod deployments list --json',
      'deployments --json --profile=prod list',
    ]) {
      expect(parse(line)).toMatchObject({
        kind: 'command',
        command: { path: ['deployments', 'list'] },
        options: { json: true, quiet: false },
        connection: { profile: 'prod', baseUrl: undefined },
      });
    }
  });

  it('leaves the console and host to their own reader', () => {
    for (const [line, ...path] of [
      [''],
      ['--ascii'],
      ['host token', 'host', 'token'],
      ['host --data /d token --sandbox', 'host', 'token'],
    ] as const) {
      expect(parse(line)).toEqual({ kind: 'program', path });
    }
  });

  it('reads values in every form, and letters', () => {
    for (const line of [
      'things make a b --file -x --size -3',
      'things make a b --file=-x --size=-3',
      'things make a b -f -x --size -3',
      'things make a b -f-x --size -3',
      'things make -yf -x a --size -3 b',
    ]) {
      expect(parse(line)).toMatchObject({
        kind: 'command',
        words: { args: ['a', 'b'], flags: { file: '-x', size: -3, follow: true } },
      });
    }
    expect(parse('things make a -qy')).toMatchObject({ options: { quiet: true, yes: true } });
    expect(parse('things make a --no-follow --dry-run')).toMatchObject({
      words: { flags: { follow: false } },
      options: { dryRun: true },
    });
    expect(parse('things make a --grep x --grep y')).toMatchObject({
      words: { flags: { grep: ['x', 'y'], file: undefined } },
    });
    expect(parse('things make a')).toMatchObject({ words: { flags: { grep: [] } } });
  });

  it('tells a flag without a default that is on, off, or not given', () => {
    for (const [line, sort] of [
      ['things make a', undefined],
      ['things make a --sort', true],
      ['things make a -s', true],
      ['things make a --no-sort', false],
    ] as const) {
      expect(parse(line)).toMatchObject({ words: { flags: { sort } } });
    }
    expect(sentenceOf('things make a -s --no-sort')).toBe('--no-sort is given more than once.');
  });

  it('refuses flags that do not go together', () => {
    expect(parse('things make a -s --size 1 --json')).toMatchObject({
      kind: 'usage',
      sentence: '--sort and --size exclude each other.',
      isJson: true,
    });
  });

  it('ends flags with --', () => {
    expect(parse('things make -- --json -h')).toMatchObject({
      words: { args: ['--json', '-h'] },
      options: { json: false },
    });
    expect(parse('things make -- -')).toMatchObject({ words: { args: ['-'] } });
  });

  it('takes several words for an argument before the last one', () => {
    expect(parse('things move a b c')).toMatchObject({ words: { args: ['a', 'b', 'c'] } });
    expect(sentenceOf('things move a')).toBe('hostdeck things move needs PLACE: place for them.');
  });

  it('reads the fields of JSON records', () => {
    expect(parse('deployments list --json --fields id,name')).toMatchObject({
      options: { fields: ['id', 'name'] },
    });
    expect(sentenceOf('deployments list --fields id')).toBe('--fields needs --json.');
  });

  it('answers -h and -V everywhere, also beside mistakes', () => {
    expect(parse('--help')).toEqual({ kind: 'help', path: [] });
    expect(parse('deployments')).toEqual({ kind: 'help', path: ['deployments'] });
    expect(parse('deployments -h')).toEqual({ kind: 'help', path: ['deployments'] });
    expect(parse('deployments get --help')).toEqual({ kind: 'help', path: ['deployments', 'get'] });
    expect(parse('logs --help')).toEqual({ kind: 'help', path: ['logs'] });
    expect(parse('host token -h')).toEqual({ kind: 'help', path: ['host', 'token'] });
    expect(parse('things make --nope -h')).toEqual({ kind: 'help', path: ['things', 'make'] });
    for (const line of ['-V', '--version', 'deployments -V', 'logs a --version']) {
      expect(parse(line)).toEqual({ kind: 'version' });
    }
  });

  test.each([
    ['frobnicate', 'Unknown command frobnicate.'],
    ['deployment list', 'Unknown command deployment. Did you mean deployments?'],
    [
      'deployments lits',
      'Unknown command deployments lits. Did you mean hostdeck deployments list?',
    ],
    ['logs a --serch x', 'Unknown flag --serch. Did you mean --search?'],
    ['--asci', 'Unknown flag --asci. Did you mean --ascii?'],
    ['host --prot 1', 'Unknown flag --prot. Did you mean --port?'],
    ['logs a -x', 'Unknown flag -x.'],
    ['host tokne', 'Unknown command host tokne. Did you mean hostdeck host token?'],
    ['deployments list --jsno', 'Unknown flag --jsno. Did you mean --json?'],
    ['deployments list --no-jsno', 'Unknown flag --no-jsno.'],
    ['deployments list -json', 'Unknown flag -json. Did you mean --json?'],
    ['deployments list -x', 'Unknown flag -x.'],
    ['deployments list --json --json', '--json is given more than once.'],
    ['deployments list --json=yes', '--json takes no value.'],
    ['deployments list --profile', '--profile needs a value: NAME.'],
    ['deployments list shop', 'hostdeck deployments list takes no words; shop is too many.'],
    [
      'deployments get',
      'hostdeck deployments get needs NAME: name or id, or a unique beginning of one.',
    ],
    ['deployments get a b', 'hostdeck deployments get takes NAME; b is too many.'],
    ['things make a --for never', '--for must be active or failed.'],
    ['things make a --size x', '--size must be a number.'],
    [
      'deployments list --profile a --base-url http://x',
      '--profile and --base-url name two services. Give one of them.',
    ],
    ['deployments --nope', 'Unknown flag --nope.'],
    ['deployments --jsno', 'Unknown flag --jsno. Did you mean --json?'],
    ['deployments --json', 'hostdeck deployments needs a command.'],
    ['deployments get a b', 'hostdeck deployments get takes NAME; b is too many.'],
    ['deployments wait a --for active b', 'hostdeck deployments wait takes NAME; b is too many.'],
    ['host token x --wallet w', 'hostdeck host token takes no words; x is too many.'],
    ['host restore a b', 'hostdeck host restore takes FILE; b is too many.'],
    ['deployments list --token x', 'Tokens are not accepted as flags. Set HOSTDECK_TOKEN.'],
  ])('refuses %s', (line, sentence) => {
    expect(sentenceOf(line)).toBe(sentence);
  });

  test.each([
    ['frobnicate'],
    ['--asci'],
    ['deployments lits', 'deployments'],
    ['profiles ad x', 'profiles'],
    ['deployments --nope', 'deployments'],
    ['deployments get', 'deployments', 'get'],
    ['host tokne', 'host'],
    ['host token x', 'host', 'token'],
    ['logs a -x', 'logs'],
  ] as const)('names the help of the nearest command for %s', (line, ...path) => {
    expect(parse(line)).toMatchObject({ kind: 'usage', path });
  });

  it('knows that a mistake is wanted as JSON', () => {
    expect(parse('deployments list --jsno --json')).toMatchObject({ kind: 'usage', isJson: true });
    expect(parse('deployments lits -- --json')).toMatchObject({ kind: 'usage', isJson: false });
  });
});

describe('the table', () => {
  it('has each command once', () => {
    const lines = commandTable.map(({ path }) => path.join(' '));
    expect(new Set(lines).size).toBe(lines.length);
  });

  it('gives a flag one type everywhere, since flags may stand before the command', () => {
    const types = new Map<string, Set<string>>();
    for (const command of commandTable) {
      for (const [name, { type }] of Object.entries(flagsOf(command))) {
        types.set(name, (types.get(name) ?? new Set()).add(type));
      }
    }
    expect([...types].filter(([, each]) => each.size > 1)).toEqual([]);
  });

  it('gives a letter one flag in a command', () => {
    for (const command of commandTable) {
      const letters = Object.values(flagsOf(command)).flatMap(({ letter }) => letter ?? []);
      expect(new Set(letters).size).toBe(letters.length);
    }
  });

  it('has required arguments before others, and repeats one at most', () => {
    for (const { args } of commandTable) {
      const optional = args.findIndex(({ isRequired }) => !isRequired);
      const behind = optional === -1 ? [] : args.slice(optional);
      expect(behind.some(({ isRequired }) => isRequired)).toBe(false);
      expect(args.filter(({ isRepeated }) => isRepeated).length).toBeLessThan(2);
    }
  });
});
