import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedTokenFile } from '../../source/config/token-source.ts';
import { type Foreign, startForeign } from '../servers/foreign.ts';
import { environmentOf } from './foreign-console.ts';
import { launch } from './harness.ts';
import { Home } from './harness-home.ts';
import { runLine } from './run-line.ts';
import type { ProgramEnd } from './run-program.ts';
import { startTwoServices } from './two-services.ts';

const home = new Home();
const folder = path.join(home.env['XDG_CONFIG_HOME'] ?? '', 'hostdeck');
const config = path.join(folder, 'config.yaml');
const tokenFile = path.join(home.folder, 'my.token');
let foreign: Foreign;

beforeAll(async () => {
  foreign = await startForeign();
  writeFileSync(tokenFile, `${foreign.token}\n`, { mode: 0o600 });
});

afterAll(async () => {
  await foreign.close();
  home.remove();
});

const run = (line: string, env: Readonly<Record<string, string>> = {}): Promise<ProgramEnd> =>
  runLine(line.split(' '), { home, env, cwd: home.folder });

/** Writes the file, or removes it. */
function writeConfig(text: string | undefined): void {
  rmSync(folder, { recursive: true, force: true });
  if (text === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(config, text);
}

const written = (): string => readFileSync(config, 'utf8');

describe('profiles add', () => {
  test('makes the file, which only its owner may read; the profile works', async () => {
    writeConfig(undefined);
    const flags = `--url ${foreign.baseUrl}/ --token-file my.token --wallet 0x12 --default`;
    const added = await run(`profiles add lab ${flags}`);
    expect(added).toEqual({
      stdout: `Added profile lab to ${config}.\n`,
      stderr: '',
      code: 0,
    });
    expect(statSync(config).mode & 0o777).toBe(0o600);
    expect(written()).toBe(
      `profiles:\n  lab:\n    baseUrl: ${foreign.baseUrl}\n    tokenFile: ${tokenFile}\n    wallet: "0x12"\ndefault: lab\n`,
    );
    expect((await run('deployments list -q')).stdout).toBe(`${foreign.sample}\n`);
  });

  test('keeps comments, mode and a link of the file; --dry-run writes nothing', async () => {
    writeConfig(undefined);
    mkdirSync(folder);
    const real = path.join(home.folder, 'dotfiles.yaml');
    writeFileSync(real, '# mine\ntheme: dark # at night\n');
    chmodSync(real, 0o640);
    symlinkSync(real, config);
    const dry = await run('profiles add lab --url https://h --token-command x --dry-run --json');
    expect(JSON.parse(dry.stdout)).toEqual({
      name: 'lab',
      path: config,
      result: 'would be added',
    });
    expect(written()).toBe('# mine\ntheme: dark # at night\n');
    expect((await run('profiles add lab --url https://h --token-command x')).code).toBe(0);
    expect(written()).toBe(
      '# mine\ntheme: dark # at night\nprofiles:\n  lab:\n    baseUrl: https://h\n    tokenCommand: x\n',
    );
    expect(lstatSync(config).isSymbolicLink()).toBe(true);
    expect(statSync(config).mode & 0o777).toBe(0o640);
  });

  test('writes where a link leads to, also to a new or an empty file; not to another encoding', async () => {
    writeConfig(undefined);
    mkdirSync(folder);
    const real = path.join(home.folder, 'new.yaml');
    symlinkSync(real, config);
    await run('profiles add lab --url https://h');
    expect([lstatSync(config).isSymbolicLink(), written()]).toEqual([
      true,
      'profiles:\n  lab:\n    baseUrl: https://h\n',
    ]);
    writeFileSync(real, '');
    chmodSync(real, 0o644);
    await run('profiles add lab --url https://h');
    expect([lstatSync(config).isSymbolicLink(), statSync(real).mode & 0o777]).toEqual([
      true,
      0o644,
    ]);
    const latin = Buffer.concat([Buffer.from(written()), Buffer.from('# caf\xe9\n', 'latin1')]);
    writeFileSync(real, latin);
    const refused = await run('profiles use lab');
    expect([refused.code, refused.stderr]).toEqual([
      2,
      `error: ${config} is not UTF-8 text.\nConvert it, or edit it by hand.\n`,
    ]);
    expect(readFileSync(real)).toEqual(latin);
  });

  test('refuses what the program would refuse, and leaves the file', async () => {
    const before = 'profiles:\n  prod: { baseUrl: https://h }\n';
    writeConfig(before);
    const problems: readonly (readonly [string, number, string])[] = [
      ['profiles add local --url https://h', 2, 'local is the host on this machine.'],
      ['profiles add a/b --url https://h', 2, 'The name of the profile is not valid.'],
      ['profiles add x', 2, 'hostdeck profiles add needs --url URL.'],
      ['profiles add x --url https://me:pw@h', 2, '--url must be an http or https URL'],
      ['profiles add x --url https://h --colour pink', 2, '--colour must be red, yellow'],
      ['profiles add x --url https://h --restart-delay soon', 2, '--restart-delay must be off'],
      ['profiles add x --url https://h --token-file a --token-command b', 2, 'x has a tokenFile'],
      ['profiles add prod --url https://h', 5, `${config} has a profile prod already.`],
    ];
    for (const [line, code, sentence] of problems) {
      const end = await run(line);
      expect([line, end.code, end.stderr.slice(0, sentence.length + 7)]).toEqual([
        line,
        code,
        `error: ${sentence}`,
      ]);
    }
    expect(written()).toBe(before);
    writeConfig('profiles: [\n');
    const broken = await run('profiles add x --url https://h');
    expect([broken.code, broken.stderr.includes('Not valid YAML')]).toEqual([2, true]);
  });
});

describe('profiles list, use and remove', () => {
  const text = `profiles:
  prod: { baseUrl: 'https://prod.example', tokenCommand: echo top-secret, readOnly: true }
  lab: { baseUrl: 'https://lab.example' }
default: prod
`;

  test('list tells where tokens come from, and no token or command', async () => {
    writeConfig(text);
    const stored = storedTokenFile(folder, 'https://lab.example', 'lab');
    mkdirSync(path.dirname(stored));
    writeFileSync(stored, 'stored-secret', { mode: 0o600 });
    const listed = await run('profiles list');
    expect(listed.stdout).toBe(
      `prod\thttps://prod.example\tcommand\t\t\tyes\tyes\nlab\thttps://lab.example\tstored\t${stored}\t\t\t\n`,
    );
    const json = await run('profiles list --json');
    expect(JSON.parse(json.stdout)).toMatchObject([
      { name: 'prod', token: 'command', readOnly: true, default: true },
      { name: 'lab', token: 'stored', readOnly: false, default: false },
    ]);
    expect(listed.stdout + json.stdout).not.toContain('secret');
  });

  test('use sets the default, and says what outranks it', async () => {
    writeConfig(text);
    expect((await run('profiles use lab')).stdout).toBe('lab is the default now.\n');
    expect(written()).toContain('default: lab\n');
    const local = await run('profiles use local', { HOSTDECK_PROFILE: 'prod' });
    expect([local.code, local.stderr]).toEqual([
      0,
      'HOSTDECK_PROFILE is set, and outranks the default.\n',
    ]);
    const wrong = await run('profiles use lba');
    expect([wrong.code, wrong.stderr]).toEqual([
      3,
      `error: There is no profile lba in ${config}. Did you mean lab?\nProfiles: prod, lab.\n`,
    ]);
  });

  test('remove asks, and takes the stored token and the default with it', async () => {
    writeConfig(text.replace('default: prod', 'default: lab'));
    const stored = storedTokenFile(folder, 'https://lab.example', 'lab');
    mkdirSync(path.dirname(stored));
    writeFileSync(stored, 'stored-secret', { mode: 0o600 });
    expect((await run('profiles remove lab')).code).toBe(2);
    await using session = launch({ home, args: ['profiles', 'remove', 'lab'] });
    await session.waitFor('[y/N]');
    expect(session.screen).toContain('It is the default.');
    session.type('y\r');
    expect((await session.exited).code).toBe(0);
    expect(written()).not.toContain('lab');
    expect(existsSync(stored)).toBe(false);
    expect((await run('profiles remove prod --yes')).stdout).toBe('Removed profile prod.\n');
    expect((await run('profiles list')).stdout).toBe('');
  });
});

describe('profiles test', () => {
  test('lists and streams; the exit code tells why it could not', async () => {
    const refusing = await startForeign({ streamAuth: 'query' });
    const unreadable = await startForeign({ chatter: 'unreadable' });
    const bad = path.join(home.folder, 'bad.token');
    writeFileSync(bad, 'wrong', { mode: 0o600 });
    writeConfig(`profiles:
  good: { baseUrl: '${foreign.baseUrl}', tokenFile: ${tokenFile} }
  wrong: { baseUrl: '${foreign.baseUrl}', tokenFile: ${bad} }
  bare: { baseUrl: '${foreign.baseUrl}' }
  gone: { baseUrl: 'http://127.0.0.1:1', tokenFile: ${tokenFile} }
  stream: { baseUrl: '${refusing.baseUrl}', tokenFile: ${tokenFile} }
  unreadable: { baseUrl: '${unreadable.baseUrl}', tokenFile: ${tokenFile} }
`);
    const good = await run('profiles test good', { HOSTDECK_TOKEN: 'of-another' });
    expect(good).toEqual({ stdout: 'list\tok\t1 deployment\nstream\tok\t\n', stderr: '', code: 0 });
    const wrong = await run('profiles test wrong --json');
    expect(JSON.parse(wrong.stdout)).toMatchObject([
      { operation: 'list', outcome: 'failed', detail: 'unauthorized' },
      { operation: 'stream', outcome: 'not tried' },
    ]);
    expect([wrong.code, JSON.parse(wrong.stderr)]).toMatchObject([
      4,
      { error: { code: 'unauthorized' } },
    ]);
    expect((await run('profiles test gone')).code).toBe(8);
    expect((await run('profiles test bare')).code).toBe(2);
    expect((await run('profiles test nope')).code).toBe(3);
    const stream = await run('profiles test stream');
    expect(stream.stdout).toBe('list\tok\t1 deployment\nstream\tfailed\tunauthorized\n');
    expect(stream.code).toBe(4);
    expect(await run('profiles test unreadable')).toEqual({
      stdout: 'list\tok\t1 deployment\nstream\tok\tsends unreadable messages\n',
      stderr: '',
      code: 0,
    });
    await Promise.all([refusing.close(), unreadable.close()]);
  });
});

test('with one service exported and a profile of another, nothing reaches the first', async () => {
  await using services = await startTwoServices();
  const { home: own, blue, prod } = services;
  const before = blue.requests.length;
  const env = { ...environmentOf(blue), HOSTDECK_WALLET: blue.wallet };
  const ignored =
    'HOSTDECK_BASE_URL, HOSTDECK_TOKEN and HOSTDECK_WALLET are not used: the profile is prod.\n';
  for (const line of [
    'deployments list --profile prod',
    'deployments get shopfront --profile=prod',
    'grants list --profile prod',
    'grants create --grantee x1 --limit 1 --expires 1d --dry-run --profile prod',
  ]) {
    const end = await runLine(line.split(' '), { home: own, env });
    expect([line, end.stderr, end.code]).toEqual([line, ignored, 0]);
  }
  const others = [
    'profiles test prod',
    'doctor --profile prod',
    'logs shopfront --no-follow --limit 1 --profile prod',
    '__complete fish hostdeck deployments get --profile prod sh',
  ];
  for (const line of others) await runLine(line.split(' '), { home: own, env });
  const named = await runLine(['deployments', 'list', '-q'], {
    home: own,
    env: { ...env, HOSTDECK_PROFILE: 'prod' },
  });
  expect(named.code).toBe(0);
  expect(blue.requests).toHaveLength(before);
  expect(prod.requests.length).toBeGreaterThan(others.length);
}, 60_000);
