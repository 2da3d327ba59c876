import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  completionFiles,
  completionScripts,
  completionShells,
} from '../../source/commands/completion/completion-scripts.ts';
import { type Foreign, startForeign } from '../servers/foreign.ts';
import { environmentOf } from './foreign-console.ts';
import { launch } from './harness.ts';
import { Home } from './harness-home.ts';
import { runLine } from './run-line.ts';
import { runProgram } from './run-program.ts';

const program = path.resolve(import.meta.dirname, '../../dist/cli.js');
const home = new Home();
const bin = path.join(home.folder, 'bin');
let foreign: Foreign;

beforeAll(async () => {
  foreign = await startForeign({ services: 'objects' });
  mkdirSync(bin);
  const launcher = path.join(bin, 'hostdeck');
  writeFileSync(launcher, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(launcher, 0o755);
  const folder = path.join(home.env['XDG_CONFIG_HOME'] ?? '', 'hostdeck');
  mkdirSync(folder);
  writeFileSync(
    path.join(folder, 'config.yaml'),
    `profiles: { prod: { baseUrl: 'https://prod.example' }, gone: { baseUrl: 'http://127.0.0.1:1' } }\n`,
  );
  foreign.grants.set('g-17', {
    id: 'g-17',
    grantor: foreign.wallet,
    grantee: 'cosmos1dana',
    limit: 5,
    spent: 0,
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    createdAt: new Date().toISOString(),
  });
});

afterAll(async () => {
  await foreign.close();
  home.remove();
});

const env = () => ({
  ...home.env,
  ...environmentOf(foreign),
  PATH: `${bin}:${process.env['PATH'] ?? ''}`,
});

/** Calls the function of the script as bash does, for each line; the words break at `:` and `=`. */
const caller = `
source <("$1" completion bash)
shift
for COMP_LINE in "$@"; do
  COMP_POINT=\${#COMP_LINE}
  COMP_WORDS=(hostdeck); COMP_CWORD=1
  _hostdeck
  echo "[\${COMPREPLY[*]}]"
done
`;

async function completedBy(
  lines: readonly string[],
  service = foreign,
): Promise<readonly string[]> {
  const session = launch({
    home,
    env: { ...env(), ...environmentOf(service) },
    cols: 200,
    command: ['bash', '--norc', '--noprofile', '-c', caller, 'bash', path.join(bin, 'hostdeck')],
    args: lines,
  });
  await session.exited;
  const printed = session.screen.trim().split('\n');
  await session.close();
  return printed;
}

test('bash completes commands, flags, choices, profiles, deployments, services and grants', async () => {
  const expected: Readonly<Record<string, string>> = {
    'hostdeck dep': '[deployments]',
    'hostdeck grants ': '[list create revoke]',
    'hostdeck deployments list --js': '[--json]',
    'hostdeck profiles add x --colour re': '[red]',
    'hostdeck deployments list --profile=pr': '[prod]',
    'hostdeck --profile ': '[prod gone local]',
    'hostdeck deployments get ba': '[bazaar]',
    'hostdeck deployments get --profile gone ba': '[]',
    'hostdeck logs bazaar --service w': '[web worker]',
    'hostdeck grants revoke g': '[g-17]',
    'hostdeck files cat baz': '[bazaar/]',
    'hostdeck files cat bazaar/w': '[bazaar/web: bazaar/worker:]',
    'hostdeck files cat bazaar/web:': '[README.md config/ index.html]',
    'hostdeck files cat bazaar/web:config/a': '[config/app.yaml]',
    'hostdeck files list bazaar/we': '[bazaar/web]',
    'hostdeck nope ': '[]',
  };
  const lines = Object.keys(expected);
  expect(await completedBy(lines)).toEqual(Object.values(expected));
}, 60_000);

test('bash completes paths of a service that lists ids and bare paths alone', async () => {
  const bare = await startForeign({ deployments: 'ids', files: 'paths' });
  try {
    const lines = [`hostdeck files cat ${bare.sample}/web:co`, 'hostdeck files cat nope/'];
    expect(await completedBy(lines, bare)).toEqual(['[config/]', '[]']);
  } finally {
    await bare.close();
  }
});

test('Tab completes commands, deployments, flags and paths in an interactive bash', async () => {
  await using session = launch({
    home,
    cols: 120,
    env: { ...env(), PS1: 'ready> ' },
    command: ['bash', '--norc', '--noprofile', '-i'],
  });
  await session.waitFor('ready>');
  session.type('source <(hostdeck completion bash); echo sourced-$?\r');
  await session.waitFor('sourced-0');
  session.type('hostdeck depl\t');
  await session.waitFor('hostdeck deployments');
  session.type('ge\tbaz\t-q\r');
  await session.waitFor(foreign.sample);
  session.type('hostdeck files cat bazaar/we\tconf\tap\t--js\t');
  await session.waitFor('hostdeck files cat bazaar/web:config/app.yaml --json');
  session.type('\r');
  await session.waitFor('port: 8080');
}, 60_000);

test('nothing is said of errors, and nothing is started', async () => {
  const quiet = { stderr: '', code: 0, stdout: 'words\n' };
  const line = ['__complete', 'bash', 'hostdeck deployments get ', ':='];
  expect(await runProgram(line, { home })).toEqual(quiet);
  const refused = { ...environmentOf(foreign), HOSTDECK_TOKEN: 'wrong' };
  expect(await runProgram(line, { home, env: refused })).toEqual(quiet);
  const command = {
    HOSTDECK_BASE_URL: foreign.baseUrl,
    HOSTDECK_TOKEN_COMMAND: `touch ${home.folder}/ran`,
  };
  expect(await runProgram(line, { home, env: command })).toEqual(quiet);
  expect(home.survivors()).toEqual([]);
});

test('fish gets descriptions behind tabs, zsh behind colons', async () => {
  const of = (shell: string) =>
    runProgram(['__complete', shell, 'hostdeck', 'deployments', 'g'], { home });
  expect((await of('fish')).stdout).toBe('words\nget\tShow a deployment.\n');
  expect((await of('zsh')).stdout).toBe('words\nget:Show a deployment.\n');
});

test('the scripts are in the build, and each shell here accepts its own', async () => {
  const shells = (process.env['PATH'] ?? '').split(':');
  for (const shell of completionShells) {
    const printed = await runLine(['completion', shell], { home });
    expect(printed.stdout).toBe(completionScripts[shell]);
    const file = path.resolve(
      import.meta.dirname,
      '../../dist/completions',
      completionFiles[shell],
    );
    const isHere = shells.some((each) => {
      try {
        execFileSync(path.join(each, shell), ['-n', file]);
        return true;
      } catch (error) {
        const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
        if (!isMissing) throw error;
        return false;
      }
    });
    expect(isHere || shell !== 'bash').toBe(true);
  }
  expect((await runLine(['completion', 'tcsh'], { home })).stderr).toContain(
    'SHELL must be bash, zsh or fish.',
  );
});
