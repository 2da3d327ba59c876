import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Foreign, startForeign } from '../servers/foreign.ts';
import { environmentOf } from './foreign-console.ts';
import { Home } from './harness-home.ts';
import { runLine } from './run-line.ts';
import { type ProgramEnd, runProgram } from './run-program.ts';

const home = new Home();
let full: Foreign;
let bare: Foreign;

beforeAll(async () => {
  full = await startForeign();
  bare = await startForeign({ deployments: 'ids' });
});

afterAll(async () => {
  await Promise.all([full.close(), bare.close()]);
  home.remove();
});

const on = (foreign: Foreign, line: string, env = {}): Promise<ProgramEnd> =>
  runLine(line.split(' '), { home, env: { ...environmentOf(foreign), ...env } });

describe('deployments list', () => {
  test('writes a line of tab-separated values a deployment into a pipe', async () => {
    const { stdout, stderr, code } = await on(full, 'deployments list');
    expect([stderr, code]).toEqual(['', 0]);
    const [name, , services, , id] = stdout.trimEnd().split('\t');
    expect([name, services, id]).toEqual(['bazaar', 'web,worker', full.sample]);
  });

  test('writes whole records as JSON, or some of their fields', async () => {
    const whole = await on(full, 'deployments list --json');
    expect(JSON.parse(whole.stdout)).toMatchObject([
      { id: full.sample, name: 'bazaar', services: [{ name: 'web' }, { name: 'worker' }] },
    ]);
    const some = await on(full, 'deployments list --json --fields name,id');
    expect(JSON.parse(some.stdout)).toEqual([{ name: 'bazaar', id: full.sample }]);
    const wrong = await on(full, 'deployments list --json --fields nmae');
    expect(wrong.code).toBe(2);
    expect(JSON.parse(wrong.stderr)).toMatchObject({
      error: { code: 'usage', message: 'Unknown field nmae. Did you mean name?' },
    });
  });

  test('tells nothing that a list of bare ids does not', async () => {
    expect((await on(bare, 'deployments list')).stdout).toBe(`\t\t\t\t${bare.sample}\n`);
    const json = await on(bare, 'deployments list --json');
    expect(JSON.parse(json.stdout)).toEqual([{ id: bare.sample }]);
    const fields = await on(bare, 'deployments list --json --fields name,id');
    expect(JSON.parse(fields.stdout)).toEqual([{ id: bare.sample }]);
    expect((await on(bare, 'deployments list --quiet')).stdout).toBe(`${bare.sample}\n`);
  });
});

describe('deployments get', () => {
  test('finds a deployment by a beginning of its name or id', async () => {
    for (const name of ['bazaar', 'baz', full.sample, full.sample.slice(0, 6)]) {
      const { stdout, code } = await on(full, `deployments get ${name} -q`);
      expect([stdout, code]).toEqual([`${full.sample}\n`, 0]);
    }
  });

  test('ends with 3 for a name that matches nothing', async () => {
    const { stdout, stderr, code } = await on(full, 'deployments get bazzar');
    expect([stdout, code]).toEqual(['', 3]);
    expect(stderr).toMatch(/^error: No deployment on .* Did you mean bazaar\?\n/);
  });
});

describe('a failure', () => {
  test('ends with 4 for a token that the service rejects, on stderr', async () => {
    const { stdout, stderr, code } = await on(full, 'deployments list', {
      HOSTDECK_TOKEN: 'wrong',
    });
    expect([stdout, code]).toEqual(['', 4]);
    expect(stderr).toMatch(/^error: The service rejected the token \(401\)\.\n/);
  });

  test('ends with 8 for a service that does not answer, as an object with --json', async () => {
    const { stdout, stderr, code } = await on(full, 'deployments list --json', {
      HOSTDECK_BASE_URL: 'http://127.0.0.1:1',
    });
    expect([stdout, code]).toEqual(['', 8]);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'refused' } });
  });

  test('ends with 2 for a mistake in the command line or in the configuration', async () => {
    const flag = await on(full, 'deployments list --jsno');
    expect(flag).toEqual({
      stdout: '',
      stderr:
        'error: Unknown flag --jsno. Did you mean --json?\nSee hostdeck deployments list --help.\n',
      code: 2,
    });
    expect((await on(full, 'deployments list --profile nope')).code).toBe(2);
  });
});

test('the local host is started for a command, and its sample is listed', async () => {
  const { stdout, code } = await runProgram(['deployments', 'list'], { home });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^sample\t/);
});

test('help and version need no service', async () => {
  const help = await runProgram(['deployments', 'get', '-h'], { home });
  expect(help).toMatchObject({ stderr: '', code: 0 });
  expect(help.stdout).toContain('hostdeck deployments get NAME [FLAGS]');
  expect(await runLine(['help', 'deployments', 'get'], { home })).toEqual(help);
  const version = await runProgram(['version', '--json'], { home });
  expect(JSON.parse(version.stdout)).toEqual({ version: expect.any(String) });
});
