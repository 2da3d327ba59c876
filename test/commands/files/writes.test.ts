import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRestartJournal } from '../../../source/disk/restart-journal.ts';
import { type Foreign, startForeign } from '../../servers/foreign.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type CommandEnd, type CommandRun, runCommand } from '../run-command.ts';

/** Lists bare paths, and takes only whole encoded paths. */
let bare: Foreign;
let cwd = '';
/** Writes that the service got before the test. */
let before = 0;

beforeAll(async () => {
  bare = await startForeign();
});

beforeEach(() => {
  cwd = temporaryFolder();
  before = bare.writes().length;
});

afterAll(() => bare.close());

const onBare = (line: string, run: CommandRun = {}): Promise<CommandEnd> =>
  runCommand(bare, line.split(' '), { cwd, ...run });

/** Returns the writes of a test, each as its method and the end of its path. */
const sent = (): readonly string[] =>
  bare
    .writes()
    .slice(before)
    .map(({ method, path: to }) => `${method} ${to.replace(/.*\/deployments\/[^/]+/, '')}`);

const stored = (file: string): string | undefined =>
  bare.stored(bare.sample, 'web', file)?.toString();
const write = (name: string, content: string | Buffer): void =>
  writeFileSync(path.join(cwd, name), content);

describe('files put', () => {
  test('sends many files in one request and restarts once', async () => {
    const binary = Buffer.from([0, 255, 13, 10]);
    write('a.bin', binary);
    write('b c.txt', 'b\n');
    const args = ['files', 'put', 'a.bin', 'b c.txt', 'bazaar/web:config/'];
    expect(await runCommand(bare, args, { cwd })).toEqual({
      asked: '',
      stdout: 'uploaded\tbazaar/web:config/a.bin\t\t4\nuploaded\tbazaar/web:config/b c.txt\t\t2\n',
      stderr: 'bazaar is restarting.\n',
      code: 0,
    });
    expect(sent()).toEqual(['POST /services/web/files', 'POST /restart']);
    expect(bare.stored(bare.sample, 'web', 'config/a.bin')).toEqual(binary);
  });

  test('sends a name that no upload carries with PUT, and stops at the first failure', async () => {
    write('a', 'a');
    write('b"', 'b');
    write('c%22', Buffer.alloc(6_000_000, 'c'));
    write('d"', Buffer.from([0xff]));
    const put = (...args: readonly string[]) =>
      runCommand(bare, ['files', 'put', ...args, '--restart', 'none'], { cwd });
    const refused = { stdout: '', code: 1, stderr: expect.stringContaining('only UTF-8 text') };
    expect(await put('a', 'd"', 'bazaar/web:odd/')).toMatchObject(refused);
    expect(await put('a', 'd"', 'bazaar/web:odd/', '--dry-run')).toMatchObject(refused);
    expect(sent()).toEqual([]);
    const { stdout, stderr, code } = await put('b"', 'c%22', 'a', 'bazaar/web:odd/');
    expect(stdout.split('\n')).toEqual([
      'uploaded\tbazaar/web:odd/b"\t\t1',
      'failed\tbazaar/web:odd/c%22\t\t6000000',
      'uploaded\tbazaar/web:odd/a\t\t1',
      '',
    ]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('too large')]);
    expect(stderr).toContain('Unapplied until bazaar restarts');
    expect(sent().map((line) => line.split(' ')[0])).toEqual(['POST', 'PUT', 'PUT']);
    expect([stored('odd/a'), stored('odd/b"'), stored('odd/c%22')]).toEqual(['a', 'b', undefined]);
  });

  test('takes stdin, and tells how to restart with --restart none', async () => {
    const { stdout, stderr, code } = await onBare(
      'files put - bazaar/web:from/stdin.txt --restart none --json',
      { input: 'typed\n' },
    );
    expect([stderr, code]).toEqual([
      'Unapplied until bazaar restarts: hostdeck deployments restart bazaar\n',
      0,
    ]);
    expect(JSON.parse(stdout)).toEqual([
      {
        id: bare.sample,
        service: 'web',
        path: 'from/stdin.txt',
        size: 6,
        result: 'uploaded',
      },
    ]);
    expect(sent()).toEqual(['POST /services/web/files']);
    expect(stored('from/stdin.txt')).toBe('typed\n');
    expect((await onBare('files put - bazaar/web:x --restart none --wait')).code).toBe(2);
  });

  test('replaces a file only with --yes, for which names are whole', async () => {
    write('app.yaml', 'port: 1\n');
    const refused = await onBare('files put app.yaml bazaar/web:config');
    expect(refused).toMatchObject({ stdout: '', code: 2 });
    expect(refused.stderr).toMatch(/^error: Replace config\/app\.yaml of bazaar\/web\?.*\n/);
    expect((await onBare('files put app.yaml baz/web:config --yes')).code).toBe(2);
    const dry = await onBare('files put app.yaml baz/web:config --dry-run');
    expect(dry).toMatchObject({
      stdout: 'would be replaced\tbazaar/web:config/app.yaml\t\t8\n',
      stderr: '',
      code: 0,
    });
    expect(sent()).toEqual([]);
    const done = await onBare('files put app.yaml bazaar/web:config -yq');
    expect(done).toMatchObject({ stdout: 'bazaar/web:config/app.yaml\n', code: 0 });
    expect(stored('config/app.yaml')).toBe('port: 1\n');
  });

  test('refuses folders, missing files, and paths below a file', async () => {
    write('x', '');
    mkdirSync(path.join(cwd, 'folder'));
    const folder = await onBare('files put folder bazaar/web:config/');
    expect(folder).toMatchObject({ stdout: '', code: 2 });
    expect(folder.stderr).toContain('hostdeck files sync folder bazaar/web uploads it.');
    expect((await onBare('files put nope bazaar/web:')).code).toBe(1);
    expect((await onBare('files put x bazaar/web:index.html/x')).code).toBe(5);
    expect((await onBare('files put x x bazaar/web:new.txt')).code).toBe(2);
    expect(sent()).toEqual([]);
  });

  test('ends with 9 without an answer, and restarts nothing', async () => {
    write('x', 'x');
    bare.failNext(1, { status: 504, method: 'POST' });
    const { stderr, code } = await onBare('files put x bazaar/web: --profile prod');
    expect(code).toBe(9);
    expect(stderr).toContain('hostdeck files list bazaar/web --profile prod shows whether it did.');
    expect(sent()).toEqual(['POST /services/web/files']);
  });

  test('tells that the files are written where only the restart fails', async () => {
    write('x', 'x');
    await onBare('files put x bazaar/web:y --restart none');
    bare.failNext(1, { status: 500, method: 'POST' });
    const { stdout, stderr, code } = await onBare('files mv bazaar/web:y z');
    expect([stdout, code]).toEqual(['renamed\tbazaar/web:z\ty\t\n', 1]);
    expect(stderr).toContain('The files are written, but the restart of bazaar failed.');
    expect(stderr).toContain('hostdeck deployments restart bazaar');
  });
});

describe('the restart journal', () => {
  const killed = Promise.resolve('4194305-0123456789ab');
  const journalOf = (state: string, mark?: Promise<string>) =>
    createRestartJournal(state, 'foreign', mark);

  test('keeps a restart that failed until a command has restarted', async () => {
    const state = temporaryFolder();
    const later = temporaryFolder();
    bare.put(bare.sample, 'web', 'kept/old', 'x');
    bare.failNext(1, { status: 500, method: 'POST' });
    expect((await onBare('files mv bazaar/web:kept/old kept/x', { state })).code).toBe(1);
    expect(await journalOf(state).find(bare.sample)).toEqual([]);
    const entry = { deploymentId: bare.sample, name: 'bazaar', state: 'failed' };
    const [own] = await journalOf(state).read();
    expect(own).toMatchObject({ ...entry, files: [{ service: 'web', path: 'kept/x' }] });
    await journalOf(later, killed).write(own === undefined ? [] : [own]);
    expect((await onBare('deployments restart bazaar', { state: later })).code).toBe(0);
    expect(await journalOf(later).read()).toEqual([]);
  });

  test('is empty after a restart, and without a wanted one', async () => {
    const state = temporaryFolder();
    write('x', 'x');
    const files = [{ service: 'web', path: 'other' }];
    const since = Date.now();
    await journalOf(state, killed).write([
      { deploymentId: bare.sample, name: 'bazaar', files, state: 'counting', since },
      { deploymentId: 'other', name: 'other', files, state: 'counting', since },
    ]);
    await onBare('files put x bazaar/web:quiet --restart none', { state });
    expect(await journalOf(state).find(bare.sample)).toHaveLength(1);
    await onBare('files rm bazaar/web:quiet -y', { state });
    expect(await journalOf(state).read()).toMatchObject([{ deploymentId: 'other' }]);
  });
});

describe('files mv', () => {
  test('renames a file, also into a folder', async () => {
    bare.put(bare.sample, 'web', 'old.txt', 'old');
    expect(await onBare('files mv bazaar/web:old.txt config/')).toMatchObject({
      stdout: 'renamed\tbazaar/web:config/old.txt\told.txt\t\n',
      stderr: 'bazaar is restarting.\n',
      code: 0,
    });
    expect(sent()).toEqual(['PATCH /services/web/files/rename', 'POST /restart']);
    expect(stored('config/old.txt')).toBe('old');
  });

  test('replaces nothing, and ends with 5', async () => {
    const taken = await onBare('files mv bazaar/web:index.html README.md');
    expect(taken).toMatchObject({ stdout: '', code: 5 });
    expect(taken.stderr).toContain('bazaar/web:README.md already exists. Nothing was sent.');
    expect((await onBare('files mv bazaar/web:config other')).code).toBe(2);
    expect((await onBare('files mv bazaar/web:index.html bazaar/web:x')).code).toBe(2);
    expect((await onBare('files mv bazaar/web:index.html ../x')).code).toBe(2);
    expect(sent()).toEqual([]);
    expect((await onBare('files mv bazaar/web:nope.txt other.txt')).code).toBe(3);
    expect(sent()).toEqual(['PATCH /services/web/files/rename']);
  });
});

describe('files rm', () => {
  test('deletes files of several services and restarts once', async () => {
    bare.put(bare.sample, 'web', 'gone/a', 'a');
    bare.put(bare.sample, 'worker', 'b', 'b');
    const line = 'files rm bazaar/web:gone/a bazaar/worker:b bazaar/web:gone/a';
    expect((await onBare(line)).code).toBe(2);
    expect((await onBare(`${line} --dry-run`)).stdout).toBe(
      'would be deleted\tbazaar/web:gone/a\t\t\nwould be deleted\tbazaar/worker:b\t\t\n',
    );
    expect(sent()).toEqual([]);
    expect(await onBare(`${line} --yes`)).toMatchObject({
      stdout: 'deleted\tbazaar/web:gone/a\t\t\ndeleted\tbazaar/worker:b\t\t\n',
      code: 0,
    });
    expect(sent()).toEqual([
      'DELETE /services/web/files/gone%2Fa',
      'DELETE /services/worker/files/b',
      'POST /restart',
    ]);
  });

  test('deletes nothing where one of the paths is wrong', async () => {
    for (const [paths, code] of [
      ['bazaar/web:index.html bazaar/web:nope', 3],
      ['bazaar/web:index.html bazaar/web:config', 2],
      ['bazaar/web:index.html bazaar/web:', 2],
    ] as const) {
      expect((await onBare(`files rm ${paths} --yes`)).code).toBe(code);
    }
    expect(sent()).toEqual([]);
  });

  test('reports each file, and restarts for those that were deleted', async () => {
    bare.put(bare.sample, 'web', 'one', '1');
    bare.put(bare.sample, 'web', 'two', '2');
    bare.failNext(1, { status: 409, method: 'DELETE' });
    const end = await onBare('files rm bazaar/web:one bazaar/web:two --yes --json');
    expect(end.code).toBe(5);
    expect(JSON.parse(end.stdout)).toMatchObject([
      { path: 'one', result: 'failed', error: { code: 'conflict', status: 409 } },
      { path: 'two', result: 'deleted' },
    ]);
    expect(sent()).toHaveLength(3);
  });
});

describe('questions', () => {
  test('name what is lost, and nothing is sent without an agreement', async () => {
    write('README.md', 'mine');
    write('index.html', 'mine');
    const line = 'files put README.md index.html new.txt bazaar/web:';
    write('new.txt', 'new');
    const declined = await onBare(line, { answers: ['n'] });
    expect(declined).toMatchObject({ stdout: '', code: 1 });
    expect(declined.asked).toBe('README.md\nindex.html\nReplace 2 files of bazaar/web? [y/N] ');
    expect(sent()).toEqual([]);
    const agreed = await onBare('files rm baz/web:README.md', { answers: ['y'] });
    expect(agreed.asked).toBe(
      `bazaar/web: deployment ${bare.sample}\nDelete bazaar/web:README.md? [y/N] `,
    );
    expect(agreed.code).toBe(0);
  });

  test('are also asked where only the beginning of a name was typed', async () => {
    bare.put(bare.sample, 'web', 'a', 'a');
    const declined = await onBare('files mv baz/web:a b', { answers: [''] });
    expect(declined).toMatchObject({ stdout: '', code: 1 });
    expect(declined.asked).toContain('Rename a to b? [y/N] ');
    expect(sent()).toEqual([]);
    const whole = await onBare('files mv bazaar/web:a b', { answers: [] });
    expect(whole).toMatchObject({ asked: '', code: 0 });
  });
});
