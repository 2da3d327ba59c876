import { describe, expect, it, test } from 'vitest';
import { follows, parseLimit } from '../../../source/commands/logs/log-flags.ts';
import { commandTable } from '../../../source/commands/table/command-table.ts';
import { parseCommand } from '../../../source/commands/table/parse-command.ts';

const parse = (line: string) => parseCommand(line.split(' '), commandTable);

/** Returns the parsed line of a command that connects to a service. */
function commandOf(line: string) {
  const parsed = parse(line);
  if (parsed.kind !== 'command' || parsed.command.kind !== 'service') {
    throw new Error(JSON.stringify(parsed));
  }
  return { ...parsed, command: parsed.command };
}

const opened = (line: string) => {
  const { command, words, options } = commandOf(line);
  return command.opensConsole?.(words, options);
};

test('a number of lines is whole, up to a million, or all', () => {
  expect(parseLimit('0')).toBe(0);
  expect(parseLimit('1000000')).toBe(1_000_000);
  expect(parseLimit('all')).toBe(Number.POSITIVE_INFINITY);
  for (const wrong of ['', '-1', '1.5', '1e3', '1000001', 'ALL', ' 1']) {
    expect(parseLimit(wrong)).toBeUndefined();
  }
});

describe('the command line of logs', () => {
  it('follows unless lines are counted off or the contrary is said', () => {
    for (const [line, isFollowing] of [
      ['logs shop', true],
      ['logs shop -f', true],
      ['logs shop --no-follow', false],
      ['logs shop -n 5', false],
      ['logs shop --limit all', false],
      ['logs shop -fn 5', true],
      ['logs shop -n5 --follow', true],
    ] as const) {
      const { flags } = commandOf(line).words as unknown as {
        flags: Parameters<typeof follows>[0];
      };
      expect([line, follows(flags)]).toEqual([line, isFollowing]);
    }
  });

  it('opens the console where no flag chooses the lines or their form', () => {
    expect(opened('logs 4711 --ascii --restart-delay off --log-bytes 1G --profile prod')).toEqual({
      open: '4711',
      ascii: true,
      unicode: false,
      screenReader: false,
      restartDelay: 'off',
      logMemory: { maxLines: undefined, maxBytes: 2 ** 30 },
    });
    expect(opened('logs shop ledger')).toBeUndefined();
    for (const flags of [
      '--plain',
      '-f',
      '--no-follow',
      '-n 5',
      '--since 5m',
      '--grep x',
      '-o raw',
      '--color never',
      '--search x',
      '--service web',
      '--history-timeout 5',
      '--backfill',
      '--json',
      '-q',
    ]) {
      expect([flags, opened(`logs shop ${flags}`)]).toEqual([flags, undefined]);
    }
  });

  test.each([
    ['logs', 'hostdeck logs needs NAME: name or id of a deployment, or a unique beginning of one.'],
    ['logs a -n -1', '--limit must be a number of lines from 0 to 1000000, or all.'],
    ['logs a --history-timeout x', '--history-timeout must be seconds from 0 to 86400.'],
    ['logs a --log-bytes 1', '--log-bytes must be a size from 1M to 64G.'],
    ['logs a --log-lines many', '--log-lines must be a number from 1000 to 100000000.'],
    ['logs a --ascii --unicode', '--ascii and --unicode exclude each other. Give one of them.'],
    ['logs a --restart-delay 5s', '--restart-delay must be off, or seconds from 0 to 86400.'],
    ['logs a --search b --search c', '--search is given more than once.'],
  ])('%s is refused', (line, sentence) => {
    expect(parse(line)).toMatchObject({ kind: 'usage', sentence });
  });
});
