import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wantedCompletion } from '../../../source/commands/completion/wanted-completion.ts';
import { commandTable } from '../../../source/commands/table/command-table.ts';
import type { DescribedCommand } from '../../../source/commands/table/described-command.ts';

const put: DescribedCommand = {
  kind: 'service',
  path: ['things', 'put'],
  summary: 'Put things.',
  args: [
    { name: 'LOCAL', summary: 'file', isRequired: true, completes: 'local-file' },
    {
      name: 'TARGET',
      summary: 'place',
      isRequired: true,
      isRepeated: true,
      completes: 'service-path',
    },
  ],
  flags: {
    mode: { type: 'value', value: 'MODE', letter: 'm', choices: ['fast', 'slow'], summary: 'mode' },
    tag: { type: 'value', value: 'TAG', isRepeated: true, summary: 'tag' },
    follow: { type: 'switch', isOnByDefault: true, summary: 'exit' },
    sort: { type: 'switch', hasNoDefault: true, summary: 'sort' },
  },
};

const wanted = (line: string, commands: readonly DescribedCommand[] = commandTable) => {
  const words = line.split(' ');
  return wantedCompletion(words.slice(0, -1), words.at(-1) ?? '', commands);
};

/** Returns the candidates of a line whose last word is being typed. */
const texts = (line: string, commands?: readonly DescribedCommand[]): readonly string[] => {
  const found = wanted(line, commands);
  return found.kind === 'candidates' ? found.candidates.map(({ text }) => text) : [];
};

describe('commands', () => {
  it('are completed word by word', () => {
    expect(texts('dep')).toEqual(['deployments']);
    expect(texts('grants ')).toEqual(['list', 'create', 'revoke']);
    expect(texts('host to')).toEqual(['token']);
    expect(texts('--profile prod gra')).toEqual(['grants']);
    expect(texts('help grants cr')).toEqual(['create']);
    expect(texts('nope ')).toEqual([]);
    expect(texts('deployments list ')).toEqual([]);
  });

  it('tell their summaries', () => {
    expect(wanted('grants l')).toMatchObject({
      kind: 'candidates',
      candidates: [{ text: 'list', description: 'List the grants that you gave and received.' }],
    });
  });
});

describe('flags', () => {
  it('are completed, each once', () => {
    expect(texts('grants create --l')).toEqual(['--limit']);
    expect(texts('grants create --limit 5 --l')).toEqual([]);
    expect(texts('grants list --j')).toEqual(['--json']);
    expect(texts('things put --t', [put])).toEqual(['--tag']);
    expect(texts('things put --tag a --t', [put])).toEqual(['--tag']);
    expect(texts('things put --no', [put])).toEqual(['--no-follow', '--no-sort']);
    expect(texts('things put --s', [put])).toEqual(['--sort']);
    expect(texts('things put -- --', [put])).toEqual([]);
  });

  it('have their choices, in either form', () => {
    expect(texts('things put --mode ', [put])).toEqual(['fast', 'slow']);
    expect(texts('things put -m s', [put])).toEqual(['slow']);
    expect(texts('things put --mode=s', [put])).toEqual(['--mode=slow']);
    expect(texts('profiles add x --colour r')).toEqual(['red']);
    expect(texts('completion ')).toEqual(['bash', 'zsh', 'fish']);
  });
});

describe('records', () => {
  it('are asked for by the argument or flag they complete', () => {
    expect(wanted('deployments get sh')).toMatchObject({ completes: 'deployment', typed: 'sh' });
    expect(wanted('things put ', [put])).toMatchObject({ completes: 'local-file', args: [] });
    expect(wanted('things put a b c', [put])).toMatchObject({ completes: 'service-path' });
    const copied = {
      name: 'LOCAL',
      summary: '',
      isRequired: true,
      completes: 'local-file',
    } as const;
    const target = { name: 'TARGET', summary: '', isRequired: true, completes: 'service' } as const;
    const copy = { ...put, path: ['cp'], args: [{ ...copied, isRepeated: true }, target] };
    expect(wanted('cp ', [copy])).toMatchObject({ completes: 'local-file' });
    expect(wanted('cp a ', [copy])).toMatchObject({ completes: 'service', mayBeFile: true });
    expect(wanted('--profile ')).toMatchObject({ completes: 'profile', typed: '' });
    expect(wanted('grants list --profile=pr')).toMatchObject({
      completes: 'profile',
      typed: 'pr',
      prefix: '--profile=',
    });
  });

  it('come with the words and flags that name their service', () => {
    const found = wanted('logs shop --profile prod --service ');
    expect(found).toMatchObject({ completes: 'service-name', args: ['shop'] });
    expect(found.kind === 'records' && [...found.flags]).toEqual([['profile', 'prod']]);
  });
});

it('any line has an answer, whose candidates begin with what was typed', () => {
  const words = ['grants', 'list', '--json', '--limit', '--', '-', 'x=y', '--a=b', '', 'help'];
  const word = fc.oneof(fc.constantFrom(...words), fc.string());
  fc.assert(
    fc.property(fc.array(word), word, (before, typed) => {
      const found = wantedCompletion(before, typed, commandTable);
      if (found.kind === 'records') return;
      for (const { text } of found.candidates) expect(text.startsWith(typed)).toBe(true);
    }),
  );
});
