import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandTable } from '../../source/commands/table/command-table.ts';
import { watchedPipe } from '../../source/system/pipe-reader.ts';
import { startForeign, type Foreign } from '../servers/foreign.ts';
import { createDeployment, environmentOf } from './foreign-console.ts';
import { idle, sdlOf } from '../host/support/temporary-host.ts';
import { Home } from './harness-home.ts';
import { runProgram } from './run-program.ts';

const program = path.resolve(import.meta.dirname, '../../dist/cli.js');
const home = new Home();
let foreign: Foreign;
const tomorrow = new Date(Date.now() + 86_400_000).toISOString();

beforeAll(async () => {
  foreign = await startForeign({ services: 'objects' });
  await createDeployment(foreign, 'spare');
  foreign.grants.set('g-17', {
    id: 'g-17',
    grantor: foreign.wallet,
    grantee: 'cosmos1dana',
    limit: 5,
    spent: 0,
    expiresAt: tomorrow,
    createdAt: new Date().toISOString(),
  });
  writeFileSync(path.join(home.folder, 'new.yaml'), sdlOf({ web: idle }, 'new'));
  writeFileSync(path.join(home.folder, 'local.txt'), 'text\n');
  writeFileSync(path.join(home.folder, 'lab.token'), foreign.token, { mode: 0o600 });
  mkdirSync(path.join(home.folder, 'site'));
  writeFileSync(path.join(home.folder, 'site', 'page'), 'page\n');
  // The first start of the host on this machine makes its data folder.
  await runProgram(['whoami'], { home });
});

afterAll(async () => {
  await foreign.close();
  home.remove();
});

const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  EDITOR: 'sed -i s/text/edited/',
  ...home.env,
  ...environmentOf(foreign),
});

/** Waits until the reader of a pipe has gone, then runs the program into that pipe. */
const intoClosedPipe = 'exec 3> >(:); wait $!; exec "$@" >&3';

async function run(line: string): Promise<{ readonly stderr: string; readonly code: unknown }> {
  const words = line === '' ? [] : line.split(' ');
  const shell = ['-c', intoClosedPipe, 'bash', process.execPath, program, ...words];
  const child = spawn('bash', shell, {
    cwd: home.folder,
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const [stderr] = await Promise.all([textOf(child.stderr), once(child, 'close')]);
  return { stderr, code: child.exitCode };
}

const wallet = `0x${'a'.repeat(40)}`;

/** A line for each command that prints, in an order in which each finds what it needs. */
const linesOf = (baseUrl: string): Readonly<Record<string, string>> => ({
  help: 'help files',
  version: 'version',
  completion: 'completion bash',
  'host token': `host token --wallet ${wallet}`,
  'host wallet': `host wallet ${wallet}`,
  'host backup': `host backup backup.tar`,
  'host restore': `host restore backup.tar --data restored`,
  'profiles add': `profiles add lab --url ${baseUrl} --token-file lab.token`,
  'profiles list': 'profiles list',
  'profiles use': 'profiles use lab',
  'profiles test': 'profiles test lab',
  'profiles remove': 'profiles remove lab --yes',
  doctor: 'doctor',
  whoami: 'whoami',
  'deployments list': 'deployments list',
  'deployments get': 'deployments get bazaar',
  'deployments create': 'deployments create -f new.yaml --yes',
  'deployments restart': 'deployments restart bazaar',
  'deployments wait': 'deployments wait bazaar',
  logs: 'logs bazaar --no-follow',
  watch: 'watch --once',
  incident: 'incident bazaar --since 30m --output bazaar.incident',
  'files list': 'files list bazaar/web',
  'files cat': 'files cat bazaar/web:index.html',
  'files get': 'files get bazaar/web:index.html -',
  'files put': 'files put local.txt bazaar/web:',
  'files diff': 'files diff local.txt bazaar/web:local.txt',
  'files mv': 'files mv bazaar/web:local.txt moved.txt',
  'files edit': 'files edit bazaar/web:moved.txt',
  'files rm': 'files rm bazaar/web:moved.txt --yes',
  'files sync': 'files sync site bazaar/web:site',
  'grants list': 'grants list',
  'grants create': `grants create --grantee ${wallet} --limit 5 --expires ${tomorrow} --yes`,
  'grants revoke': 'grants revoke g-17 --yes',
  'deployments close': 'deployments close new --yes',
});

/** Notes of commands beside their result. */
const notes: Readonly<Record<string, string>> = {
  'host backup': 'It has all definitions and files, also secrets in them: keep it private.\n',
  'host restore': 'Deployments start with the host: hostdeck host --data restored\n',
  incident: 'Console history and marks are not in the file: a command has neither.\n',
  'profiles use': 'HOSTDECK_BASE_URL is set, and outranks the default.\n',
  'files put': 'bazaar is restarting.\n',
  'files mv': 'bazaar is restarting.\n',
  'files edit': 'bazaar is restarting.\n',
  'files rm': 'bazaar is restarting.\n',
  'files sync': '1 to create.\nSent 1 file.\nbazaar is restarting.\n',
};

/** Codes of commands that find something. */
const codes: Readonly<Record<string, number>> = { watch: 10 };

test('a reader that goes ends each command quietly, and its work is done', async () => {
  const lines = linesOf(foreign.baseUrl);
  const commands = commandTable.map(({ path: words }) => words.join(' '));
  const silent = new Set(['', 'host', 'open']);
  expect(Object.keys(lines).sort()).toEqual(commands.filter((each) => !silent.has(each)).sort());
  for (const [name, line] of Object.entries(lines)) {
    expect({ name, ...(await run(line)) }).toEqual({
      name,
      stderr: notes[name] ?? '',
      code: codes[name] ?? 0,
    });
  }
  expect(foreign.grants.size).toBe(1);
  expect(foreign.stored(foreign.sample, 'web', 'site/page')?.toString()).toBe('page\n');
  expect(foreign.stored(foreign.sample, 'web', 'moved.txt')).toBeUndefined();
  expect(foreign.deployments.size).toBe(3);
}, 180_000);

test('a large file ends with its reader', async () => {
  foreign.put(foreign.sample, 'web', 'large.txt', 'line\n'.repeat(1_000_000));
  const line = '"$0" "$1" files cat bazaar/web:large.txt | head -n 1; echo "${PIPESTATUS[0]}"';
  const shell = ['-c', line, process.execPath, program];
  const child = spawn('bash', shell, { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  expect([stdout, stderr]).toEqual(['line\n0\n', '']);
});

test.each(['logs spare -f -n 0', 'watch'])(
  '%s ends in silence when its reader goes, without a next line',
  async (line) => {
    const { stderr, code } = await run(line);
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/warning|error/i);
  },
);

test('nothing but a pipe is watched for its reader', () => {
  const folder = openSync(home.folder, 'r');
  expect(watchedPipe(folder)).toBeUndefined();
  closeSync(folder);
  expect(watchedPipe(1 << 20)).toBeUndefined();
});
