import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Foreign, startForeign } from '../servers/foreign.ts';
import { environmentOf } from './foreign-console.ts';
import { Home } from './harness-home.ts';
import { runLine } from './run-line.ts';
import type { ProgramEnd } from './run-program.ts';

const home = new Home();
const cwd = path.join(home.folder, 'work');
/** Lists bare paths, and takes only whole encoded paths. */
let bare: Foreign;
/** Lists sizes, times and folders, and wraps contents in base64. */
let full: Foreign;

beforeAll(async () => {
  mkdirSync(cwd);
  bare = await startForeign();
  full = await startForeign({
    files: 'records',
    content: 'base64',
    pathForm: 'segments',
    filesAt: Date.parse('2026-01-01T00:00:00Z'),
  });
});

afterAll(async () => {
  await Promise.all([bare.close(), full.close()]);
  home.remove();
});

const on = (foreign: Foreign, line: string, input = ''): Promise<ProgramEnd> =>
  runLine(line.split(' '), { home, cwd, input, env: environmentOf(foreign) });

const local = (name: string): string => path.join(cwd, name);
const binary = Buffer.from([0, 255, 10, 27, 91]);

describe('files list', () => {
  test('writes paths, bytes and times that the service tells', async () => {
    const listed = await on(full, 'files list bazaar/web');
    expect(listed).toEqual({
      stdout: [
        'README.md\t9\t2026-01-01T00:00:00.000Z',
        'config/app.yaml\t21\t2026-01-01T00:00:00.000Z',
        'config/flags.json\t42\t2026-01-01T00:00:00.000Z',
        'index.html\t37\t2026-01-01T00:00:00.000Z',
        '',
      ].join('\n'),
      stderr: '',
      code: 0,
    });
    expect((await on(bare, 'files list bazaar/web config -q')).stdout).toBe(
      'config/app.yaml\nconfig/flags.json\n',
    );
    const json = await on(bare, 'files list baz/web:config/app.yaml --json');
    expect(JSON.parse(json.stdout)).toEqual([{ path: 'config/app.yaml' }]);
  });

  test('ends with 3 for a service or path that is not there', async () => {
    expect(await on(bare, 'files list bazaar/wbe')).toMatchObject({ stdout: '', code: 3 });
    const path_ = await on(bare, 'files list bazaar/web nope');
    expect(path_).toMatchObject({ stdout: '', code: 3 });
    expect(path_.stderr).toBe(
      'error: bazaar/web lists no file nope.\nhostdeck files list bazaar/web shows the files.\n',
    );
    expect((await on(bare, 'files list bazaar')).code).toBe(2);
  });
});

describe('files cat', () => {
  test('writes the bytes of a file into a pipe', async () => {
    for (const foreign of [bare, full]) {
      const { stdout, stderr, code } = await on(foreign, 'files cat bazaar/web:config/app.yaml');
      expect([stdout, stderr, code]).toEqual(['server:\n  port: 8080\n', '', 0]);
    }
    const json = await on(bare, 'files cat bazaar/web:config/flags.json');
    expect(json.stdout).toBe('{"content":"not an envelope","beta":true}\n');
  });

  test('writes the content as JSON', async () => {
    full.put(full.sample, 'web', 'logo.png', binary);
    const { stdout } = await on(full, 'files cat bazaar/web:logo.png --json');
    expect(JSON.parse(stdout)).toEqual({
      path: 'logo.png',
      size: binary.length,
      encoding: 'base64',
      content: binary.toString('base64'),
    });
    const text = await on(bare, 'files cat bazaar/web:README.md --json --fields encoding,content');
    expect(JSON.parse(text.stdout)).toEqual({ encoding: 'utf-8', content: '# bazaar\n' });
  });

  test('requests no path with parts that a URL loses', async () => {
    const before = bare.requests.length;
    const { stderr, code } = await on(bare, 'files cat bazaar/web:config/../index.html');
    expect(code).toBe(2);
    expect(stderr).toContain('No URL can address the path config/../index.html.');
    expect(bare.requests.slice(before).map(({ path: requested }) => requested)).toEqual([
      '/hosting/v9/api/v1/deployments',
    ]);
  });

  test('ends with 3 for a file that is not there', async () => {
    const { stderr, code } = await on(bare, 'files cat bazaar/web:nope.txt');
    expect(code).toBe(3);
    expect(stderr).toBe(
      'error: bazaar/web:nope.txt: not found (404).\n  no such file\nhostdeck files list bazaar/web shows the files.\n',
    );
  });
});

describe('files get', () => {
  test('saves a file under its name, in a folder, or under another name', async () => {
    mkdirSync(local('folder'));
    const bytes = Buffer.concat(Array.from({ length: 40_000 }, () => binary));
    full.put(full.sample, 'web', 'config/dump.bin', bytes);
    const files = ['folder', 'other.bin', '.'].map((given) => ({
      given,
      file: given === 'other.bin' ? local(given) : local(path.join(given, 'dump.bin')),
    }));
    for (const { given, file } of files) {
      const { stdout, code } = await on(full, `files get bazaar/web:config/dump.bin ${given}`);
      expect([stdout, code]).toEqual([
        `saved\tbazaar/web:config/dump.bin\t${bytes.length}\t${file}\n`,
        0,
      ]);
      expect(readFileSync(file).equals(bytes)).toBe(true);
    }
    const json = await on(full, 'files get bazaar/web:README.md --json');
    expect(JSON.parse(json.stdout)).toEqual([
      {
        id: full.sample,
        service: 'web',
        path: 'README.md',
        result: 'saved',
        size: 9,
        local: local('README.md'),
      },
    ]);
    expect(readdirSync(cwd).filter((name) => name.includes('.part'))).toEqual([]);
  });

  test('replaces a local file only with --yes, and then behind a link', async () => {
    writeFileSync(local('kept.txt'), 'mine\n');
    chmodSync(local('kept.txt'), 0o644);
    symlinkSync('kept.txt', local('link.txt'));
    const refused = await on(bare, 'files get bazaar/web:README.md kept.txt');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('Confirm with --yes.');
    expect(readFileSync(local('kept.txt'), 'utf8')).toBe('mine\n');
    expect((await on(bare, 'files get bazaar/web:README.md link.txt --yes')).code).toBe(0);
    expect(readFileSync(local('kept.txt'), 'utf8')).toBe('# bazaar\n');
  });

  test('writes the bytes into a pipe, for - and without a local name', async () => {
    for (const line of ['files get bazaar/web:README.md', 'files get bazaar/web:README.md -']) {
      expect((await on(bare, line)).stdout).toBe('# bazaar\n');
    }
    expect((await on(bare, 'files get bazaar/web:README.md - --json')).code).toBe(2);
  });

  test('leaves nothing behind where it fails', async () => {
    expect((await on(bare, 'files get bazaar/web:nope.txt nope.txt')).code).toBe(3);
    expect((await on(bare, 'files get bazaar/web:README.md no/folder/x')).code).toBe(1);
    expect((await on(bare, 'files get bazaar/web:README.md /dev/null')).code).toBe(1);
    expect(existsSync(local('nope.txt'))).toBe(false);
    expect(readdirSync(cwd).filter((name) => name.includes('.part'))).toEqual([]);
  });
});

describe('files diff', () => {
  test('writes what patch reads, from the local file to the other', async () => {
    writeFileSync(local('app.yaml'), 'server:\n  port: 9090\n');
    const line = 'files diff app.yaml bazaar/web:config/app.yaml';
    const { stdout, stderr, code } = await on(bare, line);
    expect([stderr, code]).toEqual(['', 0]);
    expect(stdout).toBe(
      [
        '--- app.yaml',
        '+++ bazaar/web:config/app.yaml',
        '@@ -1,2 +1,2 @@',
        ' server:',
        '-  port: 9090',
        '+  port: 8080',
        '',
      ].join('\n'),
    );
    expect((await on(bare, `${line} --exit-code -q`)).code).toBe(1);
    const json = await on(bare, `${line} --json --fields result,added,removed`);
    expect(JSON.parse(json.stdout)).toEqual({ result: 'different', added: 1, removed: 1 });
  });

  test('is empty for equal files, also from stdin', async () => {
    const text = 'server:\n  port: 8080\n';
    const line = 'files diff - bazaar/web:config/app.yaml --exit-code';
    expect(await on(bare, line, text)).toEqual({ stdout: '', stderr: '', code: 0 });
  });

  test('compares other bytes whole', async () => {
    full.put(full.sample, 'web', 'logo.png', binary);
    writeFileSync(local('logo.png'), Buffer.from([0]));
    const { stdout, code } = await on(full, 'files diff logo.png bazaar/web:logo.png --exit-code');
    expect([stdout, code]).toEqual(['Binary files logo.png and bazaar/web:logo.png differ\n', 1]);
  });

  test('tells of a local file that can not be read', async () => {
    const { stderr, code } = await on(bare, 'files diff nope bazaar/web:README.md');
    expect([stderr, code]).toEqual(["error: Can't read nope: no such file.\n", 1]);
  });
});
