import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, type TestContext } from 'vitest';
import { type OperationName, operations } from '../../source/contract/routes.ts';
import { temporaryHost } from '../host/support/temporary-host.ts';
import { startForeign } from '../servers/foreign.ts';
import { sayMissingTool, toolsMissing } from '../support/missing-tools.ts';
import { Home } from './harness-home.ts';
import { ShellCommands } from './shell-commands.ts';

/** Runs a script without a terminal; resolves with the lines of stderr about its failure. */
async function runScript(
  name: string,
  env: Readonly<Record<string, string>>,
  context: TestContext,
) {
  const home = new Home();
  context.onTestFinished(() => home.remove());
  const cwd = path.join(home.folder, 'work');
  mkdirSync(cwd);
  await using commands = await ShellCommands.start(home);
  // A pipe of Node's is a socket, which has no name to open.
  const errors = path.join(home.folder, 'stderr');
  const stderr = openSync(errors, 'a');
  const script = path.resolve(import.meta.dirname, 'scripts', name);
  const child = spawn('bash', [script], {
    cwd,
    env: { ...home.env, PATH: `${commands.folder}:${process.env['PATH']}`, ...env },
    stdio: ['ignore', 'ignore', stderr],
    detached: true,
  });
  await once(child, 'close');
  closeSync(stderr);
  const lines = readFileSync(errors, 'utf8').split('\n');
  const failure = lines.filter((line) => /^(?:failed|not|error)/.test(line));
  return { failure, code: child.exitCode };
}

const done = { failure: [], code: 0 };

/** Grantee of the grants that the scripts make. */
const grantee = `0x${'b'.repeat(40)}`;

/** Returns the operations that requests belong to. */
function operationsIn(
  requests: readonly { readonly method: string; readonly path: string }[],
): ReadonlySet<string> {
  const patterns = Object.entries(operations).map(([name, { method, path: route }]) => ({
    name,
    method,
    pattern: new RegExp(`${route.replace(/:path/, '.+').replaceAll(/:\w+/g, '[^/]+')}$`),
  }));
  return new Set(
    requests.flatMap((request) =>
      patterns
        .filter(({ method, pattern }) => method === request.method && pattern.test(request.path))
        .map(({ name }) => name),
    ),
  );
}

const missing = toolsMissing(['jq']);
if (missing !== undefined) sayMissingTool(missing);

describe.concurrent('on our host', () => {
  test.skipIf(missing !== undefined)(
    'operations-jq.sh does every operation',
    async (context) => {
      const host = await temporaryHost();
      const { token } = host.as('0x9f000000000000000000000000000000000000a1');
      const env = { HOSTDECK_BASE_URL: host.host.baseUrl, HOSTDECK_TOKEN: token, grantee };
      expect(await runScript('operations-jq.sh', env, context)).toEqual(done);
      await host.remove();
    },
    120_000,
  );
});

describe.concurrent('on a service of bare ids and paths, which tells no states', () => {
  test('operations.sh does every operation', async (context) => {
    const foreign = await startForeign({ deployments: 'ids', files: 'paths', lineEvery: 100 });
    const env = { HOSTDECK_BASE_URL: foreign.baseUrl, HOSTDECK_TOKEN: foreign.token, grantee };
    expect(await runScript('operations.sh', env, context)).toEqual(done);
    await foreign.close();
    const names = Object.keys(operations) as OperationName[];
    const sent = operationsIn(foreign.requests);
    expect(names.filter((each) => !sent.has(each))).toEqual([]);
    expect(foreign.requests.some(({ path: at }) => at.endsWith('/logs/stream'))).toBe(true);
  }, 120_000);
});
