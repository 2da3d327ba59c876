import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Foreign, startForeign } from '../../servers/foreign.ts';
import { type CommandEnd, type CommandRun, runCommand } from '../run-command.ts';

/** Lists bare paths, and takes only whole encoded paths. */
let bare: Foreign;
/** Writes that the service got before the test. */
let before = 0;

beforeAll(async () => {
  bare = await startForeign();
});

beforeEach(() => {
  before = bare.writes().length;
});

afterAll(() => bare.close());

const onBare = (line: string, run: CommandRun = {}): Promise<CommandEnd> =>
  runCommand(bare, line.split(' '), run);

/** Returns the writes of a test, each as its method and the end of its path. */
const sent = (): readonly string[] =>
  bare
    .writes()
    .slice(before)
    .map(({ method, path: to }) => `${method} ${to.replace(/.*\/deployments\/[^/]+/, '')}`);

const stored = (file: string): string | undefined =>
  bare.stored(bare.sample, 'web', file)?.toString();
/** An editor that changes a text; undefined fails. */
const editing = (change: (text: string) => string | undefined): CommandRun => ({
  async editText(text) {
    const changed = change(text);
    if (changed === undefined) return { kind: 'failed', sentence: 'The editor failed.' };
    return changed === text ? { kind: 'unchanged' } : { kind: 'changed', text: changed };
  },
});

describe('files edit', () => {
  test('saves a changed text and restarts', async () => {
    bare.put(bare.sample, 'web', 'etc/app.ini', 'a=1\n');
    const line = 'files edit bazaar/web:etc/app.ini';
    expect(
      await onBare(
        line,
        editing((text) => `${text}b=2\n`),
      ),
    ).toEqual({
      stdout: 'saved\tbazaar/web:etc/app.ini\t\t8\n',
      stderr: 'bazaar is restarting.\n',
      asked: '',
      code: 0,
    });
    expect(stored('etc/app.ini')).toBe('a=1\nb=2\n');
    expect(sent()).toEqual(['PUT /services/web/files/etc%2Fapp.ini', 'POST /restart']);
  });

  test('sends nothing for an unchanged text, a failed editor, and --dry-run', async () => {
    const line = 'files edit bazaar/web:README.md';
    expect(
      await onBare(
        line,
        editing((text) => text),
      ),
    ).toMatchObject({
      stdout: 'unchanged\tbazaar/web:README.md\t\t\n',
      code: 0,
    });
    expect(
      await onBare(
        line,
        editing(() => undefined),
      ),
    ).toMatchObject({
      stderr: 'error: The editor failed.\n',
      code: 1,
    });
    const dry = await onBare(
      `${line} --dry-run`,
      editing(() => 'x'),
    );
    expect(dry.stdout).toBe('would be saved\tbazaar/web:README.md\t\t1\n');
    expect(sent()).toEqual([]);
  });

  test('opens no binary file, and none that is not there', async () => {
    bare.put(bare.sample, 'web', 'logo.png', Buffer.from([0, 1]));
    expect((await onBare('files edit bazaar/web:logo.png')).code).toBe(1);
    expect((await onBare('files edit bazaar/web:nope')).code).toBe(3);
    expect((await onBare('files edit baz/web:README.md')).code).toBe(2);
  });

  test('ends with 5 where somebody else changed the file, and keeps the text', async () => {
    bare.put(bare.sample, 'web', 'shared.txt', 'first\n');
    const { stderr, code } = await onBare(
      'files edit bazaar/web:shared.txt',
      editing((text) => {
        bare.put(bare.sample, 'web', 'shared.txt', 'theirs\n');
        return `${text}mine\n`;
      }),
    );
    expect(code).toBe(5);
    expect(stderr).toContain('error: bazaar/web:shared.txt changed on the service meanwhile.');
    expect(takeKept(stderr)).toBe('first\nmine\n');
    expect(stored('shared.txt')).toBe('theirs\n');
    expect(sent()).toEqual([]);
  });

  test('takes the same change of somebody else for its own', async () => {
    bare.put(bare.sample, 'web', 'shared.txt', 'first\n');
    const end = await onBare(
      'files edit bazaar/web:shared.txt',
      editing(() => {
        bare.put(bare.sample, 'web', 'shared.txt', 'same\n');
        return 'same\n';
      }),
    );
    expect(end).toMatchObject({ stdout: 'unchanged\tbazaar/web:shared.txt\t\t5\n', code: 0 });
    expect(sent()).toEqual([]);
  });

  test('keeps the text where the save has no answer, and restarts nothing', async () => {
    bare.put(bare.sample, 'web', 'note', 'first\n');
    bare.failNext(1, { status: 504, method: 'PUT' });
    const end = await onBare(
      'files edit bazaar/web:note --json',
      editing(() => 'second\n'),
    );
    expect(end.code).toBe(9);
    expect(takeKept(end.stderr)).toBe('second\n');
    expect(JSON.parse(end.stdout)).toMatchObject([{ path: 'note', result: 'unknown', size: 7 }]);
    expect(sent()).toEqual(['PUT /services/web/files/note']);
  });
});

/** Returns the text of the file that a problem names, and removes the file. */
function takeKept(stderr: string): string {
  const [, file = ''] = /Your text is in (\S+);/.exec(stderr) ?? [];
  const text = readFileSync(file, 'utf8');
  rmSync(path.dirname(file), { recursive: true });
  return text;
}
