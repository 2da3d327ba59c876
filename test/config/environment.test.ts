import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { foldersOf, isProduction, readTarget } from '../../source/config/environment.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function temporaryFile(content: string): Promise<string> {
  const folder = temporaryFolder();
  const file = path.join(folder, 'token');
  await writeFile(file, content);
  return file;
}

describe('the folders', () => {
  it('follow the XDG variables, and ignore relative ones', () => {
    expect(foldersOf({ XDG_DATA_HOME: '/d', XDG_STATE_HOME: 'relative' }, '/me')).toEqual({
      data: '/d/hostdeck',
      state: '/me/.local/state/hostdeck',
      config: '/me/.config/hostdeck',
    });
    expect(foldersOf({}, '/me').data).toBe('/me/.local/share/hostdeck');
  });
});

describe('the target', () => {
  const base = { HOSTDECK_BASE_URL: 'https://api.example.com/v9/' };

  it('is the host on this machine without a base URL', async () => {
    expect(await readTarget({}, undefined)).toEqual({ ok: true, value: { kind: 'local' } });
    expect(await readTarget({ HOSTDECK_BASE_URL: '' }, undefined)).toMatchObject({ ok: true });
    for (const name of ['HOSTDECK_TOKEN', 'HOSTDECK_TOKEN_FILE', 'HOSTDECK_TOKEN_COMMAND']) {
      expect(await readTarget({ [name]: 'x' }, undefined)).toEqual({
        ok: true,
        value: { kind: 'local', ignored: name },
      });
    }
  });

  it('keeps the path of the base URL without its final slash; the flag outranks the variable', async () => {
    const env = { ...base, HOSTDECK_TOKEN: 't', HOSTDECK_WALLET: '0x1', HOSTDECK_PROFILE: 'prod' };
    expect(await readTarget(env, undefined)).toEqual({
      ok: true,
      value: {
        kind: 'remote',
        baseUrl: 'https://api.example.com/v9',
        token: 't',
        source: 'HOSTDECK_TOKEN',
        profile: 'prod',
        wallet: '0x1',
        streamAuth: 'header',
      },
    });
    expect(await readTarget(env, 'http://other')).toMatchObject({
      value: { baseUrl: 'http://other' },
    });
  });

  it('takes the token from a file or the first line of a command', async () => {
    const file = await temporaryFile('from-file\n');
    expect(await readTarget({ ...base, HOSTDECK_TOKEN_FILE: file }, undefined)).toMatchObject({
      value: { token: 'from-file' },
    });
    const command = 'printf "from-command\\nnotes\\n"';
    expect(await readTarget({ ...base, HOSTDECK_TOKEN_COMMAND: command }, undefined)).toMatchObject(
      { value: { token: 'from-command' } },
    );
  });

  it('is refused in a sentence when something is missing or wrong', async () => {
    const empty = await temporaryFile(' \n');
    await chmod(empty, 0o600);
    const cases: [NodeJS.ProcessEnv, string][] = [
      [base, 'no token'],
      [{ ...base, HOSTDECK_TOKEN_FILE: '/nonexistent' }, 'HOSTDECK_TOKEN_FILE (ENOENT)'],
      [{ ...base, HOSTDECK_TOKEN_FILE: empty }, 'gave an empty token'],
      [
        { ...base, HOSTDECK_TOKEN_COMMAND: 'exit 3' },
        "Can't read the token of HOSTDECK_TOKEN_COMMAND",
      ],
      [{ HOSTDECK_BASE_URL: 'api.example.com', HOSTDECK_TOKEN: 't' }, 'not an http or https'],
      [{ HOSTDECK_BASE_URL: 'https://u:secret@x', HOSTDECK_TOKEN: 't' }, 'has a user'],
      [{ ...base, HOSTDECK_TOKEN: 't', HOSTDECK_STREAM_AUTH: 'cookie' }, 'STREAM_AUTH is cookie'],
    ];
    for (const [env, said] of cases) {
      const target = await readTarget(env, undefined);
      if (target.ok) throw new Error(`accepted: ${said}`);
      expect(target.problem.sentence).toContain(said);
      expect(JSON.stringify(target)).not.toContain('secret');
    }
  });
});

describe('production', () => {
  it('is told by the start of the profile name', () => {
    expect(['prod', 'PROD-eu', 'production'].map(isProduction)).toEqual([true, true, true]);
    expect(['prod1', 'prod_eu'].map(isProduction)).toEqual([true, true]);
    expect(['staging', 'preprod'].map(isProduction)).toEqual([false, false]);
  });
});
