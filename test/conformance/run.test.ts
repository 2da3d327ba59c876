import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startForeign } from '../servers/foreign.ts';

const program = fileURLToPath(new URL('run.ts', import.meta.url));

/** Runs the suite as a person does; gives its exit code and what it wrote. */
async function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  // As in a shell: nothing of the test that runs here.
  const { PATH, HOME } = process.env;
  return await new Promise<{ readonly code: unknown; readonly out: string }>((resolve) => {
    const options = { env: { PATH, HOME, ...env } };
    const child = execFile(process.execPath, [program, ...args], options, (_error, out, notes) => {
      resolve({ code: child.exitCode, out: out + notes });
    });
  });
}

const chapter = ['--chapter', '4-endpoints-grants'];

it('says which line a foreign service breaks and which it was not asked, and leaves no grant', async () => {
  // Its envelope has a grant and no success.
  await using service = await disposable(startForeign({ envelope: 'named' }));
  const args = ['--base-url', service.baseUrl, ...chapter];
  const { code, out } = await run(args, { HOSTDECK_TOKEN: service.token });
  expect(out).toContain('4-endpoints-grants: 3 held, 1 broken, 10 not asked');
  expect(out).toMatch(/BROKEN: .*envelope with success \(boolean\) and grant/);
  expect(out).toContain('Not asked, 3: needs the token of a second wallet');
  expect(out).toContain('3 lines held, 1 broken, 10 not asked');
  expect([...service.grants.values()]).toEqual([]);
  expect(code).toBe(1);
});

it('exits with 2 where nothing can be asked, and says why', async () => {
  const none = await run(['--base-url', 'http://127.0.0.1:9'], {});
  expect(none).toMatchObject({ code: 2, out: expect.stringContaining('There is no token.') });
  const wrong = await run(['--base-url', 'nowhere'], { HOSTDECK_TOKEN: 'x' });
  expect(wrong).toMatchObject({ code: 2, out: expect.stringContaining('no http or https URL') });
  await using service = await disposable(startForeign());
  const refused = await run(['--base-url', service.baseUrl], { HOSTDECK_TOKEN: 'unknown' });
  expect(refused).toMatchObject({ code: 2, out: expect.stringContaining('answers 401') });
  await service.close();
  const gone = await run(['--base-url', service.baseUrl], { HOSTDECK_TOKEN: 'x' });
  expect(gone).toMatchObject({ code: 2, out: expect.stringContaining('cannot be reached') });
});

async function disposable<T extends { close(): Promise<void> }>(starting: Promise<T>) {
  const service = await starting;
  return { ...service, [Symbol.asyncDispose]: () => service.close() };
}
