import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startForeign, type Foreign } from '../servers/foreign.ts';
import { sayMissingTool, toolsMissing } from '../support/missing-tools.ts';
import { documentedCommands } from './documented/command-lines.ts';
import { cannotRun, isNotRun, plan, type Way } from './documented/plan.ts';
import { launch } from './harness.ts';
import { Home } from './harness-home.ts';
import { runLine } from './run-line.ts';
import { ShellCommands } from './shell-commands.ts';
import { RunningProgram } from './sync-ground.ts';

const home = new Home();
let commands: ShellCommands;
const cwd = path.join(home.folder, 'work');
let foreign: Foreign;
let host: RunningProgram | undefined;

const definition = `version: "2.0"
name: shop
services:
  web:
    command: [sh, -c]
    args: ["while true; do echo ERROR pay; sleep 1; done"]
profiles:
  compute:
    web: { resources: { memory: { size: 64Mi } } }
  placement:
    here: { pricing: { web: { denom: credits, amount: 1 } } }
deployment:
  web: { here: { profile: web, count: 1 } }
`;

beforeAll(async () => {
  foreign = await startForeign();
  commands = await ShellCommands.start(home);
  mkdirSync(cwd);
  writeFileSync(path.join(cwd, 'shop.yaml'), definition);
  writeFileSync(path.join(home.env['HOME'] ?? '', 'prod.token'), foreign.token, { mode: 0o600 });
});

afterAll(async () => {
  await host?.end('SIGTERM');
  await commands[Symbol.asyncDispose]();
  await foreign.close();
  home.remove();
});

/** The grant that the documents create. */
const newGrant = '.[] | select(.grantee | startswith("0x12ab")).id';

/** Words of the documents that stand for others, or for what not every machine has. */
const meanings = (): readonly (readonly [string, string])[] => [
  ['0x...', `0x${'5a'.repeat(20)}`],
  ['https://api.example.com', foreign.baseUrl],
  ['--port 7420', '--port 0'],
  ['grants revoke 5f2e', `grants revoke "$(hostdeck grants list --json | jq -r '${newGrant}')"`],
];

/** Matches a line that is one command, with nothing for a shell, a host or an editor. */
const plainLine = /^hostdeck (?!host |files edit )(?=[\w ./:-]+$)/;

async function run(line: string, { asks, shows, before }: Way): Promise<void> {
  const said = meanings().reduce((text, [from, to]) => text.replaceAll(from, to), line);
  if (plainLine.test(said) && asks === undefined && shows === undefined && before === undefined) {
    const words = said.split(' ').slice(1);
    const { code, stderr } = await runLine(words, { home, cwd, env: { HOSTDECK_PROOF: '1' } });
    expect([line, code, code === 0 ? '' : stderr]).toEqual([line, 0, '']);
    return;
  }
  const prepared = before === undefined ? said : `{ ${before}; } >/dev/null 2>&1; clear; ${said}`;
  await using session = launch({
    home,
    cwd,
    cols: 120,
    env: {
      PATH: `${commands.folder}:${process.env['PATH']}`,
      EDITOR: "sed -i '$ a more'",
      HOSTDECK_PROOF: '1',
    },
    command: ['bash', '-c', prepared],
  });
  if (asks !== undefined) {
    await session.waitFor((now) => now.screen.includes(asks[0]));
    session.type(`${asks[1]}\r`);
  }
  if (shows === undefined) {
    const { code } = await session.exited;
    expect([line, code, code === 0 ? '' : session.screen.trim()]).toEqual([line, 0, '']);
  } else await session.waitFor(shows);
}

const missing = toolsMissing(['jq', 'less', 'gunzip']);
if (missing !== undefined) sayMissingTool(missing);

test('each command of the documents is run, or cannot be', () => {
  const run = Object.values(plan).flatMap((steps) => steps.map(([line]) => line));
  const documented = documentedCommands();
  expect(run.toSorted()).toEqual(documented.filter((line) => !isNotRun(line)).toSorted());
  expect(Object.keys(cannotRun).filter((line) => !documented.includes(line))).toEqual([]);
});

describe.skipIf(missing !== undefined)('the commands of the documents do what they say:', () => {
  test.each(Object.entries(plan))(
    '%s',
    async (section, steps) => {
      if (section !== 'host' && host === undefined) {
        host = new RunningProgram(['host', '--port', '0'], home, {});
        await host.says('Your wallet');
        // No command is about it, and its two programs would run to the end.
        await runLine(['deployments', 'close', 'sample', '--yes'], { home });
      }
      for (const [line, way] of steps) await run(line, way);
    },
    120_000,
  );
});
