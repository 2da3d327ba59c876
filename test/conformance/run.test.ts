import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startForeign } from '../servers/foreign.ts';

const program = fileURLToPath(new URL('run.ts', import.meta.url));

/** Runs the suite from the command line; resolves with its exit code and output. */
async function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  // Like a shell, without the variables of this test runner.
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  return await new Promise<{ readonly code: unknown; readonly out: string }>((resolve) => {
    const options = { env: { PATH, HOME, NODE_COMPILE_CACHE, ...env } };
    const child = execFile(process.execPath, [program, ...args], options, (_error, out, notes) => {
      resolve({ code: child.exitCode, out: out + notes });
    });
  });
}

const chapter = ['--chapter', '4-endpoints-grants'];

it('reports the broken and skipped lines of a foreign service, and leaves no grant', async () => {
  // The envelope of this service has a grant without success.
  await using service = await disposable(startForeign({ envelope: 'named' }));
  const args = ['--base-url', service.baseUrl, ...chapter];
  const { code, out } = await run(args, { HOSTDECK_TOKEN: service.token });
  expect(out).toContain('4-endpoints-grants: 3 passed, 1 broken, 10 skipped');
  expect(out).toMatch(/BROKEN: .*envelope with success \(boolean\) and grant/);
  expect(out).toContain('Skipped, 3: needs the token of a second wallet');
  expect(out).toContain('3 lines passed, 1 broken, 10 skipped');
  expect([...service.grants.values()]).toEqual([]);
  expect(code).toBe(1);
});

it('exits with 2 and a reason when no test can run', async () => {
  const none = await run(['--base-url', 'http://127.0.0.1:9'], {});
  expect(none).toMatchObject({ code: 2, out: expect.stringContaining('No token is set.') });
  const wrong = await run(['--base-url', 'nowhere'], { HOSTDECK_TOKEN: 'x' });
  expect(wrong).toMatchObject({
    code: 2,
    out: expect.stringContaining('has no scheme'),
  });
  await using service = await disposable(startForeign());
  const refused = await run(['--base-url', service.baseUrl], { HOSTDECK_TOKEN: 'unknown' });
  expect(refused).toMatchObject({ code: 2, out: expect.stringContaining('failed (401)') });
  await service.close();
  const gone = await run(['--base-url', service.baseUrl], { HOSTDECK_TOKEN: 'x' });
  expect(gone).toMatchObject({ code: 2, out: expect.stringContaining("Can't reach the service") });
});

async function disposable<T extends { close(): Promise<void> }>(starting: Promise<T>) {
  const service = await starting;
  return { ...service, [Symbol.asyncDispose]: () => service.close() };
}
